import * as z from 'zod';

import { planAsJson } from '../model/action-plan.js';
import type { ActionPlan } from '../model/action-plan.js';
import { keysOfPointer, pointerTo } from '../../../kernel/json/json-pointer.js';
import type { JsonPointer } from '../../../kernel/json/json-pointer.js';
import {
  isJsonList,
  isJsonObject,
  isJsonValue,
  isSameJsonValue,
  present,
  unlessEmpty,
} from '../../../kernel/json/json-value.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';

/** The key under which documents of other dialects carry what they have no place for. */
export const SLOT = 'x-frctl';

const value = z.unknown().pipe(z.custom<JsonValue>((one) => isJsonValue(one)));
/** One part of a model that a dialect cannot say: where, what the dialect says there, and what it should be. */
interface Leftover {
  readonly at: JsonPointer;
  /** Left out where the dialect says nothing there. */
  readonly was?: JsonValue;
  /** Left out where the model has nothing there. */
  readonly value?: JsonValue;
}

/**
 * What of a plan a document in some dialect does not say. A part is put back only where the document still
 * says what it said when it was written; so an edit of the document wins over what it carries.
 */
export interface Leftovers {
  readonly version: 1;
  readonly plan?: readonly Leftover[];
  /** By the ids of steps; pointers are below the step. */
  readonly steps?: Readonly<Record<string, readonly Leftover[]>>;
}

const entries: z.ZodType<readonly Leftover[]> = z.array(
  z.strictObject({ at: z.string(), was: value.exactOptional(), value: value.exactOptional() }),
);
const leftoversSchema: z.ZodType<Leftovers> = z.strictObject({
  version: z.literal(1),
  plan: entries.exactOptional(),
  steps: z.record(z.string(), entries).exactOptional(),
});

/** Leftovers as the JSON it is. */
export function leftoversAsJson(leftovers: Leftovers): JsonObject {
  // Every member is JSON by its type; an interface merely lacks the index signature.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return present(leftovers) as unknown as JsonObject;
}

/** The leftovers that a value holds, or null for anything else. */
export function leftoversOf(carried: unknown): Leftovers | null {
  return leftoversSchema.safeParse(carried).data ?? null;
}

/** What `plan` has that `said`, which was read from a document of it, has not; null when they are the same. */
export function findLeftovers(plan: ActionPlan, said: ActionPlan): Leftovers | null {
  const { steps, ...rest } = asObject(planAsJson(plan));
  const { steps: saidSteps, ...saidRest } = asObject(planAsJson(said));
  const ids = plan.steps.map(({ id }) => id);
  // Steps are known by their ids, or by their places where an id comes twice.
  const byId = new Set(ids).size === ids.length && plan.steps.length === said.steps.length;
  const planEntries = byId
    ? entriesBetween(rest, saidRest, '')
    : entriesBetween({ ...rest, steps: steps ?? [] }, { ...saidRest, steps: saidSteps ?? [] }, '');
  const stepEntries = byId
    ? plan.steps.flatMap((step, index) => {
        const other = said.steps[index];
        const entries = other === undefined ? [] : entriesBetween(planAsJson(step), planAsJson(other), '');
        return entries.length === 0 ? [] : [[step.id, entries] as const];
      })
    : [];
  if (planEntries.length + stepEntries.length === 0) return null;
  return present({
    version: 1 as const,
    plan: unlessEmpty(planEntries),
    steps: stepEntries.length === 0 ? undefined : Object.fromEntries(stepEntries),
  });
}

/** The JSON of a plan with leftovers put back; whoever calls must see whether it is a plan still. */
export function applyLeftovers(said: ActionPlan, leftovers: Leftovers): JsonObject {
  let json = asObject(planAsJson(said));
  for (const entry of leftovers.plan ?? []) json = asObject(applyEntry(json, entry));
  const steps = isJsonList(json.steps) ? json.steps : [];
  const restored = steps.map((step) => {
    const id = isJsonObject(step) ? step.id : undefined;
    const entries =
      typeof id === 'string' && Object.hasOwn(leftovers.steps ?? {}, id) ? leftovers.steps?.[id] : [];
    return (entries ?? []).reduce(applyEntry, step);
  });
  return { ...json, steps: restored };
}

/** Leftovers in pieces of one part each. */
export function piecesOf({ plan = [], steps = {} }: Leftovers): readonly Leftovers[] {
  return [
    ...plan.map((entry): Leftovers => ({ version: 1, plan: [entry] })),
    ...Object.entries(steps).flatMap(([id, entries]) =>
      entries.map((entry): Leftovers => ({ version: 1, steps: { [id]: [entry] } })),
    ),
  ];
}

function entriesBetween(wanted: JsonValue, said: JsonValue, at: JsonPointer): readonly Leftover[] {
  if (isSameJsonValue(wanted, said)) return [];
  if (isJsonObject(wanted) && isJsonObject(said) && !isOnError(wanted)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(said)])];
    return keys.flatMap((key) => {
      const [a, b] = [own(wanted, key), own(said, key)];
      const pointer = pointerTo(at, key);
      if (a === undefined) return b === undefined ? [] : [{ at: pointer, was: b }];
      return b === undefined ? [{ at: pointer, value: a }] : entriesBetween(a, b, pointer);
    });
  }
  if (isJsonList(wanted) && isJsonList(said) && wanted.length === said.length)
    return wanted.flatMap((one, index) => entriesBetween(one, said[index] ?? null, pointerTo(at, index)));
  return [{ at, was: said, value: wanted }];
}

/** What is done on an error is one thing: a part of one way makes no sense in another. */
function isOnError(json: JsonObject): boolean {
  return Object.hasOwn(json, 'strategy');
}

function applyEntry(json: JsonValue, entry: Leftover): JsonValue {
  return changed(json, keysOfPointer(entry.at), entry) ?? json;
}

/** The value with one part exchanged, or undefined where there is no such place or it says something else now. */
function changed(
  json: JsonValue | undefined,
  keys: readonly string[],
  entry: Leftover,
): JsonValue | undefined {
  const [key, ...rest] = keys;
  if (key === undefined) return isSameJsonValue(json, entry.was) ? entry.value : undefined;
  if (isJsonList(json)) {
    const inner = changed(json[Number(key)], rest, entry);
    return inner === undefined ? undefined : json.with(Number(key), inner);
  }
  if (!isJsonObject(json)) return undefined;
  const current = own(json, key);
  if (rest.length > 0) {
    const inner = changed(current, rest, entry);
    return inner === undefined ? undefined : withMember(json, key, inner);
  }
  return isSameJsonValue(current, entry.was) ? withMember(json, key, entry.value) : undefined;
}

function withMember(json: JsonObject, key: string, member: JsonValue | undefined): JsonObject {
  const others = Object.entries(json);
  const replaced = others.map(([name, one]) => [name, name === key ? member : one] as const);
  const all = Object.hasOwn(json, key) ? replaced : [...others, [key, member] as const];
  return Object.fromEntries(all.flatMap(([name, one]) => (one === undefined ? [] : [[name, one] as const])));
}

function own(json: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(json, key) ? json[key] : undefined;
}

function asObject(json: JsonValue): JsonObject {
  return isJsonObject(json) ? json : {};
}
