import { runCommand as run } from '../cli/run-command.js';
import type { CommandHost } from '../cli/run-command.js';
import { COMMANDS } from './commands.js';

/** Runs a command line with every feature, and gives its exit status. */
export function runCommand(
  program: 'plan' | 'frctl',
  argv: readonly string[],
  host: CommandHost,
): Promise<number> {
  return run(COMMANDS, program, argv, host);
}
