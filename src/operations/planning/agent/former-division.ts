import { isSameJson } from '../../../kernel/json/same-json.js';
import { changesBy } from '../../../plan/changes.js';
import type { GoalChange } from '../../../plan/changes.js';
import type { PayloadOf, PlanEvent } from '../../../plan/events.js';
import { simulate } from '../../../plan/simulate.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { subtree } from '../../../plan/tree.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { appliedEvents } from '../../editing/whole-changes.js';
import type { Context } from '../../shared/context.js';

/** Why a goal waits to be planned again, and what it had before. */
export interface FormerDivision {
  /** What went wrong or has changed, a text each. */
  readonly failures: readonly string[];
  readonly because?: string | undefined;
  /** The event that took its sub-goals back, and what that changed; null where it had none. */
  readonly taken: { readonly event: string; readonly changes: readonly GoalChange[] } | null;
}

/** Why a goal that waits was taken back to be planned again; null where it is planned for the first time. */
export async function formerDivision(
  context: Context,
  log: PlanLog,
  goal: string,
): Promise<FormerDivision | null> {
  const store = context.store();
  const { id } = log.plan.header;
  const types = ['expansion_rolled_back', 'goal_reopened'] as const;
  const asked = await Promise.all(types.map((type) => store.eventsOf(id, type, goal)));
  // To read all of a log takes its time.
  if (asked.flat().length === 0) return null;
  let former: FormerDivision | null = null;
  for await (const { event, before, after } of appliedEvents(log)) {
    if (isTakenBack(event, goal)) former = formerOf(event, goal, { before, after });
    else if (former !== null && isPlanned(after.goals.get(goal))) former = null;
  }
  return former;
}

type TakenBack = Extract<PlanEvent, { readonly type: 'expansion_rolled_back' | 'goal_reopened' }>;

function isTakenBack(event: PlanEvent, goal: string): event is TakenBack {
  return (event.type === 'expansion_rolled_back' || event.type === 'goal_reopened') && event.goal === goal;
}

/** Whether a goal is divided, or found atomic, so that what was asked is answered. One that is gone may come back. */
function isPlanned(goal: Goal | undefined): boolean {
  return goal !== undefined && (goal.child_ids.length > 0 || ['atomic', 'complete'].includes(goal.status));
}

function formerOf(
  event: TakenBack,
  goal: string,
  { before, after }: { readonly before: Plan; readonly after: Plan },
): FormerDivision | null {
  if (isPlanned(after.goals.get(goal))) return null;
  const because = event.type === 'goal_reopened' ? event.reason : event.because;
  const was = before.goals.get(goal);
  const below = was === undefined ? [] : subtree(before, was).filter(({ id }) => id !== goal);
  const failed = below.flatMap(({ description, failure }) =>
    failure === undefined ? [] : [`“${description}” failed: ${failure.reason}`],
  );
  return {
    failures: [...(because === undefined ? [] : [because]), ...failed],
    because,
    taken: below.length === 0 ? null : { event: event.id, changes: changesBy(event, before, after) },
  };
}

/** A plan in which a goal has its sub-goals back, and the event that gives them back. */
export interface RestoredDivision {
  readonly plan: Plan;
  readonly payload: PayloadOf<'change_undone'>;
}

/** Gives a goal its former sub-goals back; null where it had none, or where what they hang on has changed since. */
export function restoredDivision(
  plan: Plan,
  { taken }: FormerDivision,
  who: { readonly by: string; readonly at: string },
): RestoredDivision | null {
  if (taken === null) return null;
  const changes = taken.changes.map(({ goal, before, after }) => {
    const now = plan.goals.get(goal) ?? null;
    return { goal, before, after: differsInTime(now, after) ? now : after };
  });
  const payload = { type: 'change_undone' as const, undoes: taken.event, changes };
  const { plan: restored, refused } = simulate(plan, payload, who);
  return refused !== null || restored === null ? null : { plan: restored, payload };
}

/** Whether a goal was changed since in nothing but its time. */
function differsInTime(now: Goal | null, then: Goal | null): boolean {
  return now !== null && then !== null && isSameJson({ ...now, updated_at: then.updated_at }, then);
}
