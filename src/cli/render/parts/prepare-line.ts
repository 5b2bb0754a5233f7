import { shellWord } from '../../../kernel/text/shell-word.js';

/** What `plan prepare` takes where no file is named. */
const USUAL_TOOLS = '.plans/tools.yaml';

/** The command that goes on with an action plan that was stored. @param tools the file that its steps were checked against */
export function prepareLine(id: string, tools: string | undefined): string {
  const option = tools === undefined || tools === USUAL_TOOLS ? '' : ` --tools ${shellWord(tools)}`;
  return `Prepare it:  plan prepare ${id}${option}\n`;
}
