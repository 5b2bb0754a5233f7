import * as z from 'zod';

import { isJsonObject, isJsonValue } from '../../kernel/json/json-value.js';
import type { JsonObject } from '../../kernel/json/json-value.js';
import { IN_OUR_WORDS } from '../../kernel/word-issue.js';
import type { Effects } from '../actions/tools/bindings.js';
import type { KitPlace } from '../actions/parts.js';
import type { Condition, KnownCall, Outcome, Panes, Tool, ToolCall } from '../runs/model/tool.js';
import type { KitCall } from '../runs/runners/kit-carrier.js';
import { RefusedCall } from '../runs/runners/outcomes.js';

/** A ready-made set of tools. */
export interface Kit {
  readonly name: string;
  /** Its options in the tools file: strict. */
  readonly options: z.ZodObject;
  /** Programs without which it is of no use. */
  readonly programs: readonly string[];
  readonly tools: readonly KitTool[];
  readonly conditions?: readonly KitCondition[];
  /** Paths of the plans of workflows, by their names. */
  readonly workflows?: (options: JsonObject) => ReadonlyMap<string, string>;
  readonly panes?: ((options: JsonObject, call: KitCall) => Panes) | undefined;
  /** Ends what was started for a run. */
  readonly close?: (call: KitCall) => Promise<void>;
  /** What else decides what it does, such as the digest of a file that the options name. @throws PlanError INVALID_INPUT */
  readonly settled?: (options: JsonObject, place: KitPlace) => Promise<JsonObject>;
}

/** A tool of a kit. */
export interface KitTool {
  readonly name: string;
  readonly description: string;
  /** The worst that it may be, whatever its arguments. */
  readonly effects: Effects;
  readonly input: z.ZodObject;
  readonly output: z.ZodType;
  /** Raised when it behaves otherwise. */
  readonly rev: number;
  readonly timeoutMs?: number;
  /** @param options those of the kit, as its schema has read them */
  carry(options: JsonObject, call: KitCall): CarriedTool;
}

/** How a tool of a kit is carried out. */
export type CarriedTool = Omit<Tool, 'definition'>;

/** A condition of a kit. */
interface KitCondition {
  readonly type: string;
  readonly rev: number;
  carry(options: JsonObject, call: KitCall): Omit<Condition, 'definition'>;
}

/**
 * Reads the arguments of a call.
 * @throws RefusedCall VALIDATION_ERROR naming the member
 */
export function readArgs<Schema extends z.ZodType>(schema: Schema, args: JsonObject): z.output<Schema> {
  const result = schema.safeParse(args, IN_OUR_WORDS);
  if (result.success) return result.data;
  const { path = [], message = 'not allowed' } = result.error.issues[0] ?? {};
  throw new RefusedCall('VALIDATION_ERROR', `${path.map(String).join('.')} ${message}`.trim());
}

/** Returns why a call would be refused whenever it is made, by what looks at its arguments as far as they are known. */
export function problemBy(
  look: (args: JsonObject) => void,
): (call: Pick<KnownCall, 'args' | 'later'>) => string | null {
  return ({ args, later }) => {
    try {
      look(Object.fromEntries(Object.entries(args).filter(([name]) => !later.has(name))));
      return null;
    } catch (thrown) {
      if (thrown instanceof RefusedCall) return `${thrown.code}: ${thrown.message}`;
      throw thrown;
    }
  };
}

/** Returns the JSON Schema of what a zod schema takes (`input`) or brings. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...members } = z.toJSONSchema(schema, { io });
  const plain: unknown = JSON.parse(JSON.stringify(members));
  return isJsonObject(plain) ? plain : {};
}

/** Returns a value as the JSON that a step brings. */
export function asJson(value: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) && isJsonValue(plain) ? plain : {};
}

/** Returns a tool that only computes. @param work throws RefusedCall for what cannot be */
export function pureTool<Schema extends z.ZodObject>(
  input: Schema,
  work: (args: z.output<Schema>) => object | Promise<object>,
): CarriedTool {
  return {
    async call({ args }: ToolCall): Promise<Outcome> {
      try {
        return { outcome: 'succeeded', output: asJson(await work(readArgs(input, args))) };
      } catch (thrown) {
        if (!(thrown instanceof RefusedCall)) throw thrown;
        const { code, message } = thrown;
        return { outcome: 'failed', error: { code, message, retryable: false } };
      }
    },
  };
}
