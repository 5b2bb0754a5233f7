import process from 'node:process';

import type { Environment } from '../operations/shared/environment.js';
import { watchOutput } from './delivery.js';
import { reportCommandError, runCommand } from './run-command.js';
import type { CommandSet } from './command-set.js';
import type { CommandHost } from './run-command.js';

/**
 * Runs the command line of this process and ends it: data on standard output, the rest on standard error,
 * and the exit status of docs/commands.md.
 * @param program `plan`, or `frctl` whose `plan X` is the same as `plan X`
 */
export async function runCommandLine(commands: CommandSet, program: 'plan' | 'frctl'): Promise<void> {
  const delivery = watchOutput();
  const argv = process.argv.slice(2);
  const host: CommandHost = { streams: process, environment: environmentOfProcess, delivery };
  // Whatever nobody waited for ends the command as an error of its own would.
  process.on('unhandledRejection', (thrown) => {
    process.exit(reportCommandError(thrown, argv, [], host));
  });
  const status = await runCommand(commands, program, argv, host);
  await flush();
  process.exit(status);
}

async function environmentOfProcess(): Promise<Environment> {
  return (await import('../operations/shared/default-environment.js')).defaultEnvironment();
}

function flush(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => resolve());
  });
}
