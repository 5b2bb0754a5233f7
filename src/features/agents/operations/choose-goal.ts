import { workOrder } from '../../../plan/readiness/work-order.js';
import { rankGoals, readyGoalIndexes } from '../../../plan/readiness/ready-goals.js';
import type { RankedGoal } from '../../../plan/readiness/ready-goals.js';
import { liveClaim } from '../../../plan/readiness/claims.js';
import { claimedTouches, createTouchIndex, touchesOf } from '../../../plan/readiness/touches.js';
import { timeNow } from '../../../operations/shared/environment.js';
import { findGoalInPlan } from '../../../operations/shared/find-plan.js';
import { missingWork } from '../attempt/landed-elsewhere.js';
import { isOwned, readAttempts, saveAttempt, thisProcess } from '../attempt/state.js';
import type { Attempt } from '../attempt/state.js';
import type { Work } from '../attempt/work.js';
import type { Progress } from './work-report.js';

/** Whether a goal, by its id, is one of those that are to be done. */
export type InScope = (goal: string) => boolean;

/** Returns whether a goal is one of those that were named, or below one. */
export function scopeOf({ log }: Work, names: readonly string[] = []): InScope {
  const named = new Set(names.map((name) => findGoalInPlan(log.plan, name).id));
  return (goal) => {
    if (named.size === 0) return true;
    for (
      let id: string | null | undefined = goal;
      id !== null && id !== undefined;
      id = log.plan.goals.get(id)?.parent_id
    )
      if (named.has(id)) return true;
    return false;
  };
}

/**
 * Returns the goals that can be begun now, the best first; what overlaps with a goal that somebody holds is left out.
 * @param running goals whose claim may not be in the log yet
 */
export function readyNow(
  { log, context }: Work,
  scope: InScope,
  { running, others }: { readonly running: readonly string[]; readonly others: readonly string[] },
): readonly RankedGoal[] {
  const { plan } = log;
  const at = timeNow(context.environment);
  const order = workOrder(plan);
  const held = claimedTouches(order.goals, at) ?? createTouchIndex<string>();
  for (const id of running) {
    const goal = plan.goals.get(id);
    if (goal !== undefined) held.add(touchesOf(goal), id);
  }
  const busy = new Set([...running, ...others]);
  const free = readyGoalIndexes(plan, order, at).filter((index) => {
    const goal = order.goals[index]?.goal;
    if (goal === undefined || busy.has(goal.id) || !scope(goal.id) || liveClaim(goal, at) !== null)
      return false;
    return held.overlapping(touchesOf(goal)).size === 0;
  });
  return rankGoals(order, free, free.length);
}

/** Returns of goals that can begin the first so many for which the base has all that they need; tells of those for which it has not. */
export async function withAllNeeded(
  work: Work,
  ready: readonly RankedGoal[],
  { most, missing }: { readonly most: number; readonly missing: Progress['missing'] },
): Promise<readonly RankedGoal[]> {
  const found: RankedGoal[] = [];
  for (const one of ready) {
    if (found.length === most) break;
    const needs = await missingWork(work, one.goal);
    if (needs.length === 0) found.push(one);
    else missing.set(one.goal.id, { goal: one.goal.id, number: one.number, needs });
  }
  return found;
}

/** Returns the attempts whose process is gone, and that go on before anything is begun. */
export async function leftBehind(work: Work, scope: InScope): Promise<readonly Attempt[]> {
  const left: Attempt[] = [];
  for (const attempt of await readAttempts(work.root, work.log.plan.header.id)) {
    const { goal, state, top } = attempt;
    if (state === 'running' && scope(goal) && top === work.top && !(await isOwned(attempt)))
      left.push(attempt);
  }
  return left;
}

/** Takes over the attempts whose process is gone: they go on from where they were. */
export async function takenOver(work: Work, scope: InScope): Promise<readonly Attempt[]> {
  const owner = await thisProcess();
  const left = (await leftBehind(work, scope)).map((attempt) => ({ ...attempt, owner }));
  for (const attempt of left) await saveAttempt(work.root, attempt);
  return left;
}

/** Begins an attempt at the best goal that can be begun; null where none can. @param by who works */
export async function nextAttempt(
  work: Work,
  scope: InScope,
  by: string,
  { running, ends, missing }: Progress,
): Promise<Attempt | null> {
  const { log, context, root } = work;
  const plan = log.plan.header.id;
  const kept = (await readAttempts(root, plan)).map(({ goal }) => goal);
  const given = ends.flatMap(({ attempt, outcome }) => (outcome === 'refused' ? [] : [attempt.goal]));
  const ready = readyNow(work, scope, { running: [...running.keys()], others: [...kept, ...given] });
  missing.clear();
  const [best] = await withAllNeeded(work, ready, { most: 1, missing });
  if (best === undefined) return null;
  const attempt: Attempt = {
    version: 1,
    plan,
    goal: best.goal.id,
    token: context.environment.ids.eventId(),
    by,
    agent: work.agent.name,
    step: 'claim',
    state: 'running',
    reason: null,
    accepted: null,
    owner: await thisProcess(),
    top: work.top,
    branch: work.branch,
    told: null,
    checked: null,
    from: null,
    commit: null,
    merged: null,
    marked: null,
    try: 1,
    runs: 0,
    conflicts: 0,
    first: null,
    fallback: null,
    failed: null,
    leaked: [],
    interrupted: false,
    failures: [],
    files: [],
    summary: null,
    decisions: [],
    cost_usd: null,
    seconds: 0,
    session: null,
  };
  await saveAttempt(root, attempt);
  return attempt;
}
