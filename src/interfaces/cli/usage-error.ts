import { CommanderError } from 'commander';
import type { Command } from 'commander';

import { PlanError } from '../../kernel/errors.js';

/** Whether a usage error has shown the help already, because a command's name was left out. */
export function isHelpShown(thrown: unknown): boolean {
  return thrown instanceof CommanderError && thrown.code === 'commander.help';
}

/**
 * What commander refuses, in our words.
 * @param command the one that was given wrongly, where it is known; its usage is the hint
 * @param meant the command line that was most likely meant, where there is one
 */
export function usageError(thrown: CommanderError, command?: Command, meant?: string): PlanError {
  const message = isHelpShown(thrown) ? 'a command is missing' : thrown.message;
  return new PlanError('USAGE', inOwnWords(message.replace(/^error: /, '').trim()), {
    hint:
      meant !== undefined
        ? `Did you mean \`${meant}\`?`
        : command === undefined
          ? 'Add --help to see what a command takes.'
          : usageOf(command),
  });
}

function usageOf(command: Command): string {
  return `Usage: ${command.createHelp().commandUsage(command)}. Add --help to see more.`;
}

/** What commander says, as the other messages say it. */
function inOwnWords(message: string): string {
  const [, option, value, choices] =
    /^option '.*?(--[\w-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(message) ?? [];
  if (option !== undefined && choices !== undefined)
    return `${option} must be one of ${choices}, not ${JSON.stringify((value ?? '').slice(0, 80))}`;
  return message
    .replace(/^missing required argument '(.*)'$/, '<$1> is missing')
    .replace(/^option '.*?(--[\w-]+).*' argument missing$/, '$1 needs a value');
}
