import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { NO_USAGE } from '../../plan/plan.js';
import { defineOperation } from '../operation.js';
import { planningFields, planningFlags } from '../planning/planning-fields.js';
import type { Context } from '../shared/context.js';
import { goalArgument, texts } from '../shared/fields.js';
import type { FoundGoal } from '../shared/find-plan.js';
import { goalToChange } from '../shared/find-to-change.js';
import { newGoalIds } from '../shared/new-goal-ids.js';
import type { ActorOptions } from '../shared/actor.js';
import { changeFields } from './change-fields.js';
import { changeGoals } from './change-goals.js';
import { goalInWords } from '../../plan/goal-in-words.js';
import { givenReason, givenTexts } from './goal-texts.js';
import { replanGoal } from './replanning/replan-goal.js';
import { replannedDocument, replannedSchema } from './replanning/replanned-schema.js';
import type { Replanned } from './replanning/replanned-schema.js';

/**
 * Divides a goal that has no sub-goals: into those given, which are atomic, or as the plan's expander says.
 * @throws PlanError WRONG_STATE when it has sub-goals; REFUSED when it is found atomic; else as {@link replanGoal}
 */
export const splitGoal = defineOperation({
  arguments: ['goal'],
  input: z.strictObject({
    goal: goalArgument(),
    into: texts('the sub-goals (default: as the model or the rules divide it)'),
    ...changeFields(),
    ...planningFields(),
  }),
  output: replannedSchema,
  examples: ['plan split 1.2', 'plan split 1.2 --into "Write the schema" "Move the data"'],
  mutates: true,
  async run(context, input): Promise<Replanned> {
    const flags = planningFlags(input);
    const found = await goalToChange(context, input.goal, input);
    const { log, goal } = found;
    if (goal.child_ids.length > 0) {
      throw new PlanError('WRONG_STATE', `${goalInWords(log.plan, goal)} has sub-goals already`, {
        hint: { commandLine: '`plan replan` divides it again, `plan add --under` adds one.' },
        details: { plan: log.plan.header.id, goal: goal.id },
      });
    }
    const into = givenTexts('description', input.into);
    if (into !== undefined) return divideInto(context, found, into, input);
    const { because, by, plan } = input;
    const { signal, dropSignal, emit } = context;
    const options = { ...flags, because, by, plan, signal, dropSignal, mustDivide: true };
    return replanGoal(context, goal.id, options, emit);
  },
  document: replannedDocument,
});

/** Divides a goal into sub-goals that are said. */
async function divideInto(
  context: Context,
  { log, goal }: FoundGoal,
  into: readonly string[],
  options: ActorOptions & { readonly because?: string | undefined },
): Promise<Replanned> {
  const newGoalId = newGoalIds(context.environment, log.plan.header.id, (id) => log.plan.goals.has(id));
  const payload = {
    type: 'goal_replanned' as const,
    goal: goal.id,
    reasoning: null,
    remove: [],
    sub_goals: into.map((description) => ({
      id: newGoalId(),
      description,
      atomic: true,
      reasoning: null,
      dependencies: [],
    })),
    ...givenReason(options.because),
  };
  const report = await changeGoals(context, log, payload, options);
  return { ...report, warnings: [], goal: goal.id, applied: true, usage: NO_USAGE, stopped: null };
}
