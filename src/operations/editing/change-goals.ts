import type { Hint } from '../../kernel/hint.js';
import { hintStep } from '../../kernel/hint.js';
import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { isSameJson } from '../../kernel/json/same-json.js';
import { changesBy } from '../../plan/changes.js';
import type { GoalChange } from '../../plan/changes.js';
import type { EventPayload } from '../../plan/events.js';
import type { NewGoal } from '../../plan/events/new-goal.js';
import { simulate, simulatedEvent } from '../../plan/simulate.js';
import { goalsOfRefusal, wordRefusal } from '../../plan/refusals.js';
import type { Refusal, RefusalCode } from '../../plan/refusals.js';
import type { Plan } from '../../plan/plan.js';
import { goalSchema, summarySchema } from '../../plan/schema.js';
import type { Goal } from '../../plan/schema.js';
import { goalInWords, inQuotes } from '../../plan/goal-in-words.js';
import { numberOf } from '../../plan/tree.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { actorName } from '../shared/actor.js';
import type { ActorOptions } from '../shared/actor.js';
import { simulateRefusal, writeEvent } from '../shared/write-event.js';
import { summaryNow } from '../shared/summary-now.js';

/** A goal that a change touched. */
const numberedChangeSchema = z
  .object({
    goal: z.string(),
    before: goalSchema.nullable().describe('As it was; null when it is new.'),
    after: goalSchema.nullable().describe('As it became; null when it is gone.'),
    number: z.string().describe('Its place in the tree, or that it had, if it is gone; empty for the root.'),
  })
  .readonly();

/** What a change came to. */
export const changeReportSchema = z
  .object({
    plan: summarySchema.describe('After the change.'),
    changes: z.array(numberedChangeSchema).readonly().describe('Every goal that is another now.'),
    dry_run: z.literal(true).optional().describe('Nothing was written: the changes are what would change.'),
  })
  .readonly();

export type NumberedChange = z.output<typeof numberedChangeSchema>;
export type ChangeReport = z.output<typeof changeReportSchema>;

/** Changes that say what was paid or found out, and are kept though no goal is another after them. */
const KEPT_ANYWAY: ReadonlySet<EventPayload['type']> = new Set(['dependencies_linked', 'goal_replanned']);

/**
 * Makes one change of goals. What can be seen to be refused is not written at all, nor what is so already; where another
 * process was faster, its change stands and this one is refused.
 * @throws PlanError REFUSED with the reason, in which goals are called by number and description
 */
export async function changeGoals(
  context: Context,
  log: PlanLog,
  payload: EventPayload,
  options: ActorOptions & { readonly dryRun?: boolean | undefined },
): Promise<ChangeReport> {
  const by = actorName(context, options);
  const at = timeNow(context.environment);
  const simulated = simulateRefusal(log.plan, payload, { by, at });
  if (simulated !== null) throw refusedChange(log.plan, payload, simulated);
  const isSo =
    !KEPT_ANYWAY.has(payload.type) && changesNothing(simulatedChanges(log.plan, payload, { by, at }));
  if (options.dryRun === true)
    return {
      plan: summaryNow(context, log.plan),
      changes: isSo ? [] : simulatedChanges(log.plan, payload, { by, at }),
      dry_run: true,
    };
  if (isSo) return { plan: summaryNow(context, log.plan), changes: [] };
  const { event, refused, before, after } = await writeEvent(log, payload, by);
  if (refused !== null) throw refusedChange(before, payload, refused);
  const changes = numberedChanges(changesBy(event, before, after), before, after);
  return { plan: summaryNow(context, log.plan), changes };
}

/** Whether nothing but the times of goals differs. */
export function changesNothing(changes: readonly GoalChange[]): boolean {
  return changes.every(
    ({ before, after }) =>
      before !== null && after !== null && isSameJson(before, { ...after, updated_at: before.updated_at }),
  );
}

/**
 * The goals that a change would change, without making it.
 * @throws PlanError REFUSED as {@link changeGoals} does
 */
