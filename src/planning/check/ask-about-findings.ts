import * as z from 'zod';

import type { Answer, ChatModel, Question } from '../../llm/chat-model.js';
import { promptSlots, renderPrompt } from '../../llm/prompts.js';
import type { Prompts } from '../../llm/prompts.js';
import { tagged } from '../../llm/quote.js';
import { cutToTokens } from '../../llm/text/cut-to-tokens.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import { addUsage, NO_USAGE } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal, Usage } from '../../plan/schema.js';
import { promptContext } from '../context.js';
import { isSameInOtherWords } from '../sanitize/same-words.js';
import { isCircular } from './weak-checks.js';

/** What is answered about a goal in which something looks wrong. */
const checkReplySchema = z
  .object({
    // First, so that strict output gives the grounds before the verdict.
    reason: z.string().describe('Why there is a problem or none, in one sentence.'),
    is_problem: z.boolean(),
    description: z.string().nullable().describe('The goal in better words; null where they may stay.'),
    acceptance: z
      .array(z.string())
      .nullable()
      .describe('Checks in place of its own; null where they may stay.'),
  })
  .meta({ title: 'Check' });

type CheckReply = z.infer<typeof checkReplySchema>;

/** A goal in which something looks wrong, and what. */
export interface FlaggedGoal {
  readonly goal: Goal;
  readonly findings: readonly string[];
}

/** What was answered about a goal; of what changes only members that differ. */
export interface CheckedGoal {
  readonly goal: string;
  readonly is_problem: boolean;
  readonly reason: string;
  readonly edit: { readonly description?: string; readonly acceptance?: readonly string[] };
}

interface AskedFindings {
  readonly answers: readonly CheckedGoal[];
  readonly usage: Usage;
  readonly unanswered: readonly Exclude<Answer<CheckReply>, { kind: 'reply' }>[];
}

export interface CheckAsking {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that one user message may have. */
  readonly promptTokens: number;
  readonly signal: AbortSignal;
}

const FINDING_TOKENS = 400;
const MOST_CHECKS = 3;
const LONGEST_TEXT = 500;

/** Asks about each flagged goal alone whether there is a problem, and in which words there would be none. */
export async function askAboutFindings(
  plan: Plan,
  flagged: readonly FlaggedGoal[],
  { model, signal, ...making }: CheckAsking,
): Promise<AskedFindings> {
  const answers = await Promise.all(
    flagged.map(async (each) => model.ask(await questionAbout(plan, each, making), signal)),
  );
  return {
    answers: answers.flatMap((answer, index) => {
      const goal = flagged[index]?.goal;
      return goal === undefined || answer.kind !== 'reply' ? [] : [checkedGoal(goal, answer.value)];
    }),
    usage: answers.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    unanswered: answers.filter((answer) => answer.kind !== 'reply'),
  };
}

async function questionAbout(
  plan: Plan,
  { goal, findings }: FlaggedGoal,
  { prompts, promptTokens }: Pick<CheckAsking, 'prompts' | 'promptTokens'>,
): Promise<Question<CheckReply>> {
  const template = prompts['check.user.md'];
  const limit = promptTokens - FINDING_TOKENS;
  const { slots } = await promptContext({ plan, goal }, { limit, slots: promptSlots(template) });
  const found = await cutToTokens(findings.join('\n'), FINDING_TOKENS);
  return {
    name: 'check',
    schema: checkReplySchema,
    system: renderPrompt(prompts['check.system.md'], {}),
    user: renderPrompt(template, { ...slots, findings: tagged('findings', found) }),
    shorter: renderPrompt(prompts['check.shorter.md'], {}),
    check: (reply) => faultsOf(plan, goal, reply),
  };
}

/** What is wrong with a reply: words that are none, a treatise or those of a goal beside or above, or checks that say no more than that the goal is done. */
function faultsOf(plan: Plan, goal: Goal, { description, acceptance }: CheckReply): readonly string[] {
  const words = description ?? goal.description;
  const checks = acceptance ?? [];
  return [
    ...(words.trim() === '' ? ['$.description: must not be empty'] : []),
    ...(description !== null && isTaken(plan, goal, description)
      ? ['$.description: says the same as a goal beside it or above it']
      : []),
    ...(oneLine(description ?? '').length > LONGEST_TEXT
      ? [`$.description: must have at most ${LONGEST_TEXT} characters`]
      : []),
    ...(acceptance?.length === 0 || checks.length > MOST_CHECKS
      ? [`$.acceptance: must have 1 to ${MOST_CHECKS} checks, or be null`]
      : []),
    ...checks.flatMap((check, index) =>
      check.trim() === '' || isCircular(check, words)
        ? [`$.acceptance[${index}]: says no more than that the goal is done`]
        : [],
    ),
  ];
}

/** Whether a goal beside another, or the one above it, says the same in other words. */
function isTaken(plan: Plan, { id, parent_id }: Goal, words: string): boolean {
  const above = plan.goals.get(parent_id ?? '');
  return [above, ...(above?.child_ids ?? []).map((child) => plan.goals.get(child))].some(
    (other) => other !== undefined && other.id !== id && isSameInOtherWords(words, other.description),
  );
}

function checkedGoal(goal: Goal, { reason, is_problem, description, acceptance }: CheckReply): CheckedGoal {
  const words = short(description ?? goal.description);
  const checks = acceptance?.map(short) ?? goal.acceptance ?? [];
  const isChecked = is_problem && JSON.stringify(checks) !== JSON.stringify(goal.acceptance ?? []);
  const isReworded = is_problem && description !== null && words !== goal.description;
  return {
    goal: goal.id,
    is_problem,
    reason: short(reason),
    edit: {
      ...(isReworded ? { description: words } : {}),
      ...(isChecked ? { acceptance: checks } : {}),
    },
  };
}

const short = (text: string): string => truncate(oneLine(text), LONGEST_TEXT);
