import type { ActionPlan, ActionStep, Check } from '../model/action-plan.js';
import { everyStep } from '../model/action-plan.js';
import type { Dialect } from '../model/dialect.js';
import { mapSteps } from './map-steps.js';
import { stepNotes, withStepNotes } from './own-extension.js';

/**
 * New ids, by the old ones, for the steps of a plan: the id that a step had before an earlier conversion, where
 * the target takes it, and one that the target takes in place of one it does not.
 */
export function idsFor(plan: ActionPlan, target: Dialect): ReadonlyMap<string, string> {
  const steps = Array.from(everyStep(plan), ({ step }) => step);
  const named = [...new Set(steps.flatMap((step) => [step.id, ...(step.depends_on ?? [])]))];
  const earlier = new Map(steps.map((step) => [step.id, stepNotes(step).id]));
  const wanted = new Map(named.map((id) => [id, wantedId(id, earlier.get(id), target)]));
  const taken = new Set([...wanted].filter(([id, one]) => id === one).map(([id]) => id));
  const renamed = new Map<string, string>();
  for (const [id, wish] of wanted) {
    if (wish === id) continue;
    let free = wish;
    for (let number = 2; taken.has(free); number += 1) free = `${wish}-${number}`;
    taken.add(free);
    renamed.set(id, free);
  }
  return renamed;
}

/** A plan whose steps, dependencies and conditions have the new ids; each step notes the id it had. */
export function renameSteps(plan: ActionPlan, renamed: ReadonlyMap<string, string>): ActionPlan {
  if (renamed.size === 0) return plan;
  const now = (id: string) => renamed.get(id) ?? id;
  const changed = mapSteps(plan, (step) => {
    const next: ActionStep = {
      ...step,
      id: now(step.id),
      ...(step.depends_on === undefined ? {} : { depends_on: step.depends_on.map(now) }),
    };
    return renamed.has(step.id) ? noteId(next, step.id) : next;
  });
  const { preconditions } = changed;
  return preconditions === undefined
    ? changed
    : { ...changed, preconditions: preconditions.map((check) => renameCheck(check, now)) };
}

/** A step that has its noted id again needs no note; any other notes the id it had first. */
function noteId(step: ActionStep, old: string): ActionStep {
  const { id: first, ...notes } = stepNotes(step);
  const original = first ?? old;
  return withStepNotes(step, original === step.id ? notes : { ...notes, id: original });
}

function renameCheck(check: Check, now: (id: string) => string): Check {
  const id = check.args.step_id;
  if (check.type !== 'wa:step_completed' || typeof id !== 'string') return check;
  return { ...check, args: { ...check.args, step_id: now(id) } };
}

function wantedId(id: string, earlier: string | undefined, target: Dialect): string {
  if (earlier !== undefined && target.allowsId(earlier)) return earlier;
  if (target.allowsId(id)) return id;
  const plain = id
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z\d_-]+/g, '_');
  return /^[A-Za-z]/.test(plain) ? plain : `step-${plain}`;
}
