import type { ToolWarning } from '../tools/needed-tools.js';
import { folderOfCommand } from './command.js';
import { absentProgramFiles } from './program-files.js';
import type { ToolboxOptions } from './toolbox.js';

/** Says which files of command lines are not there: what the program itself writes counts as a change of it else. */
export async function programWarnings({
  file,
  needed,
  environment: { root },
}: Omit<ToolboxOptions, 'run'>): Promise<readonly ToolWarning[]> {
  const found: ToolWarning[] = [];
  for (const { name, run } of file.tools) {
    if (!needed.tools.includes(name) || run === null || !('command' in run) || run.shell === true) continue;
    const { command, writes = [] } = run;
    const absent = await absentProgramFiles(command, {
      folder: folderOfCommand(run.folder, root),
      root,
      writes,
    });
    if (absent.length === 0) continue;
    const files = absent.join(', ');
    found.push({
      tool: name,
      message: `its command line names ${files}, which ${absent.length === 1 ? 'is' : 'are'} not there; what the program itself writes is named under \`writes: [${files}]\`, or the run is refused once it is there`,
    });
  }
  return found;
}
