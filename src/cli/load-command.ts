import type { Operation } from '../operations/operation.js';
import type { RegisteredOperation } from '../operations/registered-operation.js';
import { commandLineOf, optionsOf } from './command-line.js';
import type { CommandLineMember } from './shared/command-description.js';
import type { CommandEntry } from './commands.js';
import { KNOWN_LINES } from './input/known-lines.js';
import type { KnownLine } from './input/known-lines.js';
import { plainInputOf } from './input/plain-input.js';
import type { CommandSet } from './command-set.js';
import type { Renderer } from './renderer.js';

/** A command with what it takes. */
export interface LoadedCommand extends CommandEntry {
  readonly actions: ReadonlyMap<string, LoadedAction>;
  /** Where it stands for several operations, which of them comes first. */
  readonly arguments: readonly CommandLineMember[];
  /** Of all its operations, each once. */
  readonly options: readonly CommandLineMember[];
}

/** An operation with what its command takes and how its result is shown. */
export interface LoadedAction extends KnownLine {
  readonly operation: Operation;
  readonly streams: RegisteredOperation['streams'];
  readonly renderer: Renderer;
}

/** Imports the operations of a command and their renderers. */
export async function loadCommand(
  entry: CommandEntry,
  { renderers }: Pick<CommandSet, 'renderers'>,
): Promise<LoadedCommand> {
  const actions = await Promise.all(
    Array.from(entry.operations, async ([second, row]) => {
      const name = second === '' ? entry.name : `${entry.name} ${second}`;
      const [operation, renderer] = await Promise.all([row.load(), renderers[name]?.()]);
      if (renderer === undefined) throw new TypeError(`${name} has no renderer`);
      const action: LoadedAction = {
        operation,
        renderer,
        streams: row.streams,
        ...((Object.hasOwn(KNOWN_LINES, name) ? KNOWN_LINES[name] : undefined) ??
          loadedCommandLine(operation, renderer)),
      };
      return [second, action] as const;
    }),
  );
  const byName = new Map(actions);
  return { ...entry, actions: byName, arguments: argumentsOf(byName, entry), options: optionsOfAll(byName) };
}

/** What the command of an operation takes, as its schemas say. */
export function loadedCommandLine(operation: Operation, renderer: Renderer): KnownLine {
  return {
    line: commandLineOf(operation),
    own: renderer.options === undefined ? [] : optionsOf(renderer.options),
    plain: plainInputOf(operation.input),
  };
}

function argumentsOf(
  actions: LoadedCommand['actions'],
  { defaultAction }: CommandEntry,
): readonly CommandLineMember[] {
  const single = actions.get('');
  if (single !== undefined) return single.line.arguments;
  const action: CommandLineMember = {
    flags: defaultAction === null ? '<action>' : '[action]',
    description: `what to do${defaultAction === null ? '' : ` (default: ${defaultAction})`}`,
    path: [],
    kind: 'text',
    choices: [...actions.keys()],
    many: false,
    negated: false,
    factor: 1,
  };
  const longest = [...actions.values()]
    .map(({ line }) => line.arguments)
    .reduce((long, each) => (each.length > long.length ? each : long), []);
  // Whether one is needed depends on what is done.
  const optional = longest.map((member) => ({ ...member, flags: member.flags.replace(/^<(.*)>$/, '[$1]') }));
  const takesList = [...actions.values()].some(({ line }) => line.arguments.at(-1)?.many === true);
  return [action, ...(takesList ? withListLast(optional) : optional)];
}

/** The same arguments, of which the last takes any number. */
function withListLast(members: readonly CommandLineMember[]): readonly CommandLineMember[] {
  return members.map((member, index) =>
    index < members.length - 1 || member.many
      ? member
      : { ...member, many: true, flags: member.flags.replace(/\]$/, '...]') },
  );
}

/**
 * The options of one operation of a command; what is said of one tells whether it must be given.
 * @param second by what it must be, where the command stands for several; else empty
 */
export function optionsOfAction({ line, own }: LoadedAction, second = ''): readonly CommandLineMember[] {
  const by = second === '' ? '' : ` by ${second}`;
  return [...line.options, ...own].map((member) =>
    member.required === true ? { ...member, description: `${member.description} (required${by})` } : member,
  );
}

/** The options of all operations of a command, each once. */
function optionsOfAll(actions: LoadedCommand['actions']): readonly CommandLineMember[] {
  const all = Array.from(actions, ([second, action]) =>
    optionsOfAction(action, actions.size > 1 ? second : ''),
  ).flat();
  // Of those that several have the first is told.
  return all.filter(({ flags }, index) => all.findIndex((other) => other.flags === flags) === index);
}
