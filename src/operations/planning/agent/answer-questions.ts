import * as z from 'zod';

import { messageOf, PlanError } from '../../../kernel/errors.js';
import type { Hint } from '../../../kernel/hint.js';
import { warningSchema } from '../../../plan/schema.js';
import { isNestedTooDeep } from '../../../kernel/json/nesting.js';
import { defineOperation } from '../../operation.js';
import type { RunContext } from '../../operation.js';
import { field, planArgument, text } from '../../shared/fields.js';
import { planToChange } from '../../shared/find-to-change.js';
import { actorName } from '../../shared/actor.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import { nextQuestionsShape, questionCount, questionFields } from './ask-questions.js';
import type { NextQuestionsShown } from './ask-questions.js';
import {
  refusedAnswerSchema,
  storedActionPlanSchema,
  storedDigestSchema,
  storedLinksSchema,
} from './judged-answer.js';
import type { RefusedAnswer } from './judged-answer.js';
import { otherQuestions } from './other-questions.js';
import { saidOnce } from './question-maker.js';
import type { AgentQuestion, QuestionKind } from './question-maker.js';
import { nextQuestions } from './questions-of-plan.js';
import { kindOfAnswer, storeAnswers } from './store-answers.js';

/** As much as an answer may have; thousands of goals fit. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ANSWERS = 1000;

const inputSchema = z.strictObject({
  plan: planArgument(),
  from: text('the answers as JSON; - reads standard input', 'file'),
  text: field(z.string().optional(), 'what such a file would hold', { textOf: 'from' }),
  answers: field(z.array(z.unknown()).readonly().optional(), 'the answers themselves', { hidden: true }),
  count: questionCount(3),
  by: text('who answers', 'name'),
  ...questionFields('what each answer says, else expand'),
});

/**
 * Stores answers to questions, each at once: the first answer to a goal counts, a later one is refused with what stands
 * there. One that is malformed is explained by path and may be given again. Answers with the next questions.
 * @throws PlanError INVALID_INPUT for what is no JSON, USAGE, PLAN_NOT_FOUND, WRONG_STATE, PLANNER_BUSY, STORAGE_FAILED
 */
export const answerQuestions = defineOperation({
  arguments: ['plan'],
  input: inputSchema,
  output: z.object({
    stored: z.array(z.string()).readonly().describe('Ids of the goals whose answers were stored.'),
    refused: z.array(refusedAnswerSchema).readonly(),
    warnings: z.array(warningSchema).readonly().describe('What was left out of the answers, and why.'),
    action_plans: z
      .array(storedActionPlanSchema)
      .readonly()
      .optional()
      .describe('The action plans that answers were stored as.'),
    digests: z
      .array(storedDigestSchema)
      .readonly()
      .optional()
      .describe('The digests that are there after answers of that kind.'),
    links: z
      .array(storedLinksSchema)
      .readonly()
      .optional()
      .describe('What answers about which goals need each other changed.'),
    ...nextQuestionsShape,
  }),
  examples: [
    'plan answer --from answers.json',
    'plan answer 0398 --from - --by agent-2 --json < answer.json',
  ],
  mutates: true,
  async run(context, input) {
    const answers = await readAnswers(context, input);
    const log = await planToChange(context, input.plan);
    const { tools } = input;
    const kind = input.kind ?? kindOfAnswer(answers[0]) ?? 'expand';
    const by = actorName(context, input);
    const done = await storeAnswers(context, log, answers, { kind, tools, by });
    const { actionPlans, digests, links, ...report } = done;
    const next = await stillAsked(context, log, { kind, input, refused: done.refused });
    return {
      ...report,
      ...(actionPlans.length === 0 ? {} : { action_plans: actionPlans }),
      ...(digests.length === 0 ? {} : { digests }),
      ...(links.length === 0 ? {} : { links }),
      ...next,
    };
  },
  exitStatus: ({ stored, refused }) => (stored.length === 0 && refused.length > 0 ? 4 : 0),
});

/** The next questions of the kind that was answered; of an action plan, which is of one goal, those that are to be answered again. */
async function stillAsked(
  context: RunContext,
  log: PlanLog,
  {
    kind,
    input: { by, tools, count = 3 },
    refused,
  }: {
    readonly kind: QuestionKind;
    readonly input: z.output<typeof inputSchema>;
    readonly refused: readonly RefusedAnswer[];
  },
): Promise<NextQuestionsShown> {
  if (kind === 'expand' || kind === 'link') {
    const asker = { by: by === undefined ? '' : actorName(context, { by }), count };
    const { held, ...next } = await nextQuestions(context, log, asker);
    return held === 0 ? next : { ...next, held };
  }
  const again = refused.flatMap(({ goal, code }) => (goal === null || code === 'no_goal' ? [] : [goal]));
  const about = kind === 'action_plan' ? again.map((goal) => ({ goal, tools })) : [{}];
  const questions: AgentQuestion[] = [];
  for (const subject of about)
    for (const one of await otherQuestions(context, log, kind, subject).catch(noneIfRefused))
      questions.push(one);
  return { questions: saidOnce(questions.slice(0, count)), left: questions.length };
}

/** What cannot be asked about any more is not asked again; that was told of its answer. */
function noneIfRefused(thrown: unknown): readonly AgentQuestion[] {
  if (thrown instanceof PlanError) return [];
  throw thrown;
}

async function readAnswers(
  { environment }: RunContext,
  { answers, from, text: given }: z.output<typeof inputSchema>,
): Promise<readonly unknown[]> {
  if (answers !== undefined) return checkedNumber(answers);
  if (from === undefined)
    throw new PlanError('USAGE', 'no answer was given', {
      hint: {
        commandLine:
          'plan answer --from FILE, or --from - for standard input; `plan ask` shows the questions.',
      },
    });
  const { readGivenFile } = await import('../../shared/named-file.js');
  const written = given ?? (await readGivenFile(environment, from, MOST_BYTES));
  const read = answersIn(parsed(written, from));
  if (read.length === 0)
    throw new PlanError(
      'USAGE',
      `no answer was given: the list in ${from === '-' ? 'standard input' : from} is empty`,
      {
        hint: ANSWER_FORM,
        details: { path: from },
      },
    );
  return checkedNumber(read);
}

const ANSWER_FORM: Hint = ['Give {"answers":[{"goal":…,"atomic":…,"sub_goals":[…]}]}, or one answer alone.'];

function parsed(written: string, from: string): unknown {
  if (Buffer.byteLength(written) > MOST_BYTES)
    throw new PlanError('INVALID_INPUT', `the answers have more than ${MOST_BYTES} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(written.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw new PlanError('INVALID_INPUT', `the answers are not JSON: ${messageOf(thrown)}`, {
      hint: ANSWER_FORM,
      details: { path: from },
    });
  }
  if (isNestedTooDeep(value)) throw new PlanError('INVALID_INPUT', 'the answers are nested too deep');
  return value;
}

/** Several answers, or one alone. */
function answersIn(value: unknown): readonly unknown[] {
  const several = z.looseObject({ answers: z.array(z.unknown()) }).safeParse(value);
  if (several.success) return several.data.answers;
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function checkedNumber(answers: readonly unknown[]): readonly unknown[] {
  if (answers.length <= MOST_ANSWERS) return answers;
  throw new PlanError(
    'INVALID_INPUT',
    `${answers.length} answers were given; at most ${MOST_ANSWERS} at once`,
  );
}
