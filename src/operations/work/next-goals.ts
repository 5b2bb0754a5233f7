import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { liveClaim } from '../../plan/readiness/claims.js';
import type { Plan } from '../../plan/plan.js';
import { goalOf } from '../../plan/plan.js';
import { rankGoals, readyGoalIndexes } from '../../plan/readiness/ready-goals.js';
import type { RankedGoal } from '../../plan/readiness/ready-goals.js';
import { claimedTouches, touchesOf } from '../../plan/readiness/touches.js';
import { workOrder } from '../../plan/readiness/work-order.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { defineOperation } from '../operation.js';
import { field, planArgument, toggle } from '../shared/fields.js';
import { numberedGoal } from '../shared/report-schemas.js';
import { ownClaimSchema } from './claim-schemas.js';
import type { HeldClaim } from './claim-schemas.js';
import { byOption, leaseOption } from './work-fields.js';
import type { Context } from '../shared/context.js';
import { readPlan } from '../shared/find-plan.js';
import { isArchived, nothingReadySchema, reasonForNone } from './nothing-ready.js';
import { withNumber } from '../shared/numbered-goals.js';
import { timeNow } from '../shared/environment.js';
import { planToChange } from '../shared/find-to-change.js';
import { actorName } from '../shared/actor.js';

const DEFAULT_LIMIT = 10;
/** Goals that one command tries to claim before it gives up; each time another was faster. */
const MOST_ATTEMPTS = 1000;

const readyGoalSchema = numberedGoal.extend({
  chain: z
    .number()
    .describe('The most unfinished leaves that must follow each other from this one on, itself included.'),
  unblocks: z.number().describe('Unfinished leaves that cannot start before it is done.'),
  kept_apart_by: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Claimed goals that are likely to change the same files; it is offered after all others.'),
});

const nextReportSchema = z
  .object({
    goals: z
      .array(readyGoalSchema)
      .readonly()
      .describe('The best to begin with first; with `claim` the one that was taken.'),
    total: z.number().describe('How many can start, this one included.'),
    claimed: ownClaimSchema.nullable(),
    reason: nothingReadySchema.nullable().describe('Why none can start; null when one can.'),
  })
  .readonly();

/** A goal that can start. */
export type ReadyGoal = z.output<typeof readyGoalSchema>;
export type NextReport = z.output<typeof nextReportSchema>;

const inputSchema = z.strictObject({
  plan: planArgument(),
  limit: field(z.int().positive().optional(), `most goals (default: ${DEFAULT_LIMIT})`, { value: 'n' }),
  claim: toggle('claim the first of them'),
  by: byOption(),
  for: leaseOption(),
});

type NextInput = z.output<typeof inputSchema>;

/**
 * The goals that can start now and that nobody holds, the most urgent first, of those the ones that hold up the longest
 * chain, then those that most others wait for. With `claim` the first is taken; where another process is faster, the next.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE, INVALID_INPUT
 */
export const nextGoals = defineOperation({
  arguments: ['plan'],
  input: inputSchema,
  output: nextReportSchema,
  examples: ['plan next', 'plan next --limit 1 --json', 'plan next --claim --by agent-7 --for 1h --json'],
  mutates: true,
  async run(context, input) {
    const { plan, claim, limit = DEFAULT_LIMIT } = input;
    if (claim !== true && (input.for !== undefined || input.by !== undefined))
      throw new PlanError('USAGE', '--by and --for say how to claim', {
        hint: { commandLine: 'Add --claim.' },
      });
    if (claim === true) return claimNext(context, await planToChange(context, plan), input);
    const read = await readPlan(context, plan);
    const at = timeNow(context.environment);
    return report(read, readyGoals(read, at, limit), null, at);
  },
  exitStatus: ({ reason }) => (reason === null ? 0 : 1),
});

/** Tries the first, and whenever another was faster one of twice as many, so that many contenders soon part. */
async function claimNext(context: Context, log: PlanLog, options: NextInput): Promise<NextReport> {
  actorName(context, options);
  const { claimIfFree, newClaim } = await import('./claim-goal.js');
  let choice = 1;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    // One moment for both: a claim that ends between them would be neither free nor held.
    const at = timeNow(context.environment);
    const ready = readyGoals(log.plan, at, choice);
    const free = ready.ranked.filter(({ keptApartBy }) => keptApartBy.length === 0);
    const choices = free.length === 0 ? ready.ranked : free;
    const taken = choices[Math.floor(context.environment.random() * choices.length)];
    if (taken === undefined) return report(log.plan, ready, null, at);
    const claim = newClaim(context, taken.goal.id, options);
    const { refused, after } = await claimIfFree(context, log, claim);
    if (refused === null)
      return report(after, { ranked: [taken], total: ready.total }, claim, timeNow(context.environment));
    choice *= 2;
  }
  throw new PlanError('REFUSED', `others were faster ${MOST_ATTEMPTS} times`, { hint: ['Try again.'] });
}

interface OfferedGoal extends RankedGoal {
  /** Claimed goals that it overlaps with. */
  readonly keptApartBy: readonly string[];
}

interface Ready {
  readonly ranked: readonly OfferedGoal[];
  readonly total: number;
}

function readyGoals(plan: Plan, at: string, limit: number): Ready {
  if (isArchived(plan)) return { ranked: [], total: 0 };
  const work = workOrder(plan);
  const free = readyGoalIndexes(plan, work, at).filter((goalIndex) => {
    const goal = work.goals[goalIndex]?.goal;
    return goal !== undefined && liveClaim(goal, at) === null;
  });
  const claimed = claimedTouches(work.goals, at);
  const overlaps = new Map<string, readonly string[]>();
  const isApart = (goalIndex: number) => {
    const goal = work.goals[goalIndex]?.goal;
    const by = goal === undefined ? [] : [...(claimed?.overlapping(touchesOf(goal)) ?? [])];
    if (goal !== undefined && by.length > 0) overlaps.set(goal.id, by);
    return by.length > 0;
  };
  const apart = claimed === null ? new Set<number>() : new Set(free.filter(isApart));
  const first = rankGoals(
    work,
    free.filter((goalIndex) => !apart.has(goalIndex)),
    limit,
  );
  const last = rankGoals(work, [...apart], limit).slice(0, limit - first.length);
  const ranked = [...first, ...last].map((one) => ({ ...one, keptApartBy: overlaps.get(one.goal.id) ?? [] }));
  return { ranked, total: free.length };
}

function report(plan: Plan, { ranked, total }: Ready, claimed: HeldClaim | null, at: string): NextReport {
  return {
    goals: ranked.map(({ goal, chain, unblocks, keptApartBy }) => ({
      ...withNumber(plan, goalOf(plan, goal.id), at),
      chain,
      unblocks,
      ...(keptApartBy.length === 0 ? {} : { kept_apart_by: keptApartBy }),
    })),
    total,
    claimed,
    reason: ranked.length === 0 ? reasonForNone(plan, at) : null,
  };
}
