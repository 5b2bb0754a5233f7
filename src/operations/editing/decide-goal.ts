import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { decisionsInForce, isSameMatter } from '../../plan/decisions.js';
import type { PayloadOf } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { numbering } from '../../plan/tree.js';
import { defineOperation } from '../operation.js';
import { field, goalArgument, text, toggle } from '../shared/fields.js';
import { findGoalInPlan } from '../shared/find-plan.js';
import { goalToChange } from '../shared/find-to-change.js';
import { changeFields, dryRunOption } from './change-fields.js';
import { changeGoals, changeReportSchema } from './change-goals.js';
import { givenReason, givenText } from './goal-texts.js';
import { findingSchema } from '../reading/plan-findings.js';

const inputSchema = z.strictObject({
  goal: goalArgument(),
  what: field(z.string(), 'what is decided, such as "database"', { value: 'what' }),
  choice: text('what is chosen', 'choice'),
  open: toggle('leave it open, or open it again'),
  decidedBy: text('the goal that makes the choice', 'goal'),
  ...changeFields(),
  dryRun: dryRunOption(),
});

const decidedSchema = z
  .object({
    ...changeReportSchema.unwrap().shape,
    stale: z
      .array(findingSchema)
      .readonly()
      .optional()
      .describe('The goals whose words, checks or decisions hold the choice that was replaced.'),
  })
  .readonly();

/**
 * Makes, confirms, changes or opens a decision, which holds for a goal and everything below it. What was chosen before
 * stays in the log.
 * @throws PlanError USAGE when neither a choice nor `open` is given, or both; GOAL_NOT_FOUND, INVALID_INPUT, REFUSED
 */
export const decideGoal = defineOperation({
  arguments: ['goal', 'what', 'choice'],
  input: inputSchema,
  output: decidedSchema,
  examples: ['plan decide root "web framework" "Django with HTMX"', 'plan decide 2 database --open'],
  mutates: true,
  async run(context, input): Promise<z.output<typeof decidedSchema>> {
    const what = givenText('matter', input.what);
    const choice = chosen(input);
    const { log, goal } = await goalToChange(context, input.goal, input);
    const decider = input.decidedBy === undefined ? undefined : findGoalInPlan(log.plan, input.decidedBy).id;
    const { because: reason } = givenReason(input.because);
    const payload: PayloadOf<'decision_made'> = {
      type: 'decision_made',
      goal: goal.id,
      what: goal.decisions?.find((one) => isSameMatter(one.what, what))?.what ?? what,
      choice,
      ...(decider === undefined ? {} : { decided_by: decider }),
      ...(reason === undefined ? {} : { reason }),
    };
    const before = decisionsInForce(log.plan, goal).find(({ decision }) => isSameMatter(decision.what, what));
    const report = await changeGoals(context, log, payload, input);
    const stale = await staleAfter(log.plan, goal, payload, before?.decision.choice ?? null);
    return stale.length === 0 ? report : { ...report, stale };
  },
});

/** Finds the goals that hold the choice which a decision replaced. */
async function staleAfter(
  plan: Plan,
  holder: Goal,
  now: PayloadOf<'decision_made'>,
  before: string | null,
): Promise<readonly z.output<typeof findingSchema>[]> {
  if (before === null || before === now.choice) return [];
  const { judgeChoice } = await import('../../planning/check/check-plan.js');
  const numberIn = numbering(plan);
  return judgeChoice(plan, { holder, now, before }).flatMap((finding) => {
    const goal = plan.goals.get(finding.goal);
    return goal === undefined ? [] : [{ ...finding, number: numberIn(goal) }];
  });
}

/** Returns the choice, or null where the matter is left open. @throws PlanError USAGE, INVALID_INPUT */
function chosen({ choice, decidedBy, open }: z.output<typeof inputSchema>): string | null {
  const isOpen = open === true || decidedBy !== undefined;
  if (choice !== undefined && isOpen)
    throw new PlanError('USAGE', 'a choice is given for a matter that is to be open', {
      hint: [
        { commandLine: 'Leave --open and --decided-by out, or the choice.', tools: 'Give one of the two.' },
      ],
    });
  if (choice !== undefined) return givenText('choice', choice);
  if (isOpen) return null;
  throw new PlanError('USAGE', 'no choice is given', {
    hint: [{ commandLine: 'Say what is chosen, or give --open.', tools: 'Give choice, or open.' }],
  });
}
