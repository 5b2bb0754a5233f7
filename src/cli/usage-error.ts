import { CommanderError } from 'commander';
import type { Command } from 'commander';

import { PlanError } from '../kernel/errors.js';
import { nearestWord } from '../kernel/text/nearest-word.js';
import { truncate } from '../kernel/text/truncate.js';

/** Whether a usage error has shown the help already, because a command's name was left out. */
export function isHelpShown(thrown: unknown): boolean {
  return thrown instanceof CommanderError && thrown.code === 'commander.help';
}

/**
 * What commander refuses, in our words.
 * @param command the one that was given wrongly, where it is known; its usage is the hint
 * @param unknown of a word that is no command, what was most likely meant
 */
export function usageError(thrown: CommanderError, command?: Command, unknown?: UnknownCommand): PlanError {
  const message = isHelpShown(thrown) ? 'a command is missing' : thrown.message;
  const said = inOwnWords(message.replace(/^error: /, '').trim(), command);
  if (command !== undefined) return new PlanError('USAGE', said, { hint: { commandLine: usageOf(command) } });
  const { program, meant } = unknown ?? { program: 'plan' };
  const all = `\`${program} help --all\` lists every command.`;
  return new PlanError('USAGE', said, {
    hint: { commandLine: meant === undefined ? all : `Did you mean \`${meant}\`? ${all}` },
  });
}

/** What can be said to somebody who gave a word that is no command. */
export interface UnknownCommand {
  /** How the program is called whose commands there are. */
  readonly program: string;
  /** The command line that was most likely meant, where there is one. */
  readonly meant: string | undefined;
}

/** The command that a word was most likely meant to be: by what it means, or by its letters. */
export function nearestCommand(word: string, names: Iterable<string>): string | undefined {
  return OTHER_NAMES.get(word) ?? nearestWord(word, names);
}

/** What people look for under another name, with the command that does it. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['unarchive', 'restore'],
  ['version', '--version'],
  ['finish', 'complete'],
  ['settings', 'config'],
  ['history', 'log'],
]);

/** What people look for under another name among the actions of one command. */
const OTHER_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['get', 'show'],
  ['list', 'show'],
]);

function usageOf(command: Command): string {
  return `Usage: ${command.createHelp().commandUsage(command)}. Add --help to see more.`;
}

/** What commander says, as the other messages say it. The command that it proposes is proposed by the hint. */
function inOwnWords(message: string, command?: Command): string {
  const [, option, value = '', choices] =
    /^option '(?:[^'-]|-(?!-))*(--[\w-]+)(?![\w-])[^']*' argument '(.*)' is invalid\. Allowed choices are ([^']*)\.$/s.exec(
      message,
    ) ?? [];
  if (option !== undefined && choices !== undefined)
    return `${option} must be one of ${choices}, not ${quoted(value)}`;
  const [, word = '', argument, those = ''] =
    /^command-argument value '(.*)' is invalid for argument '([^']*)'\. Allowed choices are ([^']*)\.$/s.exec(
      message,
    ) ?? [];
  if (argument === 'action') return noAction(`plan ${command?.name() ?? ''}`, word, those.split(', '));
  if (argument !== undefined) return `<${argument}> must be one of ${those}, not ${quoted(word)}`;
  return message
    .replace(
      /^unknown command '(.*?)'(?:\n\(Did you mean [^']*\))?$/s,
      (_all, given: string) => `there is no command ${quoted(given)}`,
    )
    .replace(/^option '[^']*' argument '.*' is invalid\. (--\S+ takes .*)$/s, '$1')
    .replace(/^missing required argument '(.*)'$/, '<$1> is missing')
    .replace(/^option '(?:[^'-]|-(?!-))*(--[\w-]+)(?![\w-])[^']*' argument missing$/, '$1 needs a value');
}

function noAction(name: string, word: string, actions: readonly string[]): string {
  const other = OTHER_ACTIONS.get(word) ?? '';
  const meant = actions.includes(other) ? other : nearestWord(word, actions);
  const near = meant === undefined ? '' : `; did you mean \`${name} ${meant}\`?`;
  return `\`${name}\` has no ${quoted(word)}, it has ${actions.join(', ')}${near}`;
}

function quoted(value: string): string {
  return JSON.stringify(truncate(value, 80));
}
