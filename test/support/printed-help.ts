import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Prints what one command line after the other says from one process, as the process of each would. */
const PRINT = `
const [, runCommand, ...lines] = process.argv;
(async () => {
  for (const line of lines) {
    const status = await require(runCommand).runCommand('plan', JSON.parse(line), {});
    process.stdout.write('ended with ' + status + '\\0');
  }
})();
`;

/** The help that each of some command lines prints, and `ended with` its exit status; all from one process. */
export function printedHelp(lines: readonly (readonly string[])[]): readonly string[] {
  const runCommand = resolve('dist/cli/run-command.js');
  const words = lines.map((line) => JSON.stringify(line));
  const printed = execFileSync(process.execPath, ['-e', PRINT, runCommand, ...words], { encoding: 'utf8' });
  return printed.split('\0').slice(0, -1);
}
