import * as z from 'zod';

import { liveClaim } from '../../plan/readiness/claims.js';
import { usageWithBegun } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal, Warning } from '../../plan/schema.js';
import { openWork } from '../../plan/readiness/open-work.js';
import { rankGoals } from '../../plan/readiness/ready-goals.js';
import { workOrder } from '../../plan/readiness/work-order.js';
import { depthFirst, numbering } from '../../plan/tree.js';
import { defineOperation } from '../operation.js';
import { count, planArgument, toggle } from '../shared/fields.js';
import { openDamage } from '../../storage/open-damage.js';
import { readPlan } from '../shared/find-plan.js';
import { heldGoal } from '../shared/report-schemas.js';
import { findingsTold } from './findings-told.js';
import { openRuns } from './open-runs.js';
import { linkedOfPlan } from './report-links.js';
import { decisionsOfPlan } from './report-decisions.js';
import { numberedGoals, withNumbers } from '../shared/numbered-goals.js';
import { goalFilterFields, goalsLookedFor } from './goal-filter.js';
import type { StatusReport } from './status-schema.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { planProgress, summaryAt } from '../../plan/readiness/plan-progress.js';

const inputSchema = z.strictObject({
  plan: planArgument(),
  verbose: toggle('the whole tree too, with reasoning, dependencies and claims'),
  ...goalFilterFields(),
  next: count('so many of the goals that can start now, and of those that are claimed', { hidden: true }),
});

/** Progress, what is ready and what waits for what. @throws PlanError PLAN_NOT_FOUND */
export const planStatus = defineOperation({
  arguments: ['plan'],
  input: inputSchema,
  output: async () => (await import('./status-schema.js')).statusSchema,
  examples: ['plan status', 'plan status --by ana', 'plan status 0398 --verbose', 'plan status --json'],
  mutates: false,
  async run(context, { plan: name, ...options }) {
    const at = timeNow(context.environment);
    const store = context.store();
    const plan = await readPlan(context, name);
    const damage = openDamage(await store.findDamage(plan.header.id, 'checksums'), plan);
    const runs = await openRuns(context, plan);
    const planning = await planningOf(context, plan);
    const report = statusOf(plan, at, options);
    const findings = await findingsTold(plan);
    const isPlanned = planning !== null && planning.workers !== 0;
    return {
      ...report,
      plan: {
        ...report.plan,
        progress: planProgress(report.plan, at, isPlanned),
        warnings: [...report.plan.warnings, ...(planning === null ? cutOff(plan) : [])],
      },
      ...(planning === null ? {} : { planning }),
      ...(runs.length === 0 ? {} : { runs }),
      ...(findings === undefined ? {} : { findings }),
      ...(damage.length === 0 ? {} : { damage: damage.map(({ line, reason }) => ({ line, reason })) }),
    };
  },
});

/** What is to be known of a plan whose planner was killed when all but the last question was answered. */
function cutOff({ header, counts }: Plan): readonly Warning[] {
  const { run, linked, settings } = header;
  const isAsked = settings?.expander === 'model' && settings.link !== false && counts.atomic > 1;
  if (run === undefined || linked !== undefined || counts.pending > 0 || !isAsked) return [];
  const message =
    'which goals need each other was not found out, as planning was cut off; `plan resume` asks';
  return [{ code: 'not_linked', goal_id: null, message }];
}

/** Who plans it. Most plans are planned by nobody now, and load nothing of that. */
async function planningOf(
  context: Context,
  plan: Plan,
): Promise<NonNullable<StatusReport['planning']> | null> {
  if (plan.header.run === undefined) return null;
  return (await import('./who-plans.js')).findActivePlanner(context, plan);
}

function statusOf(
  plan: Plan,
  at: string,
  { verbose, next, ...filter }: Omit<z.output<typeof inputSchema>, 'plan'>,
): StatusReport {
  const isLookedFor = goalsLookedFor(plan, at, filter) ?? (() => true);
  const { ready: startable, blocked: waiting, held: onHold } = openWork(plan, at);
  const ready = startable.filter((goal) => liveClaim(goal, at) === null && isLookedFor(goal));
  const blocked = waiting.filter(({ goal }) => isLookedFor(goal));
  const resting = onHold.filter(({ goal }) => isLookedFor(goal));
  const held = heldGoals(plan, at).filter(isLookedFor);
  const linked = linkedOfPlan(plan);
  const first = (goals: readonly Goal[]) => withNumbers(plan, goals.slice(0, next), at);
  return {
    plan: summaryAt(plan, at),
    ready: ready.map(({ id }) => id),
    claimed: held.flatMap(({ id, claim }) =>
      claim === undefined ? [] : [{ goal: id, by: claim.by, expires_at: claim.expires_at }],
    ),
    blocked: blocked.map(({ goal, waitingFor }) => ({ goal: goal.id, waiting_for: waitingFor })),
    ...(resting.length === 0 ? {} : { on_hold: resting.map(heldGoal) }),
    ...(linked === undefined ? {} : { linked }),
    ...(verbose === true ? { ...estimateOf(plan), goals: numberedGoals(plan, at).filter(isLookedFor) } : {}),
    ...(verbose === true || next !== undefined ? { decisions: decisionsOfPlan(plan) } : {}),
    ...(next === undefined
      ? {}
      : {
          next: first(bestFirst(plan, ready, next)),
          held: first(held),
          ...(resting.length === 0 ? {} : { resting: first(resting.map(({ goal }) => goal)) }),
          failed: first(failedGoals(plan).filter(isLookedFor)),
          numbers: warnedOf(plan),
        }),
  };
}

/** Returns the first so many of the goals that can start, in the order in which `plan next` offers them. */
function bestFirst(plan: Plan, ready: readonly Goal[], limit: number): readonly Goal[] {
  const work = workOrder(plan);
  const wanted = new Set(ready);
  const indexes = work.goals.flatMap(({ goal }, index) => (wanted.has(goal) ? [index] : []));
  return rankGoals(work, indexes, limit).map(({ goal }) => goal);
}

/** The goals that failed, depth-first. */
function failedGoals(plan: Plan): readonly Goal[] {
  if (plan.counts.failed === 0) return [];
  return Array.from(depthFirst(plan), ({ goal }) => goal).filter(({ status }) => status === 'failed');
}

/** The numbers of the goals that warnings are about. */
function warnedOf(plan: Plan): Readonly<Record<string, string>> {
  const warned = (plan.header.warnings ?? []).flatMap(({ goal_id }) => plan.goals.get(goal_id ?? '') ?? []);
  const numberIn = numbering(plan);
  return Object.fromEntries(warned.map((goal) => [goal.id, numberIn(goal)]));
}

function estimateOf({ header }: Plan): Pick<StatusReport, 'estimate'> {
  const estimate = header.settings?.estimate;
  return estimate === undefined ? {} : { estimate: { ...estimate, spent: usageWithBegun(header) } };
}

/** The goals whose claim holds at a moment, depth-first. */
function heldGoals(plan: Plan, at: string): readonly Goal[] {
  if (plan.counts.claimed === 0) return [];
  return Array.from(depthFirst(plan), ({ goal }) => goal).filter((goal) => liveClaim(goal, at) !== null);
}
