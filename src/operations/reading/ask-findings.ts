import { isDeepStrictEqual } from 'node:util';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { goalOf, usageWithBegun } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { usageSchema } from '../../plan/schema.js';
import { numbering } from '../../plan/tree.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { RunContext } from '../operation.js';
import { budgetReached } from '../shared/budget-reached.js';
import type { PlanningFlags } from '../planning/choose-planning.js';
import { appendEdits } from '../editing/append-edits.js';
import { flaggedGoals } from './plan-findings.js';

/** Goals that are asked about at once; the others are asked about when these are mended. */
const MOST_ASKED = 20;

/** What was answered about the goals in whose words something looks wrong. */
export const askedFindingsSchema = z
  .object({
    answers: z
      .array(
        z
          .object({
            goal: z.string(),
            number: z.string(),
            is_problem: z.boolean(),
            reason: z.string(),
            before: z.object({ description: z.string(), acceptance: z.array(z.string()).readonly() }),
            edit: z
              .object({
                description: z.string().optional(),
                acceptance: z.array(z.string()).readonly().optional(),
              })
              .describe('What better words would be; empty where none were given.'),
            refused: z.string().nullable().describe('Why it could not be changed so.'),
          })
          .readonly(),
      )
      .readonly(),
    left_out: z
      .int()
      .describe('Goals that were not asked about: there is one question a goal, and 20 at once.'),
    unanswered: z.array(z.string()).readonly().describe('Why questions brought no answer.'),
    applied: z.boolean(),
    usage: usageSchema,
  })
  .readonly();

/**
 * Asks about each goal in whose words something looks wrong. The cost is counted in the plan; nothing else changes unless it is to be
 * applied, and then what was answered is one change.
 * @throws PlanError INVALID_CONFIG without a model
 */
export async function askFindings(
  context: RunContext,
  log: PlanLog,
  { apply, ...flags }: PlanningFlags & { readonly apply: boolean },
): Promise<z.output<typeof askedFindingsSchema>> {
  const { chooseModel } = await import('../planning/model-choice.js');
  const { askAboutFindings } = await import('../../planning/check/ask-about-findings.js');
  const connect = await chooseModel(context, flags, log.plan);
  if (connect === null) throw noModel();
  const { plan } = log;
  const flagged = flaggedGoals(plan, await log.events());
  const asked = await askAboutFindings(plan, flagged.slice(0, MOST_ASKED), {
    ...(await connect(usageWithBegun(plan.header), context.emit)),
    signal: context.dropSignal ?? new AbortController().signal,
  });
  const { answers, usage, unanswered } = asked;
  if (usage.calls > 0) await log.append([{ type: 'usage_added', because: 'asked about findings', usage }]);
  const refused = apply ? await applyAnswers(log, plan, answers) : new Map<string, string>();
  await log.publish('now');
  const numberIn = numbering(plan);
  return {
    answers: answers.map((each) => {
      const { description, acceptance = [] } = goalOf(plan, each.goal);
      return {
        ...each,
        number: numberIn(goalOf(plan, each.goal)),
        before: { description, acceptance },
        refused: refused.get(each.goal) ?? null,
      };
    }),
    left_out: Math.max(0, flagged.length - MOST_ASKED),
    unanswered: [...new Set(unanswered.map(whyUnanswered))],
    applied: apply && answers.some(({ goal, edit }) => Object.keys(edit).length > 0 && !refused.has(goal)),
    usage,
  };
}

/** Applies answers to goals that are as they were when they were asked about; returns why others were not, by goal. */
async function applyAnswers(
  log: PlanLog,
  before: Plan,
  answers: Parameters<typeof appendEdits>[1],
): Promise<ReadonlyMap<string, string>> {
  await log.refresh();
  const isAsItWas = ({ goal }: { readonly goal: string }) =>
    isDeepStrictEqual(wordsOf(before, goal), wordsOf(log.plan, goal));
  const others = answers.filter((each) => !isAsItWas(each));
  const refused = await appendEdits(log, answers.filter(isAsItWas));
  return new Map([
    ...refused,
    ...others.map(({ goal }) => [goal, 'it was edited while it was asked about'] as const),
  ]);
}

function wordsOf({ goals }: Plan, id: string): object {
  const { description, acceptance } = goals.get(id) ?? {};
  return { description, acceptance };
}

type Unanswered = Awaited<
  ReturnType<typeof import('../../planning/check/ask-about-findings.js').askAboutFindings>
>['unanswered'][number];

function whyUnanswered(answer: Unanswered): string {
  if (answer.kind === 'unavailable') return answer.error.message;
  if (answer.kind === 'rejected') return `the model’s answer cannot be used: ${answer.reason}`;
  if (answer.kind === 'aborted') return 'asking was interrupted';
  return budgetReached({ limit: answer.limit, hint: '' }).message;
}

function noModel(): PlanError {
  return new PlanError('INVALID_CONFIG', 'asking about findings needs a model, and none is configured', {
    hint: {
      commandLine:
        'Set OPENAI_API_KEY, or give --base-url (OPENAI_BASE_URL); an agent gets the questions with plan ask --kind check.',
    },
  });
}
