import process from 'node:process';

import { Argument, Command, CommanderError, Option } from 'commander';

import { printable, printableJson, refusedBySystem, VERSION } from '../../operations/front-end.js';
import type { StoreWarning } from '../../operations/front-end.js';
import { exitStatus, PlanError } from '../../kernel/errors.js';
import { COMMANDS } from './program.js';
import { SHARED_OPTIONS } from './shared-options.js';
import type { CommandSpec, Invocation, OptionSpec } from './command.js';
import { renderError } from './render/error.js';
import { processTerminal } from './terminal.js';
import type { Terminal } from './terminal.js';

/**
 * Runs the command line of this process and ends it: data on standard output, the rest on standard error,
 * and the exit status of docs/commands.md.
 * @param program `plan`, or `frctl` whose `plan X` is the same as `plan X`
 */
export async function runCommandLine(program: 'plan' | 'frctl'): Promise<void> {
  endQuietlyOnClosedPipe();
  const argv = process.argv.slice(2);
  // Whatever nobody waited for ends the command as an error of its own would.
  process.on('unhandledRejection', (thrown) => {
    process.exit(report(thrown, argv.includes('--json'), argv, []));
  });
  const status = await run(program, argv);
  await flush();
  process.exit(status);
}

async function run(program: 'plan' | 'frctl', argv: readonly string[]): Promise<number> {
  const json = argv.includes('--json');
  const warnings: StoreWarning[] = [];
  let status = 0;
  try {
    const command = buildProgram(program, argv, warnings, async (spec, invocation) => {
      status = await execute(spec, invocation, warnings);
    });
    await command.parseAsync(argv, { from: 'user' });
    return status;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    if (isHelpShown(thrown) && !json) return exitStatus('USAGE');
    const error = thrown instanceof CommanderError ? usageError(thrown) : thrown;
    return report(error, json, argv, warnings);
  }
}

type Execute = (spec: CommandSpec, invocation: Invocation) => Promise<void>;

function buildProgram(
  program: 'plan' | 'frctl',
  argv: readonly string[],
  warnings: StoreWarning[],
  execute: Execute,
): Command {
  const plan = newCommand('plan').description(
    'Turn one big goal into a tree of atomic goals, kept in plain files.',
  );
  for (const spec of commandsNamedIn(argv)) plan.addCommand(buildCommand(spec, warnings, execute));
  for (const option of SHARED_OPTIONS) plan.addOption(buildOption(option));
  plan.version(VERSION, '-V, --version', 'print the version');
  if (program === 'plan') return plan;
  const root = newCommand('frctl').description('Planning for people and coding agents.');
  root.version(VERSION, '-V, --version', 'print the version');
  return root.addCommand(plan);
}

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

function buildCommand(spec: CommandSpec, warnings: StoreWarning[], execute: Execute): Command {
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
      onWarning: (warning) => tellOnce(warning, warnings, terminal),
    });
    await execute(spec, {
      // An argument of many values comes last, and its values come one by one.
      args: command.processedArgs
        .flat()
        .map((argument: unknown) => (typeof argument === 'string' ? argument : undefined)),
      options,
      workspace,
      terminal,
      commands: COMMANDS,
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

async function execute(
  spec: CommandSpec,
  invocation: Invocation,
  warnings: readonly StoreWarning[],
): Promise<number> {
  const { run } = await spec.load();
  const { data, text, status } = await run(invocation);
  invocation.terminal.out(invocation.json ? `${toJson(withWarnings(data, warnings))}\n` : text);
  return status ?? 0;
}

/** Warns of what failed after a change was stored; of a file that is tried again and again only once. */
function tellOnce(warning: StoreWarning, told: StoreWarning[], terminal: Terminal): void {
  if (told.some(({ code, file }) => code === warning.code && file === warning.file)) return;
  told.push(warning);
  terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(warning.message)}\n`);
}

/** The document of a command with what it was warned of as `warnings`, where there is anything. */
function withWarnings(data: unknown, warnings: readonly StoreWarning[]): unknown {
  if (warnings.length === 0 || typeof data !== 'object' || data === null) return data;
  const own: unknown = 'warnings' in data ? data.warnings : [];
  return { ...data, warnings: [...(Array.isArray(own) ? (own as readonly unknown[]) : []), ...warnings] };
}

/** A value as JSON in which no control character stands raw. */
function toJson(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}

function report(
  thrown: unknown,
  json: boolean,
  argv: readonly string[],
  warnings: readonly StoreWarning[],
): number {
  const terminal = processTerminal(!argv.includes('--no-color'));
  const error = thrown instanceof PlanError ? thrown : (refusedBySystem(thrown) ?? unexpected(thrown));
  const { code, message, hint, details } = error;
  if (json) {
    const { plan, ...rest } = details;
    const document = {
      error: {
        code,
        message,
        ...(hint === undefined ? {} : { hint }),
        details: typeof plan === 'object' ? rest : details,
      },
      ...(typeof plan === 'object' ? { plan } : {}),
    };
    terminal.out(`${toJson(withWarnings(document, warnings))}\n`);
  } else {
    terminal.error(renderError(error, terminal.errorColors));
  }
  if (argv.includes('--debug') && thrown instanceof Error) terminal.error(`${thrown.stack ?? ''}\n`);
  return exitStatus(code);
}

function unexpected(thrown: unknown): PlanError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new PlanError('INTERNAL', `something went wrong inside frctl: ${reason}`, {
    hint: 'Run it again with --debug, and report what it shows.',
    cause: thrown,
  });
}

/** Whether commander has printed the help, because a command's name was left out. */
function isHelpShown(thrown: unknown): boolean {
  return thrown instanceof CommanderError && thrown.code === 'commander.help';
}

function usageError(thrown: CommanderError): PlanError {
  const message = isHelpShown(thrown) ? 'a command is missing' : thrown.message;
  return new PlanError('USAGE', message.replace(/^error: /, '').trim(), {
    hint: 'Add --help to see what a command takes.',
  });
}

// `plan list | head` closes the pipe early; that is no error.
function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : 7);
  });
}

function flush(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => resolve());
  });
}
