import { Command, CommanderError, Help, Option } from 'commander';

import { capitalized } from '../kernel/text/capitalized.js';
import { VERSION } from '../kernel/version.js';
import { addCompletion, completionCommand } from './completion-command.js';
import { buildOptions } from './build-option.js';
import { isPlanArgument, PLAN_OPTION } from './input/read-input.js';
import { addArgument, addSharedOptions } from './shared/command-parts.js';
import { SHARED_OPTIONS } from './shared/shared-options.js';
import { commandEntries } from './commands.js';
import type { CommandEntry } from './commands.js';
import type { LoadedCommand } from './load-command.js';
import { formatHelp } from './shared/help-document.js';
import { isHelpShown, usageError } from './usage-error.js';
import type { CommandSet } from './command-set.js';
import { featureCommands } from './feature-commands.js';

/** Does what a command line asks for, once commander has read it. */
export type Perform = (loaded: LoadedCommand, command: Command) => Promise<void>;

/**
 * The program as commander reads it: what the named command takes, and of the others their names and summaries, because
 * making all options of all commands is slow.
 */
export async function buildProgram(
  commands: CommandSet,
  program: 'plan' | 'frctl',
  argv: readonly string[],
  perform: Perform,
  print: (document: unknown, text: string) => void,
): Promise<Command> {
  const asJson = argv.includes('--json');
  const entries = commandEntries(commands.operations);
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
      ? await buildCommand(await load(entry, commands), perform, { asJson, argv })
      : describeCommand(entry);
    plan.addCommand(command, { hidden: !entry.everyday && !all });
  }
  for (const [index, command] of featureCommands(commands, describeCommand, asJson, print).entries())
    plan.addCommand(command, { hidden: commands.others[index]?.command.everyday !== true && !all });
  const completion = describeCommand(completionCommand());
  plan.addCommand(addCompletion(commands, completion, asJson, print), { hidden: !all });
  addHelp(plan, commands, asJson, print);
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
    .description(`${capitalized(summary)}.`);
  for (const alias of aliases) command.alias(alias);
  if (aliases.length > 1) command.configureHelp({ commandUsage: usageWithAliases });
  command.helpGroup(`${capitalized(group)}:`);
  return command;
}

async function buildCommand(
  loaded: LoadedCommand,
  perform: Perform,
  { asJson, argv }: { readonly asJson: boolean; readonly argv: readonly string[] },
): Promise<Command> {
  const command = describeCommand(loaded);
  for (const argument of loaded.arguments) addArgument(command, argument);
  for (const option of loaded.options.flatMap(buildOptions)) command.addOption(option);
  const takesPlan = [...loaded.actions.values()].some(({ line }) => line.arguments.some(isPlanArgument));
  if (takesPlan && !command.options.some(({ long }) => long === '--plan'))
    command.addOption(new Option(PLAN_OPTION, 'the same as the argument').hideHelp());
  addSharedOptions(command);
  const second = wordAfter(loaded, argv);
  const action = second === '' ? undefined : loaded.actions.get(second);
  const actions = action === undefined ? [...loaded.actions.values()] : [action];
  formatHelp(command, { examples: actions.flatMap(({ operation }) => operation.examples) }, asJson);
  if (action !== undefined) (await import('./action-help.js')).helpOfAction(command, loaded, second);
  return command.action(() => perform(loaded, command));
}

/** `plan help`, `plan help --all`, `plan help COMMAND`, `plan help runs show` and `plan help --man`. */
function addHelp(
  plan: Command,
  commands: CommandSet,
  asJson: boolean,
  print: (document: unknown, text: string) => void,
): void {
  const help = newCommand('help').summary('show help for a command').argument('[command...]', 'a command');
  help.addOption(new Option('--all', 'every command there is')).helpGroup('Help:');
  help.addOption(new Option('--man', 'the manual page, as `man` reads it'));
  help.action(async (words: readonly string[], { man }: { readonly man?: boolean }) => {
    if (man === true) {
      const { manualPage } = await import('./man-page.js');
      const page = await manualPage(commands);
      return print({ page }, page);
    }
    const [name, second] = words;
    const found = plan.commands.find((each) => each.name() === name || each.aliases().includes(name ?? ''));
    const isKnown =
      name === undefined || (found !== undefined && (second === undefined || isAction(found, second)));
    if (!isKnown || words.length > 2)
      throw new CommanderError(2, 'commander.unknownCommand', `error: unknown command '${words.join(' ')}'`);
    (found ?? plan).outputHelp();
  });
  plan.addCommand(help);
  const note = '`plan help --all` lists every command, `plan help <command>` tells all about one.';
  formatHelp(plan, { note }, asJson);
  plan.configureHelp({ ...plan.configureHelp(), subcommandTerm: namesOf });
}

/** The usage of a command with all its names; commander gives it the first two. */
function usageWithAliases(command: Command): string {
  const [first = ''] = command.aliases();
  return new Help().commandUsage(command).replace(`${command.name()}|${first}`, namesOf(command));
}

/** A command in the list of commands, with its other names: `init|new|create`. */
function namesOf(command: Command): string {
  return [command.name(), ...command.aliases()].join('|');
}

/** Whether a command stands for several operations, and a word names one of them. */
function isAction(command: Command, word: string): boolean {
  const [first] = command.registeredArguments;
  return first?.name() === 'action' && first.argChoices?.includes(word) === true;
}

/** The word that follows the name of a command, whatever options stand between; empty where there is none. */
function wordAfter({ name, aliases, options }: LoadedCommand, argv: readonly string[]): string {
  const words = wordsOf(argv, [...SHARED_OPTIONS, ...options]);
  return words[words.findIndex((word) => [name, ...aliases].includes(word)) + 1] ?? '';
}

/** What is left of a command line without its options and their values. */
function wordsOf(argv: readonly string[], options: readonly { readonly flags: string }[]): readonly string[] {
  const withValue = new Set(
    options.flatMap(({ flags }) => (flags.includes('<') ? (flags.match(/(?<=^|, )--?[\w-]+/g) ?? []) : [])),
  );
  return argv.filter((word, index) => !word.startsWith('-') && !withValue.has(argv[index - 1] ?? ''));
}

function isNamed({ name, aliases }: CommandEntry, words: ReadonlySet<string>): boolean {
  return [name, ...aliases].some((word) => words.has(word));
}

async function load(entry: CommandEntry, commands: CommandSet): Promise<LoadedCommand> {
  return (await import('./load-command.js')).loadCommand(entry, commands);
}
