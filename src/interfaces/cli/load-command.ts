import type { Operation } from '../../operations/operation.js';
import { commandLineOf, optionsOf } from './command-line.js';
import type { CommandLine, CommandLineMember } from './command-line.js';
import type { CommandEntry } from './commands.js';
import type { Renderer } from './renderer.js';
import { RENDERER_OF } from './renderers.js';

/** A command with what it takes. */
export interface LoadedCommand extends CommandEntry {
  readonly actions: ReadonlyMap<string, LoadedAction>;
}

/** An operation with what its command takes and how its result is shown. */
export interface LoadedAction {
  readonly operation: Operation;
  readonly streams: boolean;
  readonly renderer: Renderer;
  readonly line: CommandLine;
  /** Options of the renderer's own. */
  readonly own: readonly CommandLineMember[];
}

/** Imports the operations of a command and their renderers. */
export async function loadCommand(entry: CommandEntry): Promise<LoadedCommand> {
  const actions = await Promise.all(
    Array.from(entry.operations, async ([second, row]) => {
      const name = second === '' ? entry.name : `${entry.name} ${second}`;
      const [operation, renderer] = await Promise.all([row.load(), RENDERER_OF.get(name)?.()]);
      if (renderer === undefined) throw new TypeError(`${name} has no renderer`);
      const action: LoadedAction = {
        operation,
        renderer,
        streams: row.streams === true,
        line: commandLineOf(operation),
        own: renderer.options === undefined ? [] : optionsOf(renderer.options),
      };
      return [second, action] as const;
    }),
  );
  return { ...entry, actions: new Map(actions) };
}

/** What a command takes in all, for help, completion and docs. */
export interface CommandDescription {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly arguments: readonly CommandLineMember[];
  readonly options: readonly CommandLineMember[];
  /** Second words of its operations; empty where it is one operation. */
  readonly actions: readonly string[];
}

/** Describes a command with the arguments and options of all its operations, each option once. */
export function describeLoaded({ name, aliases, summary, actions }: LoadedCommand): CommandDescription {
  const all = [...actions.values()];
  const options = new Map(
    all.flatMap(({ line, own }) => [...line.options, ...own]).map((member) => [member.flags, member]),
  );
  return {
    name,
    aliases,
    summary,
    arguments: all.flatMap(({ line }) => line.arguments),
    options: [...options.values()],
    actions: [...actions.keys()].filter((word) => word !== ''),
  };
}
