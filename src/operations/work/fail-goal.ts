import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { hintStep } from '../../kernel/hint.js';
import { namedGoal } from '../../plan/goal-in-words.js';
import type { Plan } from '../../plan/plan.js';
import { summarySchema } from '../../plan/schema.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { field, goalArgument, planOption, text } from '../shared/fields.js';
import { numberedGoal } from '../shared/report-schemas.js';
import { byOption, tokenOption } from './work-fields.js';
import { timeNow } from '../shared/environment.js';
import { goalToChange } from '../shared/find-to-change.js';
import { actorName } from '../shared/actor.js';
import { simulateRefusal, writeEvent } from '../shared/write-event.js';
import { givenToken, isWorkKept, refusedWork } from './refused-work.js';
import { goalAfter } from './goal-after-change.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { Refusal } from '../../plan/refusals.js';
import { simulate } from '../../plan/simulate.js';
import { findGoalInPlan } from '../shared/find-plan.js';
import { takenBack } from '../editing/undo-own-change.js';
import { summaryAt } from '../../plan/readiness/plan-progress.js';

const LONGEST_REASON = 10_000;

const goalChangeSchema = z.object({ plan: summarySchema, goal: numberedGoal });

const failureSchema = goalChangeSchema.extend({
  suggestions: z
    .tuple([z.string(), z.string()])
    .readonly()
    .describe(
      'The commands that go on from it: plan the goal again with its failure told, or have it tried again.',
    ),
});

type GoalChangeReport = Readonly<z.output<typeof goalChangeSchema>>;

/**
 * Says that an atomic goal could not be done, and why. What depends on it goes on waiting. A reason that is refused for its
 * claim stays in the log all the same.
 * @throws PlanError REFUSED with who holds it until when; WRONG_STATE; INVALID_INPUT
 */
export const failGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    reason: field(z.string(), 'why not', { value: 'text' }),
    token: tokenOption(),
    by: byOption(),
    plan: planOption(),
  }),
  output: failureSchema.readonly(),
  examples: ['plan fail 1.2 --reason "The provider has no sandbox"'],
  mutates: true,
  async run(context, input) {
    const reason = givenReason(input.reason);
    const token = givenToken(input.token);
    const by = actorName(context, input);
    const { log, goal } = await goalToChange(context, input.goal, input);
    const { id } = goal;
    const at = timeNow(context.environment);
    const payload = {
      type: 'goal_failed' as const,
      goal: id,
      phase: 'work' as const,
      reason,
      ...(token === undefined ? {} : { token }),
    };
    const simulated = simulateRefusal(log.plan, payload, { by, at });
    if (simulated !== null && !isWorkKept(simulated, token)) throw refusedWork(log.plan, id, at, simulated);
    const { event, refused, before, after } = await writeEvent(log, payload, by);
    if (refused === null)
      return {
        ...reportOf(context, log.plan, after, id),
        suggestions: [`plan replan ${id}`, `plan reopen ${id}`],
      };
    throw refusedWork(before, id, at, refused, {
      hint: ['The reason is kept', { commandLine: ': `plan log --goal` shows it' }, '.'],
      details: { kept_as: event.id },
    });
  },
});

/**
 * Makes a finished or failed goal one that is to be done, or planned, again; goals above it that were
 * complete are open again. Of several all are, or none.
 * @throws PlanError WRONG_STATE when it is neither, or has sub-goals; INVALID_INPUT
 */
export const reopenGoal = defineOperation({
  arguments: ['goal', 'others'],
  input: z.strictObject({
    goal: goalArgument(),
    others: field(z.array(z.string()).readonly().optional(), 'more goals: all are reopened, or none', {
      value: 'others',
    }),
    reason: text('why'),
    by: byOption(),
    plan: planOption(),
  }),
  output: goalChangeSchema
    .extend({
      others: z.array(numberedGoal).readonly().optional().describe('The others that were reopened with it.'),
    })
    .readonly(),
  examples: ['plan reopen 1.2 --reason "It loses the cart on logout"', 'plan reopen 3 4'],
  mutates: true,
  async run(context, input) {
    const reason = input.reason === undefined ? {} : { reason: givenReason(input.reason) };
    const by = actorName(context, input);
    const { log, goal } = await goalToChange(context, input.goal, input);
    const named = (input.others ?? []).map((name) => findGoalInPlan(log.plan, name).id);
    const goals = [...new Set([goal.id, ...named])];
    const payloads = goals.map((id) => ({ type: 'goal_reopened', goal: id, ...reason }) as const);
    const at = timeNow(context.environment);
    let next = log.plan;
    for (const payload of payloads) {
      const { plan, refused } = simulate(next, payload, { by, at });
      if (refused !== null) throw notReopened(log.plan, payload.goal, refused);
      next = plan ?? next;
    }
    const outcomes = await log.append(payloads, by);
    for (const [index, { refused }] of outcomes.entries())
      if (refused !== null) {
        // Another process was faster with this one; the others become as they were, where that is still possible.
        throw await takenBack(
          context,
          log.plan.header.id,
          notReopened(log.plan, goals[index] ?? goal.id, refused),
        );
      }
    await log.publish('when_due');
    const after = outcomes.at(-1)?.after ?? log.plan;
    const others = goals.slice(1).map((id) => goalAfter(log.plan, after, id, at));
    return { ...reportOf(context, log.plan, after, goal.id), ...(others.length === 0 ? {} : { others }) };
  },
});

function notReopened(plan: Plan, goal: string, refused: Refusal): PlanError {
  return new PlanError(
    'WRONG_STATE',
    wordRefusal(refused, (id) => namedGoal(plan, id)),
    {
      hint: [hintStep('show'), ' shows the goal.'],
      details: { plan: plan.header.id, goal, refusal: refused },
    },
  );
}

function givenReason(reason: string): string {
  const given = reason.trim();
  if (given !== '' && given.length <= LONGEST_REASON) return given;
  throw new PlanError(
    'INVALID_INPUT',
    given === '' ? 'a reason is missing' : `a reason has at most ${LONGEST_REASON} characters`,
    {
      hint: [{ commandLine: '--reason says why, in a sentence.', tools: 'Say why, in a sentence.' }],
    },
  );
}

/** @param after the plan just after the change; somebody may have taken the goal away since */
function reportOf(context: Context, plan: Plan, after: Plan, goal: string): GoalChangeReport {
  const at = timeNow(context.environment);
  return { plan: summaryAt(plan, at), goal: goalAfter(plan, after, goal, at) };
}
