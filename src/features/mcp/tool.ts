import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { parseInput } from '../../operations/parse-input.js';
import type { CoreLibrary } from '../../operations/library.js';
import type { RunContext, StopSignals } from '../../operations/operation.js';

/** What a tool runs with. Nothing of it is kept between calls, but what happened after the answer of one. */
export interface ToolWorld {
  readonly library: CoreLibrary;
  /** For what no command does, as one change. */
  readonly context: RunContext;
  /** Ends the waiting of a call that was cancelled, never work that was begun. */
  readonly signal: AbortSignal;
  /** Takes what goes on after the answer, until the server ends, which waits for it a little. It listens to `ending`. */
  readonly background: (work: Promise<unknown>) => void;
  /** Why planning in the background stopped that this server began, by plan: nobody was there to be told. */
  readonly failures: Map<string, string>;
  /** Stop what goes on after the answer, when the server ends: the first begins nothing more, the next drops its calls. */
  readonly ending: StopSignals;
  /** Tells whoever waits that the server is at it. */
  readonly progress: (done: number, total: number) => Promise<void>;
}

/** What a tool answers: a document, or a text of which nothing else is said. */
export type ToolAnswer =
  | {
      readonly document: Readonly<Record<string, unknown>>;
      /** What was asked for was refused; the document says why. */
      readonly isError?: boolean;
    }
  | { readonly text: string };

/** A tool as the server offers it. */
export interface PlanTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  /** What is published. */
  readonly input: Input;
  /** What is accepted, where the tool itself says what is wrong with parts of it. */
  readonly lenient?: z.ZodObject;
  /** The document; of a tool that answers with text there is none. */
  readonly output?: z.ZodObject;
  readonly annotations: Readonly<Record<string, boolean>>;
  /** @throws PlanError which becomes the tool's error, with the code of the command */
  run(this: void, world: ToolWorld, input: z.output<Input>): Promise<ToolAnswer>;
}

/**
 * What a tool was given. What is wrong with it is told with all that the tool takes.
 * @throws PlanError USAGE, INVALID_INPUT
 */
export function parseToolInput({ name, input, lenient }: PlanTool, given: unknown): Record<string, unknown> {
  try {
    return parseInput((lenient ?? input).strict(), given);
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.hint !== undefined) throw thrown;
    const { code, message, details } = thrown;
    throw new PlanError(code, message, { hint: [takenBy(name, input, details.setting)], details });
  }
}

function takenBy(name: string, { shape }: z.ZodObject, setting: unknown): string {
  const members = Object.entries(shape);
  const isNeeded = ([, member]: (typeof members)[number]) => !z.safeParse(member, undefined).success;
  const namesOf = (each: typeof members) => each.map(([member]) => member).join(', ');
  const needed = namesOf(members.filter(isNeeded));
  const others = namesOf(members.filter((member) => !isNeeded(member)));
  const source = setting === 'token' ? ' goal_take gives the token.' : '';
  return `${name} ${needed === '' ? 'needs nothing' : `needs ${needed}`}${others === '' ? '' : `; it may take ${others}`}.${source}`;
}

/** Makes a tool whose input is known to its function. */
export function defineTool<Input extends z.ZodObject>(tool: PlanTool<Input>): PlanTool {
  return tool;
}
