import { Help } from 'commander';
import type { Argument, Command, Option } from 'commander';

import { breakLine } from '../../kernel/text/break-line.js';

/** What the help of a command has besides its words and options: examples, and a text below. */
export interface HelpTail {
  readonly examples?: readonly string[];
  readonly note?: string;
}

/** Has a command print its help as text with a tail, or as one JSON document. */
export function formatHelp(
  command: Command,
  { examples = [], note = '' }: HelpTail,
  asJson: boolean,
): Command {
  if (asJson)
    return command.configureHelp({
      ...command.configureHelp(),
      formatHelp: (shown, helper) => `${JSON.stringify(helpDocument(shown, helper, examples), null, 2)}\n`,
    });
  const columns = () => command.configureOutput().getOutHelpWidth?.() ?? COLUMNS;
  const listed = () => `Examples:\n${examples.map((each) => exampleIn(each, columns())).join('\n')}`;
  command.configureHelp({
    ...command.configureHelp(),
    formatHelp: (shown, helper) =>
      ordered(Help.prototype.formatHelp.call(helper, shown, helper), examples.length === 0 ? [] : [listed()]),
  });
  if (note !== '') command.addHelpText('after', () => `\n${breakLine(note, columns()).join('\n')}`);
  return command;
}

/** Help with examples below what the command is for, and its options last: who asks for help looks for a line to copy, or for a list of commands. */
function ordered(help: string, examples: readonly string[]): string {
  const [usage = '', ...parts] = help.trimEnd().split('\n\n');
  const isHeaded = /^[A-Z][a-z ]*:\n/;
  const about = parts.filter((part) => !isHeaded.test(part));
  const lists = parts.filter((part) => isHeaded.test(part));
  return `${[
    usage,
    ...about,
    ...examples,
    ...lists.filter((part) => !isOptions(part)),
    ...lists.filter(isOptions),
  ].join('\n\n')}\n`;
}

function isOptions(part: string): boolean {
  return part.startsWith('Options:');
}

/** How wide help is where nobody says it. */
const COLUMNS = 80;

/** A command line as it can be typed: where it is too wide it goes on after an option's end, below itself. */
function exampleIn(example: string, columns: number): string {
  const lines: string[] = [];
  let line = '  $';
  // A line that goes on ends in a backslash.
  for (const part of example.split(BEFORE_OPTION)) {
    if (line.length + part.length + 3 > columns && line.trim() !== '$') {
      lines.push(`${line} \\`);
      line = '     ';
    }
    line += ` ${part}`;
  }
  return [...lines, line].join('\n');
}

const BEFORE_OPTION = / (?=--?[a-z])/;

/** What the help of a command says, for programs. */
function helpDocument(command: Command, helper: Help, examples: readonly string[]) {
  const commands = helper.visibleCommands(command);
  return {
    name: command.name(),
    aliases: command.aliases(),
    description: helper.commandDescription(command),
    usage: helper.commandUsage(command),
    arguments: helper.visibleArguments(command).map(argumentDocument),
    options: helper.visibleOptions(command).map(optionDocument),
    ...(commands.length === 0 ? {} : { commands: commands.map(commandDocument) }),
    ...(examples.length === 0 ? {} : { examples }),
  };
}

function argumentDocument(argument: Argument) {
  const { description, required, variadic, argChoices } = argument;
  return {
    name: argument.name(),
    description,
    required,
    variadic,
    ...(argChoices === undefined ? {} : { choices: argChoices }),
  };
}

function optionDocument({ flags, description, argChoices }: Option) {
  return { flags, description, ...(argChoices === undefined ? {} : { choices: argChoices }) };
}

function commandDocument(command: Command) {
  const group = command.helpGroup().replace(/:$/, '');
  return {
    name: command.name(),
    aliases: command.aliases(),
    summary: command.summary(),
    ...(group === '' ? {} : { group }),
  };
}
