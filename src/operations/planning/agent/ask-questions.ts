import * as z from 'zod';

import { defineOperation } from '../../operation.js';
import { choice, field, planArgument, text } from '../../shared/fields.js';
import { planToChange } from '../../shared/find-to-change.js';
import { actorName } from '../../shared/actor.js';
import { otherQuestions } from './other-questions.js';
import { QUESTION_KINDS, questionSchema, saidOnce } from './question-maker.js';
import { nextQuestions } from './questions-of-plan.js';

const MOST_QUESTIONS = 100;

/** How many questions are wanted. */
export const questionCount = (standard: number) =>
  field(z.int().min(0).max(MOST_QUESTIONS).optional(), `questions wanted (default: ${standard})`, {
    value: 'n',
    short: 'n',
    flag: 'next',
  });

/** Which questions, of a kind besides `expand`, and what they are about. @param standard the kind that is meant where none is given */
export const questionFields = (standard: string) => ({
  kind: choice(QUESTION_KINDS, `what is asked (default: ${standard})`, { value: 'kind' }),
  tools: text('of action_plan: the tools that steps may use', 'file'),
});

/** The members of a document that say what is still asked. */
export const nextQuestionsShape = {
  questions: z.array(questionSchema).readonly(),
  left: z.number().describe('Questions that wait for an answer, those above included.'),
  held: z.number().optional().describe('Of these, such as two other agents have; ask again later.'),
};

const outputSchema = z.object(nextQuestionsShape);

/** What is still asked, as `plan ask` and `plan answer` print it. */
export type NextQuestionsShown = z.output<typeof outputSchema>;

/**
 * The next questions of a plan for whoever answers them. Nothing is changed and nothing waits: what was asked and not
 * answered is asked again.
 * @throws PlanError PLAN_NOT_FOUND, WRONG_STATE for an archived plan, UNTRUSTED_PROMPTS, USAGE
 */
export const askQuestions = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    count: questionCount(3),
    by: text('who asks; agents that share a plan name themselves, to get different questions', 'name'),
    goal: text('of digest and action_plan: the goal that is meant', 'goal'),
    ...questionFields('expand, how goals are divided'),
  }),
  output: outputSchema,
  examples: ['plan ask', 'plan ask 0398 -n 5 --by agent-2 --json', 'plan ask --kind digest'],
  mutates: false,
  async run(context, { plan, count = 3, by, goal, kind = 'expand', tools }): Promise<NextQuestionsShown> {
    const log = await planToChange(context, plan);
    if (kind !== 'expand') {
      const questions = await otherQuestions(context, log, kind, { goal, tools });
      return { questions: saidOnce(questions.slice(0, count)), left: questions.length };
    }
    const asker = { by: by === undefined ? '' : actorName(context, { by }), count };
    const { held, ...next } = await nextQuestions(context, log, asker);
    return held === 0 ? next : { ...next, held };
  },
});
