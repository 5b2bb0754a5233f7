import type { SlotFile } from './method-schema.js';
import type { Method } from './methods.js';
import { phraseOf } from '../../planning/documents/english/phrase.js';
import { readSlotValue } from './requests/read-slot-value.js';
import type { SlotValues } from './slot-value.js';
import { STEP_BEFORE, type Amendment, type Json, type MethodStep, type StepCheck } from './step-schema.js';

/** A step of an action plan as the rules write it. */
export interface RuleStep {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, Json>>;
  readonly title?: string;
  readonly detail?: string;
  readonly depends_on?: readonly string[];
  readonly wait?: MethodStep['wait'];
  readonly timeout_ms?: number;
  readonly verifications?: readonly StepCheck[];
  readonly requires_approval?: boolean;
  readonly idempotent?: boolean;
}

/**
 * The steps of a method with its slots filled; those whose slot is not filled are left out, and what waits for one of
 * them waits for what it would have waited for.
 * @param numbered how many steps a request has before, where its steps are numbered; else they keep their own ids
 */
export function fillSteps(
  { steps = [], slots: files }: Method,
  given: SlotValues,
  numbered?: number,
): readonly RuleStep[] {
  const slots = withDefaults(files, given);
  const present = steps.filter((step) => step.if === undefined || given.has(step.if));
  const ids = new Map(
    present.map(({ id }, index) => [id, numbered === undefined ? id : `step-${numbered + index + 1}`]),
  );
  const awaited = (after: readonly string[]): readonly string[] =>
    after.flatMap((id) => ids.get(id) ?? awaited(steps.find((step) => step.id === id)?.after ?? []));
  const named = [...ids.values()];
  return present.map(({ id, tool, args, title, after, if: _if, verifications, ...rest }, index) => ({
    id: ids.get(id) ?? id,
    tool,
    args: fillMembers(args, withBefore(slots, named[index - 1])),
    ...(title === undefined ? {} : { title: fillText(title, slots) }),
    ...(after.length === 0 ? {} : { depends_on: [...new Set(awaited(after))] }),
    ...(verifications === undefined ? {} : { verifications: fillChecks(verifications, slots) }),
    ...definedMembers(rest),
  }));
}

/** A step as the clause after it changes it. */
export function amendStep(step: RuleStep, amends: Amendment, method: Method, given: SlotValues): RuleStep {
  const title = { value: step.title ?? step.id, shown: step.title ?? step.id };
  const slots = new Map([...withDefaults(method.slots, given), ['title', title] as const]);
  const before = amends.drop_verifications ? [] : (step.verifications ?? []);
  const verifications = [...before, ...fillChecks(amends.verifications ?? [], slots)];
  const { verifications: _old, ...rest } = step;
  return {
    ...rest,
    ...(amends.title === undefined ? {} : { title: fillText(amends.title, slots) }),
    args: { ...step.args, ...fillMembers(amends.args ?? {}, slots) },
    ...(amends.wait === undefined ? {} : { wait: amends.wait }),
    ...(verifications.length === 0 ? {} : { verifications }),
  };
}

/** A slot for the step before in the same method, as the plan calls it. */
function withBefore(slots: SlotValues, before: string | undefined): SlotValues {
  if (before === undefined || slots.has(STEP_BEFORE)) return slots;
  return new Map([...slots, [STEP_BEFORE, { value: before, shown: before }]]);
}

function withDefaults(files: Method['slots'], given: SlotValues): SlotValues {
  const defaults = Object.entries(files).flatMap(([slot, file]) =>
    file.default === undefined ? [] : [[slot, defaultOf(file, file.default)] as const],
  );
  return new Map([...defaults, ...given]);
}

function defaultOf(file: SlotFile, text: string): { readonly value: Json; readonly shown: string } {
  const read = readSlotValue(phraseOf(text), file);
  return 'problem' in read ? { value: text, shown: text } : read;
}

function fillChecks(checks: readonly StepCheck[], slots: SlotValues): readonly StepCheck[] {
  return checks.map(({ type, args, description }) => ({
    type,
    args: fillMembers(args, slots),
    ...(description === undefined ? {} : { description: fillText(description, slots) }),
  }));
}

function fillMembers(members: Readonly<Record<string, Json>>, slots: SlotValues): Record<string, Json> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, fill(value, slots)]));
}

function fill(value: Json, slots: SlotValues): Json {
  if (typeof value === 'string') {
    const [, slot] = /^\{([a-z][a-z_]*)\}$/.exec(value) ?? [];
    const whole = slot === undefined ? undefined : slots.get(slot);
    return whole === undefined ? fillText(value, slots, 'value') : whole.value;
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, slots));
  return typeof value === 'object' && value !== null ? fillMembers(value, slots) : value;
}

/** Text with its slots; as people see them, or as their values where those are text or numbers. */
function fillText(text: string, slots: SlotValues, as: 'shown' | 'value' = 'shown'): string {
  return text.replaceAll(/\{([a-z][a-z_]*)\}/g, (whole, name: string) => {
    const slot = slots.get(name);
    if (slot === undefined) return whole;
    const plain = typeof slot.value === 'string' || typeof slot.value === 'number';
    return as === 'value' && plain ? String(slot.value) : slot.shown;
  });
}

function definedMembers<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> };
function definedMembers(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
