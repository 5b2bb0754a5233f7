import { Command, CommanderError, Option } from 'commander';

import { PlanError } from '../../kernel/errors.js';
import { VERSION } from '../../kernel/version.js';
import { addCompletion, COMPLETION } from './completion-command.js';
import type { CommandLineMember } from '../shared/command-description.js';
import { addArgument, addSharedOptions } from '../shared/command-parts.js';
import type { CommandEntry } from './commands.js';
import type { LoadedCommand } from './load-command.js';
import { formatHelp } from '../shared/help-document.js';
import { parseNumber } from '../shared/parse-number.js';
import { isHelpShown, usageError } from './usage-error.js';
import { addOtherInterfaces } from './other-interfaces.js';

/** Does what a command line asks for, once commander has read it. */
export type Perform = (loaded: LoadedCommand, command: Command) => Promise<void>;

/**
 * The program as commander reads it: what the named command takes, and of the others their names and summaries, because
 * making all options of all commands is slow.
 */
export async function buildProgram(
  program: 'plan' | 'frctl',
  entries: readonly CommandEntry[],
  argv: readonly string[],
  perform: Perform,
  print: (document: unknown, text: string) => void,
): Promise<Command> {
  const asJson = argv.includes('--json');
  const plan = newCommand('plan').description(
    'Turn one big goal into a tree of atomic goals, kept in plain files.',
  );
  const words = new Set(argv);
  const named = new Set(entries.filter((entry) => isNamed(entry, words)));
  // Where none is named all are listed, and one that is misspelt is found among them.
  const shown = named.size === 0 || words.has('help') ? entries : named;
  const all = words.has('--all');
  for (const entry of shown) {
    const command = named.has(entry)
      ? buildCommand(await load(entry), perform, asJson)
      : describeCommand(entry);
    plan.addCommand(command, { hidden: !entry.everyday && !all });
  }
  for (const command of addOtherInterfaces(describeCommand, asJson, print))
    plan.addCommand(command, { hidden: !all });
  plan.addCommand(addCompletion(describeCommand(COMPLETION), asJson, print), { hidden: !all });
  addHelp(plan, asJson);
  addSharedOptions(plan);
  const version = asJson ? JSON.stringify({ version: VERSION }) : VERSION;
  plan.version(version, '-V, --version', 'print the version');
  if (program === 'plan') return plan;
  const root = newCommand('frctl').description('Planning for people and coding agents.');
  root.version(version, '-V, --version', 'print the version');
  addSharedOptions(root);
  formatHelp(root, {}, asJson);
  return root.addCommand(plan);
}

function newCommand(name: string): Command {
  const command = new Command(name);
  return command
    .exitOverride((thrown) => {
      const isGiven = thrown.exitCode !== 0 && !isHelpShown(thrown) && command.commands.length === 0;
      throw isGiven ? usageError(thrown, command) : thrown;
    })
    .configureOutput({ outputError: () => undefined })
    .helpCommand(false)
    .showSuggestionAfterError();
}

/** A command as the list of commands shows it. */
function describeCommand({
  name,
  aliases,
  summary,
  group,
}: Pick<CommandEntry, 'name' | 'aliases' | 'summary' | 'group'>): Command {
  const command = newCommand(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  for (const alias of aliases) command.alias(alias);
  command.helpGroup(`${group.charAt(0).toUpperCase()}${group.slice(1)}:`);
  return command;
}

function buildCommand(loaded: LoadedCommand, perform: Perform, asJson: boolean): Command {
  const command = describeCommand(loaded);
  for (const argument of loaded.arguments) addArgument(command, argument);
  for (const member of loaded.options) command.addOption(buildOption(member));
  addSharedOptions(command);
  const examples = [...loaded.actions.values()].flatMap(({ operation }) => operation.examples);
  formatHelp(command, { examples }, asJson);
  return command.action(() => perform(loaded, command));
}

function buildOption({ flags, description, choices, kind, many, conflicts }: CommandLineMember): Option {
  const option = new Option(flags, description);
  if (conflicts !== undefined) option.conflicts(conflicts);
  if (choices !== undefined) option.choices(choices);
  else if (kind === 'number') option.argParser((text) => parseNumber(text, flags));
  else if (kind === 'text' && !many && flags.includes('<file>'))
    option.argParser((text: string, before: unknown) => onlyOne(flags, text, before));
  return option;
}

/**
 * The file that an option names: that a second is passed over without a word loses what it holds. Of other options the last
 * counts, so that an alias can be overridden. @throws PlanError USAGE
 */
function onlyOne(flags: string, text: string, before: unknown): string {
  if (before === undefined || before === text) return text;
  throw new PlanError(
    'USAGE',
    `${/--[a-z-]+/.exec(flags)?.[0] ?? flags} was given twice, and takes one value`,
    {
      hint: `Give it once; it was given as ${JSON.stringify(before)} and as ${JSON.stringify(text)}.`,
    },
  );
}

/** `plan help`, `plan help --all` and `plan help COMMAND`. */
function addHelp(plan: Command, asJson: boolean): void {
  const help = newCommand('help').summary('show help for a command').argument('[command]', 'a command');
  help.addOption(new Option('--all', 'every command there is')).helpGroup('Help:');
  help.action((name?: string) => {
    const found = plan.commands.find((each) => each.name() === name || each.aliases().includes(name ?? ''));
    if (name !== undefined && found === undefined)
      throw new CommanderError(2, 'commander.unknownCommand', `error: unknown command '${name}'`);
    (found ?? plan).outputHelp();
  });
  plan.addCommand(help);
  const note = '`plan help --all` lists every command, `plan help <command>` tells all about one.';
  formatHelp(plan, { note }, asJson);
}

function isNamed({ name, aliases }: CommandEntry, words: ReadonlySet<string>): boolean {
  return [name, ...aliases].some((word) => words.has(word));
}

async function load(entry: CommandEntry): Promise<LoadedCommand> {
  return (await import('./load-command.js')).loadCommand(entry);
}