export function simulatedChanges(
  plan: Plan,
  payload: EventPayload,
  who: { readonly by: string; readonly at: string },
): readonly NumberedChange[] {
  const { plan: after, refused } = simulate(plan, payload, who);
  if (refused !== null) throw refusedChange(plan, payload, refused);
  if (after === null) throw new TypeError('a plan that is changed is there');
  return numberedChanges(changesBy(simulatedEvent(payload, who), plan, after), plan, after);
}

/** The goals that differ between two states, in the order of their numbers. */
export function numberedChanges(
  changes: readonly GoalChange[],
  before: Plan,
  after: Plan,
): readonly NumberedChange[] {
  return changes
    .map((change) => ({
      ...change,
      number: change.after === null ? numberIn(before, change.before) : numberIn(after, change.after),
    }))
    .toSorted((a, b) => a.number.localeCompare(b.number, 'en', { numeric: true }));
}

/** The error for a change that is refused; goals are named by number and words. */
export function refusedChange(plan: Plan, payload: EventPayload, refusal: Refusal): PlanError {
  const cycle = refusal.code === 'cycle' ? { cycle: refusal.goals } : {};
  return new PlanError('REFUSED', wordRefusal(refusal, namesIn(plan, payload)), {
    ...hintFor(plan, refusal),
    details: { plan: plan.header.id, goals: goalsOfRefusal(refusal), ...cycle, refusal },
  });
}

function numberIn(plan: Plan, goal: Goal | null): string {
  return goal === null ? '' : numberOf(plan, goal);
}

/** Names the goals of a plan, and those that a change would add. */
function namesIn(plan: Plan, payload: EventPayload): (id: string) => string {
  const added = new Map(newGoalsOf(payload).map(({ id, description }) => [id, description]));
  return (id) => {
    const goal = plan.goals.get(id);
    if (goal !== undefined) return goalInWords(plan, goal);
    const description = added.get(id);
    return description === undefined ? id : `the new ${inQuotes(description)}`;
  };
}

function newGoalsOf(payload: EventPayload): readonly NewGoal[] {
  switch (payload.type) {
    case 'goal_expanded':
    case 'goal_replanned':
    case 'goals_added':
      return payload.sub_goals;
    default:
      return [];
  }
}

function hintFor(plan: Plan, refusal: Refusal): { readonly hint?: Hint } {
  const hint = refusal.code === 'cycle' ? wayOutOf(plan, refusal.goals) : HINTS[refusal.code];
  return hint === undefined ? {} : { hint };
}

/** What opens a cycle that a change would close: a dependency on it that is there already, by its command. */
function wayOutOf(plan: Plan, cycle: readonly string[]): Hint | undefined {
  for (const [index, id] of cycle.entries()) {
    const [goal, on] = [plan.goals.get(id), plan.goals.get(cycle[index + 1] ?? '')];
    if (goal === undefined || on === undefined || !goal.dependencies.includes(on.id)) continue;
    const [one, other] = [numberOf(plan, goal), numberOf(plan, on)];
    return [
      `${one} waits for ${other} already; `,
      { command: 'depend', goal: one, notOn: other },
      ' ends that.',
    ];
  }
  // Without one it is a goal and a part of it.
  return new Set(cycle).size === 1 ? undefined : ['A goal and its own sub-goals cannot wait for each other.'];
}

const HINTS: Readonly<Partial<Record<RefusalCode, Hint>>> = {
  claimed: [
    {
      commandLine:
        '--by says who you are, where it is yours. Else change it once the claim is over; a person may take it from its holder with `plan release GOAL --force`, an agent does not.',
      tools: 'Change it once the claim is over; only a person takes it from its holder, on the command line.',
    },
  ],
  complete: [
    hintStep('reopen'),
    ' makes finished work open again',
    { commandLine: '; `plan remove --force` takes it away' },
    '.',
  ],
  has_sub_goals: [
    {
      commandLine:
        'Merge its sub-goals first, or `plan rollback GOAL` takes them back; `plan tree` shows them.',
      tools: 'Merge its sub-goals first, or remove them; plan_show shows them.',
    },
  ],
  no_sub_goals: [{ commandLine: '`plan replan GOAL` has a goal divided that has none.' }],
  no_goal: [
    hintStep('tree'),
    ' shows the goals that there are',
    { commandLine: '; `plan log` who took it away' },
    '.',
  ],
};
