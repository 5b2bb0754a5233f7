import { Help } from 'commander';
import type { Argument, Command, Option } from 'commander';

import { breakLine } from '../../kernel/text/break-line.js';

/** Text below the help of a command. */
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
  command.configureHelp({
    ...command.configureHelp(),
    formatHelp: (shown, helper) => optionsLast(Help.prototype.formatHelp.call(helper, shown, helper)),
  });
  return command.addHelpText('after', () => {
    const columns = command.configureOutput().getOutHelpWidth?.() ?? COLUMNS;
    const listed =
      examples.length === 0
        ? ''
        : `\nExamples:\n${examples.map((each) => exampleIn(each, columns)).join('\n')}`;
    return `${listed}${note === '' ? '' : `\n${breakLine(note, columns).join('\n')}`}`;
  });
}

/** Help with its options below the commands, which are what somebody looks for who asks for a list of them. */
function optionsLast(help: string): string {
  const parts = help.trimEnd().split('\n\n');
  return `${[...parts.filter((part) => !isOptions(part)), ...parts.filter(isOptions)].join('\n\n')}\n`;
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
