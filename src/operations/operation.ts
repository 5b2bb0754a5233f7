import type * as z from 'zod';

import type { ReviewLevel } from '../planning/review/level.js';
import type { Context } from './shared/context.js';
import type { Emit } from './planning/planning-progress.js';

/** How a caller stops what is under way. */
export interface StopSignals {
  /** Pauses: no further request to a model is begun, those in flight are answered and stored. */
  readonly signal?: AbortSignal | undefined;
  /** Drops the requests in flight. */
  readonly dropSignal?: AbortSignal | undefined;
}

/**
 * What an operation runs with: the world as the workspace has it, and how this one call is stopped and watched.
 * @template Told the operation's own events, where it tells such
 */
export interface RunContext<Told = never> extends Context, StopSignals {
  /** Told what happens meanwhile. */
  readonly emit: Emit;
  /** Told the operation's own events. */
  readonly tell?: ((event: Told) => void) | undefined;
  /** Somebody who is asked about each proposed level before it is stored. */
  readonly review?: ReviewLevel | undefined;
}

/**
 * A use case that describes itself. The command line, the library, help, completion, the schemas under
 * `schemas/operations/` and the tables of the docs derive from it. Its name, its group and its summary are in the
 * registry, because those are needed without it.
 */
export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Arguments extends readonly string[] = readonly string[],
  Result = z.output<Output>,
  Told = never,
> {
  /** What it takes; strict, so that a name that it does not know is refused. */
  readonly input: Input;
  /** Members of the input that stand without an option on the command line, in order; the last may be many. */
  readonly arguments: Arguments;
  /** The document that `--json` prints; loaded apart by the operations that must start fastest. */
  readonly output: Output | (() => Promise<Output>);
  /** Command lines to begin with. */
  readonly examples: readonly string[];
  /** Whether it may write: a store, a config, a file that its input names. */
  readonly mutates: boolean;
  /**
   * Ctrl-C stops it in an orderly way instead of ending the process; for operations that wait for a model. With `in steps`
   * the first Ctrl-C lets the calls in flight end, and only the next drops them.
   */
  readonly interruptible?: boolean | 'in steps';
  /** @throws PlanError as its own docstring says */
  run(this: void, context: RunContext<Told>, input: z.output<Input>): Promise<Result>;
  /** The document of a result; where there is none, the result is the document. */
  document?(this: void, result: Result): unknown;
  /** The exit status of a result that is no error; 0 where there is none. */
  exitStatus?(this: void, result: Result): number;
}

/** The events that an operation tells of its own. */
export type EventOf<Of extends Pick<Operation, 'run'>> =
  Parameters<Of['run']>[0] extends RunContext<infer Told> ? Told : never;

type Definition<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Arguments extends readonly (keyof z.output<Input> & string)[],
  Result,
  Told,
> = Omit<Operation<Input, Output, Arguments, Result, Told>, 'arguments'> & {
  readonly arguments?: Arguments;
};

/** Makes an operation; without arguments where they are left out. */
export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Result = z.output<Output>,
  const Arguments extends readonly (keyof z.output<Input> & string)[] = readonly [],
  Told = never,
>(
  definition: Definition<Input, Output, Arguments, Result, Told>,
): Operation<Input, Output, Arguments, Result, Told> {
  // None is what the type says then.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { arguments: named = [] as unknown as Arguments } = definition;
  return { ...definition, arguments: named };
}
