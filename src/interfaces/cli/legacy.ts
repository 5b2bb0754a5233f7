import { Argument, Command, Option } from 'commander';

import { PlanError } from '../../kernel/errors.js';
import type { CommandSpec, Invocation, OptionSpec } from './command.js';
import { COMMANDS } from './program.js';
import type { CommandDescription } from './load-command.js';
import { SHARED_OPTIONS } from './shared-options.js';
import { processTerminal } from './terminal.js';
import type { StoreWarning } from '../../operations/shared/context.js';
import type { Terminal } from './terminal.js';

/** Commands that are not operations yet. */
export function addLegacyCommands(
  plan: Command,
  argv: readonly string[],
  execute: Execute,
  tell: Tell,
): void {
  for (const spec of commandsNamedIn(argv)) plan.addCommand(buildCommand(spec, execute, tell));
}
type Tell = (warning: StoreWarning, terminal: Terminal) => void;
type Execute = (spec: CommandSpec, invocation: Invocation) => Promise<void>;

/** The commands that are named, so that the options of the others need not be made; all where none is. */
function commandsNamedIn(argv: readonly string[]): readonly CommandSpec[] {
  const words = new Set(argv);
  const named = COMMANDS.filter(({ name, aliases = [] }) =>
    [name, ...aliases].some((word) => words.has(word)),
  );
  return named.length === 0 || words.has('help') ? COMMANDS : named;
}

function newCommand(name: string): Command {
  return new Command(name)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError();
}

function buildCommand(spec: CommandSpec, execute: Execute, tell: Tell): Command {
  const command = newCommand(spec.name)
    .helpCommand(false)
    .summary(spec.summary)
    .description(`${spec.summary.charAt(0).toUpperCase()}${spec.summary.slice(1)}.`);
  for (const alias of spec.aliases ?? []) command.alias(alias);
  for (const { name, description, choices } of spec.args ?? []) {
    const argument = new Argument(name, description);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const option of [...(spec.options ?? []), ...SHARED_OPTIONS]) command.addOption(buildOption(option));
  command.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  $ ${example}`).join('\n')}`);
  return command.action(async () => {
    const options = withSharedOptions(command);
    const terminal = processTerminal(options.color !== false);
    const { openWorkspace } = await import('../../operations/workspace.js');
    const workspace = openWorkspace({
      dir: typeof options.dir === 'string' ? options.dir : undefined,
      onWarning: (warning) => tell(warning, terminal),
    });
    await execute(spec, {
      // An argument of many values comes last, and its values come one by one.
      args: command.processedArgs
        .flat()
        .map((argument: unknown) => (typeof argument === 'string' ? argument : undefined)),
      options,
      workspace,
      terminal,
      json: options.json === true,
    });
  });
}

/** The command's own options, and those that every command takes also where they stand before its name. */
function withSharedOptions(command: Command): Readonly<Record<string, unknown>> {
  const own: Readonly<Record<string, unknown>> = command.opts();
  let options = own;
  for (let above = command.parent; above !== null; above = above.parent) {
    const given: Readonly<Record<string, unknown>> = above.opts();
    options = { ...given, ...options, color: options.color !== false && given.color !== false };
  }
  return options;
}

function buildOption({ flags, description, choices, numeric }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices(choices);
  if (numeric === true) option.argParser((text) => parseNumber(text, flags));
  return option;
}

function parseNumber(text: string, flags: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number >= 0) return number;
  throw new PlanError(
    'USAGE',
    `${flags.split(' ')[0] ?? flags} takes a number of at least 0, not ${JSON.stringify(text)}`,
  );
}

export function legacyDescriptions(): readonly CommandDescription[] {
  const member = { path: [], kind: 'text', many: false, negated: false, factor: 1 } as const;
  return COMMANDS.map(({ name, aliases = [], summary, args = [], options = [] }) => ({
    name,
    aliases,
    summary,
    arguments: args.map(({ name: flags, description, choices }) => ({
      ...member,
      flags,
      description,
      choices,
    })),
    options: options.map(({ flags, description, choices }) => ({ ...member, flags, description, choices })),
  }));
}
