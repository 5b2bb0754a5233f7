import { CommanderError } from 'commander';
import type { Command } from 'commander';

import { exitStatus, PlanError } from '../kernel/errors.js';
import { legibleJson } from '../kernel/text/legible.js';
import type { StoreWarning } from '../operations/shared/context.js';
import type { Environment } from '../operations/shared/environment.js';
import { refusedBySystem } from '../operations/shared/system-error.js';
import { buildProgram } from './build-program.js';
import type { CommandSet } from './command-set.js';
import { commandEntries } from './commands.js';
import type { Delivery } from './delivery.js';
import type { LoadedCommand } from './load-command.js';
import { tellError } from './render/parts/error.js';
import { terminalOf } from './terminal.js';
import type { Terminal, TerminalStreams } from './terminal.js';
import { isHelpShown, nearestCommand, usageError } from './usage-error.js';
import type { UnknownCommand } from './usage-error.js';

/** What a command line runs in. */
export interface CommandHost {
  readonly streams: TerminalStreams;
  /** Asked once, by a command that reads or changes anything. */
  readonly environment: () => Environment | Promise<Environment>;
  readonly delivery: Delivery;
}

/**
 * Runs a command line, and gives the exit status of docs/commands.md. Help, the version, `plan mcp` and `plan serve` speak to the
 * process itself.
 */
export async function runCommand(
  commands: CommandSet,
  program: 'plan' | 'frctl',
  argv: readonly string[],
  host: CommandHost,
): Promise<number> {
  const json = argv.includes('--json');
  const warnings: StoreWarning[] = [];
  let status = 0;
  try {
    const command = await buildProgram(
      commands,
      program,
      argv,
      async (loaded, named) => {
        status = await perform(commands, loaded, named, warnings, host);
      },
      (document, text) => {
        terminalOf(host.streams, !argv.includes('--no-color')).out(json ? `${toJson(document)}\n` : text);
      },
    );
    await command.parseAsync(argv, { from: 'user' });
    return status;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return 0;
    if (isHelpShown(thrown) && !json) return exitStatus('USAGE');
    const error =
      thrown instanceof CommanderError
        ? usageError(thrown, undefined, unknownCommand(commands, program, argv))
        : thrown;
    return reportCommandError(error, argv, warnings, host);
  }
}

/** What was most likely meant by a word that is no command, and where the commands are listed. */
function unknownCommand(
  { operations, others }: CommandSet,
  program: 'plan' | 'frctl',
  argv: readonly string[],
): UnknownCommand {
  const words = argv.filter((word) => !word.startsWith('-') && word !== 'help');
  const [first = '', second = ''] = words;
  const name = program === 'plan' ? 'plan' : 'frctl plan';
  const names = [
    ...commandEntries(operations).flatMap((entry) => [entry.name, ...entry.aliases]),
    ...others.map(({ command }) => command.name),
    'help',
  ];
  const word = program === 'frctl' && first === 'plan' ? second : first;
  const isCommand = names.includes(word) || (word === '' && argv.includes('help'));
  // What `frctl` is asked for that `plan` does; a command whose action is unknown is none that is near.
  if (isCommand && program === 'plan') return { program: name, meant: undefined };
  const meant = isCommand ? word || 'help' : nearestCommand(word, names);
  return { program: name, meant: meant === undefined ? undefined : `${name} ${meant}` };
}

/** Runs a command, prints what it came to, and gives its exit status. */
async function perform(
  commands: CommandSet,
  loaded: LoadedCommand,
  command: Command,
  warnings: StoreWarning[],
  { streams, environment, delivery }: CommandHost,
): Promise<number> {
  const options = withSharedOptions(command);
  const json = options.json === true;
  const terminal = terminalOf(streams, options.color !== false, delivery.keep);
  const { createContext } = await import('../operations/shared/context.js');
  const { runOperation } = await import('./run-operation.js');
  const context = createContext({
    features: commands.features,
    environment: await environment(),
    folder: typeof options.dir === 'string' ? options.dir : undefined,
    warn: (warning) => warnOnce(warning, warnings, terminal),
  });
  const { document, text, status } = await runOperation(loaded, command, {
    context,
    terminal,
    json,
    onChosen: ({ mutates }) => {
      if (mutates) delivery.mustArrive();
    },
  });
  terminal.out(json ? `${toJson(withWarnings(document, warnings))}\n` : text);
  return status;
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

/** Warns of what failed after a change was stored; of a file that is tried again and again only once. */
function warnOnce(warning: StoreWarning, told: StoreWarning[], terminal: Terminal): void {
  if (told.some(({ code, file }) => code === warning.code && file === warning.file)) return;
  told.push(warning);
  terminal.tell(warning.message, { label: 'warning' });
}

/** The document of a command with what it was warned of as `warnings`, where there is anything. */
function withWarnings(data: unknown, warnings: readonly StoreWarning[]): unknown {
  if (warnings.length === 0 || typeof data !== 'object' || data === null) return data;
  const own: unknown = 'warnings' in data ? data.warnings : [];
  return { ...data, warnings: [...(Array.isArray(own) ? (own as readonly unknown[]) : []), ...warnings] };
}

/** A value as JSON in which nothing stands raw that is not plainly printable. */
function toJson(value: unknown): string {
  return legibleJson(JSON.stringify(value, null, 2));
}

/** Reports the error that a command ended with, and gives its exit status. */
export function reportCommandError(
  thrown: unknown,
  argv: readonly string[],
  warnings: readonly StoreWarning[],
  { streams, delivery }: CommandHost,
): number {
  const terminal = terminalOf(streams, !argv.includes('--no-color'), delivery.keep);
  const error = thrown instanceof PlanError ? thrown : (refusedBySystem(thrown) ?? unexpected(thrown));
  const { code, message, hint, details } = error;
  if (argv.includes('--json')) {
    delivery.mustArrive();
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
    tellError(error, terminal);
  }
  if (argv.includes('--debug') && thrown instanceof Error) terminal.error(`${thrown.stack ?? ''}\n`);
  return exitStatus(code);
}

function unexpected(thrown: unknown): PlanError {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new PlanError('INTERNAL', `something went wrong inside frctl: ${reason}`, {
    hint: { commandLine: 'Run it again with --debug, and report what it shows.' },
    cause: thrown,
  });
}
