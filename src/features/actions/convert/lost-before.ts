import * as z from 'zod';

import type { ActionPlan } from '../model/action-plan.js';
import type { Dialect } from '../model/dialect.js';
import { isJsonObject, isJsonValue, withoutMembers } from '../../../kernel/json/json-value.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { behaviourLosses, LOSS_KINDS } from './losses.js';
import type { Loss } from './losses.js';
import { withExtension } from './own-extension.js';

/** Where among frctl's own notes of a plan it stands. */
const MEMBER = 'lost';

const traceSchema = z.array(
  z.object({ what: z.enum(LOSS_KINDS), step: z.string().nullable(), where: z.string(), why: z.string() }),
);

/** A plan that says of itself what it lost when it was converted. It travels as everything that a dialect has no place for. */
export function withLosses(plan: ActionPlan, losses: readonly Loss[]): ActionPlan {
  if (losses.length === 0 && traceOf(plan).length === 0) return plan;
  const others = withoutMembers(plan.extensions?.frctl ?? {}, MEMBER) ?? {};
  const trace: unknown = losses.map(({ what, step, where, why }) => ({ what, step, where, why }));
  const notes: JsonObject =
    losses.length === 0 || !isJsonValue(trace) ? others : { ...others, [MEMBER]: trace };
  return withExtension(plan, 'frctl', Object.keys(notes).length === 0 ? undefined : notes);
}

/**
 * What a plan says that it lost, without what its document carries beside it and has therefore not lost here.
 * @param said what the document says by itself
 */
export function lossesOf(plan: ActionPlan, said: ActionPlan, dialect: Dialect): readonly Loss[] {
  const trace = traceOf(plan);
  if (trace.length === 0) return [];
  const carried = new Set(behaviourLosses(plan, said, dialect).map(nameOf));
  return trace.filter((loss) => !carried.has(nameOf(loss)));
}

/** What a plan says that it lost. */
export function traceOf({ extensions }: ActionPlan): readonly Loss[] {
  const notes = extensions?.frctl;
  return traceSchema.safeParse(isJsonObject(notes) ? notes[MEMBER] : undefined).data ?? [];
}

function nameOf({ what, step, where }: Loss): string {
  return JSON.stringify([what, step, where]);
}

/** Words what was lost when a plan was converted, in a line. */
export function wordLoss({ what, step, why }: Loss): string {
  return `${step ?? 'the plan'}: ${what}: ${why}`;
}
