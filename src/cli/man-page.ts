import { capitalized } from '../kernel/text/capitalized.js';
import { VERSION } from '../kernel/version.js';
import type { CommandSet } from './command-set.js';
import { describeCommands } from './completion-command.js';
import type { CommandDescription, CommandLineMember } from './shared/command-description.js';
import { SHARED_OPTIONS } from './shared/shared-options.js';

const EXITS = [
  ['0', 'done'],
  ['1', 'something was found: problems, uncovered lines, findings'],
  ['2', 'invalid input or configuration'],
  ['3', 'not found'],
  ['4', 'refused: the state does not allow it, or nobody agreed'],
  ['5', 'the model failed'],
  ['6', 'a budget is used up'],
  ['7', 'the store cannot be read or written'],
  ['70', 'an internal error'],
  ['130', 'interrupted'],
] as const;

/** Returns the manual page of every command, as `man` reads it (macros of man(7)). */
export async function manualPage(commands: CommandSet): Promise<string> {
  return `${[
    `.TH PLAN 1 "" "frctl ${VERSION}" "frctl"`,
    '.SH NAME',
    text('plan, frctl - turn one goal into a tree of atomic goals, kept in plain files'),
    '.SH SYNOPSIS',
    '.B plan',
    '.I command',
    text('[options] [arguments]'),
    '.br',
    '.B frctl plan',
    '.I command',
    text('[options] [arguments]'),
    '.SH COMMANDS',
    ...(await describeCommands(commands)).flatMap(commandLines),
    '.SH OPTIONS OF EVERY COMMAND',
    ...SHARED_OPTIONS.flatMap(({ flags, description }) => term(flags, description)),
    '.SH EXIT STATUS',
    ...EXITS.flatMap(([status, meaning]) => term(status, meaning)),
    '.SH FILES',
    ...term('.plans/', 'the plans of a folder and of the folders below it'),
    ...term('~/.config/frctl/config.json', 'settings of the user'),
  ].join('\n')}\n`;
}

function commandLines({ name, aliases, summary, arguments: taken, options, examples }: CommandDescription) {
  const usage = [[name, ...aliases].join('|'), ...taken.map(({ flags }) => flags)].join(' ');
  return [
    `.SS ${text(usage)}`,
    text(`${capitalized(summary)}.`),
    ...[...taken, ...options].flatMap((member) => term(member.flags, descriptionOf(member))),
    ...(examples.length === 0 ? [] : ['.PP', text('Examples:'), '.nf', ...examples.map(text), '.fi']),
  ];
}

function descriptionOf({ description, choices = [] }: CommandLineMember): string {
  return choices.length === 0 ? description : `${description} (${choices.join(', ')})`;
}

function term(head: string, words: string): readonly string[] {
  return ['.TP', `.B ${text(head)}`, text(words)];
}

/** Words that `man` shows as they are: no backslash or dash is taken for an order, and no line begins with one. */
function text(words: string): string {
  const escaped = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('\n', ' ');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
