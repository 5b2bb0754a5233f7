import { keysOfPointer } from '../../../kernel/json/json-pointer.js';
import { anyActionPlanSchema } from '../model/action-plan.js';
import type { ActionPlan, ActionStep } from '../model/action-plan.js';
import type { Dialect } from '../model/dialect.js';
import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import { isJsonObject, present, withoutMembers } from '../../../kernel/json/json-value.js';
import { applyLeftovers, leftoversAsJson, leftoversOf, piecesOf, SLOT } from './leftovers.js';
import type { Leftovers } from './leftovers.js';

/**
 * A plan with what its document carries for other dialects put back, and taken out of the metadata it was in.
 * @param sidecar what is in `*.ext.json` beside the document, for a dialect that has no place within
 */
export function openSlots(plan: ActionPlan, dialect: Dialect, sidecar: JsonValue | undefined): ActionPlan {
  if (dialect.slot === 'sidecar') {
    const leftovers = leftoversOf(isJsonObject(sidecar) ? sidecar[SLOT] : undefined);
    return leftovers === null ? plan : restored(plan, leftovers);
  }
  if (dialect.slot === 'none') return plan;
  const [bare, leftovers] = taken(plan);
  if (dialect.slot === 'metadata') return leftovers === null ? plan : restored(bare, leftovers);
  const steps = plan.steps.map(taken);
  const carried = steps.flatMap(([step, one]) =>
    one?.plan === undefined ? [] : [[step.id, one.plan] as const],
  );
  if (leftovers === null && carried.length === 0) return plan;
  return restored(
    { ...bare, steps: steps.map(([step]) => step) },
    { version: 1, ...leftovers, ...(carried.length === 0 ? {} : { steps: Object.fromEntries(carried) }) },
  );
}

/** Puts leftovers into the slot that the dialect has for them. */
export function putLeftovers(
  plan: ActionPlan,
  leftovers: Leftovers,
  dialect: Dialect,
): { readonly plan: ActionPlan; readonly sidecar: JsonObject | null } {
  const { steps = {}, ...ofPlan } = leftovers;
  switch (dialect.slot) {
    case 'none':
      return { plan, sidecar: null };
    case 'sidecar':
      return { plan, sidecar: { [SLOT]: leftoversAsJson(leftovers) } };
    case 'metadata':
      return { plan: withSlot(plan, leftoversAsJson(leftovers)), sidecar: null };
    default: {
      const withSteps = plan.steps.map((step) => {
        const entries = Object.hasOwn(steps, step.id) ? steps[step.id] : undefined;
        return entries === undefined ? step : withSlot(step, leftoversAsJson({ version: 1, plan: entries }));
      });
      const rest = { ...plan, steps: withSteps };
      return {
        plan: ofPlan.plan === undefined ? rest : withSlot(rest, leftoversAsJson(ofPlan)),
        sidecar: null,
      };
    }
  }
}

/** What makes no plan of it is passed over, part by part. */
function restored(plan: ActionPlan, carried: Leftovers): ActionPlan {
  const leftovers = believable(plan, carried);
  return (
    withLeftovers(plan, leftovers) ??
    piecesOf(leftovers).reduce((one, piece) => withLeftovers(one, piece) ?? one, plan)
  );
}

/**
 * Ids, tools and arguments are what every dialect says itself. A document that carries others would show its
 * readers one plan and frctl another; so they do not count, but for the tool of a step that is a nested plan.
 */
function believable(plan: ActionPlan, { plan: ofPlan, steps, ...rest }: Leftovers): Leftovers {
  const nested = new Set(plan.steps.filter((step) => step.plan !== undefined).map(({ id }) => id));
  const kept = ofPlan?.filter(({ at }) => {
    const [first, index, field] = keysOfPointer(at);
    return (
      first !== 'steps' ||
      (field !== undefined && counts(field, plan.steps[Number(index)]?.plan !== undefined))
    );
  });
  const bySteps = Object.entries(steps ?? {}).map(
    ([id, entries]) =>
      [id, entries.filter(({ at }) => counts(keysOfPointer(at)[0], nested.has(id)))] as const,
  );
  return { ...rest, ...(kept === undefined ? {} : { plan: kept }), steps: Object.fromEntries(bySteps) };
}

function counts(field: string | undefined, isNested: boolean): boolean {
  return field !== 'id' && (isNested || (field !== 'tool' && field !== 'args'));
}

function withLeftovers(plan: ActionPlan, leftovers: Leftovers): ActionPlan | undefined {
  return anyActionPlanSchema.safeParse(applyLeftovers(plan, leftovers)).data;
}

function taken<T extends ActionPlan | ActionStep>(part: T): readonly [T, Leftovers | null] {
  const { metadata, ...rest } = part;
  const leftovers = leftoversOf(metadata?.[SLOT]);
  if (leftovers === null) return [part, null];
  // Nothing but `metadata`, which every part may have or lack, differs from what came in.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return [present({ ...rest, metadata: withoutMembers(metadata, SLOT) }) as unknown as T, leftovers];
}

function withSlot<T extends { readonly metadata?: JsonObject }>(part: T, slot: JsonObject): T {
  return { ...part, metadata: { ...part.metadata, [SLOT]: slot } };
}
