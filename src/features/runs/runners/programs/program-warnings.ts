import { isLiteral } from '../../../actions/tools/bindings.js';
import type { ToolWarning } from '../../model/tools/needed-tools.js';
import { folderOfCommand } from '../command.js';
import { findProgram, foldersOfPath, isLooking } from './find-program.js';
import { findAbsentFiles } from '../written-files.js';
import type { ToolboxOptions } from '../toolbox.js';

/** Says which files of command lines are not there: what the program itself writes counts as a change of it else. */
export async function programWarnings({
  file,
  needed,
  environment: { root, variables },
}: Omit<ToolboxOptions, 'run'>): Promise<readonly ToolWarning[]> {
  const found: ToolWarning[] = [];
  for (const { name, run } of file.tools) {
    if (!needed.tools.includes(name) || run === null || !('command' in run) || run.shell === true) continue;
    const { command, writes = [] } = run;
    const folder = folderOfCommand(run.folder, root);
    const [program = ''] = command;
    if (isLooking(findProgram(program, foldersOfPath(variables.PATH ?? '', folder), folder))) continue;
    const words = command.filter((word, index) => isLiteral(word) && (index > 0 || word.includes('/')));
    const absent = findAbsentFiles(words, { folder, root }, writes);
    if (absent.length === 0) continue;
    const files = absent.join(', ');
    found.push({
      tool: name,
      message: `its command line names ${files}, and ${folder}, where it would run, has no such ${absent.length === 1 ? 'file' : 'files'}. If the file is in another folder, prepare the run in that folder, or in the project that it belongs to. If the program itself makes it, add \`writes: [${files}]\` to the tool in the tools file; without that the run is refused once the file is there`,
    });
  }
  return found;
}
