import * as z from 'zod';

import type { Answer, ChatModel, Question } from '../../llm/chat-model.js';
import { renderPrompt } from '../../llm/prompts.js';
import type { Prompts } from '../../llm/prompts.js';
import { quote, tagged } from '../../llm/quote.js';
import { countTokens } from '../../llm/spend/tokens.js';
import { namedGoal } from '../../plan/goal-in-words.js';
import { findCycleThrough, goalsBefore } from '../../plan/readiness/dependencies.js';
import { addUsage, goalOf, NO_USAGE, putGoal, rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal, Usage } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import { cutToTokens } from '../../llm/text/cut-to-tokens.js';
import { decisionsOfPlan } from '../link/link-question.js';
import { rankPairs } from '../dependency-pairs.js';
import type { GoalPair } from '../dependency-pairs.js';
import { wordRefusal } from '../../plan/refusals.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';

/** Columns of the name of a goal above. */
const LONGEST_NAME = 80;
/** The longest reason that is told, in columns. */
const LONGEST_REASON = 500;

/** What a model answers when it is asked which goals need each other. */
const dependenciesReplySchema = z
  .object({
    dependencies: z
      .array(
        z.object({
          // First, so that strict output gives the grounds before the verdict.
          reason: z.string().describe('What the one produces that the other uses, in one sentence.'),
          goal: z.int().describe('Number of the goal that has to wait.'),
          on: z.int().describe('Number of the goal whose result it needs.'),
        }),
      )
      .describe('Only pairs that were listed; empty when none of them depend on each other.'),
  })
  .meta({ title: 'Dependencies' });

type DependenciesReply = z.infer<typeof dependenciesReplySchema>;

/** A dependency that a model sees, and why it was not accepted, if it was not. */
export interface ProposedDependency {
  readonly goal: string;
  readonly on: string;
  readonly reason: string;
  readonly refused: string | null;
}

export interface InferredDependencies {
  readonly proposed: readonly ProposedDependency[];
  readonly pairs: { readonly asked: number; readonly left_out: number };
  readonly usage: Usage;
  readonly answered: number;
  /** Questions that brought no answer. */
  readonly unanswered: readonly Exclude<Answer<DependenciesReply>, { kind: 'reply' }>[];
}

export interface InferenceOptions {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that one user message may have. */
  readonly promptTokens: number;
  /** Tokens that all requests together may have as input. */
  readonly maxTokens: number;
  /** When aborted, the calls in flight are dropped. */
  readonly signal: AbortSignal;
  /** When aborted, waits end and nothing further is asked. */
  readonly stop?: AbortSignal | undefined;
}

/** Tokens of the project's description in each question. */
const PROJECT_TOKENS = 1000;
/** Tokens of what was decided, in each question. */
const DECISION_TOKENS = 300;
/** Tokens of a goal's line, the goals above it included. */
const LINE_TOKENS = 120;
/** What the tags around goals and pairs, a goal's number, and a pair's line have at most. */
const TAG_TOKENS = 24;
const NUMBER_TOKENS = 6;
const PAIR_TOKENS = 8;

/**
 * Asks a model about pairs of goals in different branches that may need each other, the likeliest first, as many as
 * the tokens allow. What it sees is taken up one by one: what is implied already or would close a cycle, with what
 * was taken up before it, is refused with the reason.
 */
export async function inferDependencies(
  plan: Plan,
  options: InferenceOptions,
): Promise<InferredDependencies> {
  const { pairs, comparable } = rankPairs(plan);
  const batches = await batchesOf(plan, pairs, options);
  const answers = await Promise.all(
    batches.map(({ question }) => options.model.ask(question, options.signal, options.stop)),
  );
  const seen = answers.flatMap((answer, index) =>
    answer.kind === 'reply' ? answer.value.dependencies.map((each) => named(each, batches[index])) : [],
  );
  const asked = batches.reduce((sum, { size }) => sum + size, 0);
  return {
    proposed: takeUp(plan, seen.flat()),
    pairs: { asked, left_out: Math.max(0, comparable - asked) },
    usage: answers.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    answered: answers.filter(({ kind }) => kind === 'reply').length,
    unanswered: answers.filter((answer) => answer.kind !== 'reply'),
  };
}

interface Batch {
  readonly question: Question<DependenciesReply>;
  readonly size: number;
  /** The goal of each number. */
  readonly goals: ReadonlyMap<number, string>;
}

async function batchesOf(
  plan: Plan,
  pairs: readonly GoalPair[],
  { prompts, promptTokens, maxTokens }: InferenceOptions,
): Promise<readonly Batch[]> {
  const project = await cutToTokens(projectText(plan), PROJECT_TOKENS);
  const decisions = await cutToTokens(decisionsOfPlan(plan).join('\n'), DECISION_TOKENS);
  const draft = (chosen: readonly GoalPair[], lines: ReadonlyMap<string, string>): Batch =>
    batchOf(plan, chosen, lines, { prompts, project, decisions });
  const frame = (await countTokens(textOf(draft([], new Map()).question))) + TAG_TOKENS;
  const batches: Batch[] = [];
  let left = maxTokens;
  let chosen: GoalPair[] = [];
  let lines = new Map<string, string>();
  let tokens = frame;
  const close = (): void => {
    if (chosen.length > 0) batches.push(draft(chosen, lines));
    left -= tokens;
    [chosen, lines, tokens] = [[], new Map(), frame];
  };
  for (const pair of pairs) {
    let added = await newLines(plan, pair, lines);
    let cost = await costOf(added);
    if (tokens + cost > Math.min(promptTokens, left) && chosen.length > 0) {
      close();
      added = await newLines(plan, pair, lines);
      cost = await costOf(added);
    }
    if (tokens + cost > Math.min(promptTokens, left)) break;
    for (const [id, line] of added) lines.set(id, line);
    chosen.push(pair);
    tokens += cost;
  }
  close();
  return batches;
}

async function costOf(lines: ReadonlyMap<string, string>): Promise<number> {
  const tokens = await countTokens([...lines.values()].map(quote).join('\n'));
  return tokens + NUMBER_TOKENS * lines.size + PAIR_TOKENS;
}

async function newLines(
  plan: Plan,
  { first, second }: GoalPair,
  known: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const missing = [first, second].filter(({ id }) => !known.has(id));
  const lines = await Promise.all(
    missing.map(async (goal) => [goal.id, await cutToTokens(lineOf(plan, goal), LINE_TOKENS)] as const),
  );
  return new Map(lines);
}

function lineOf(plan: Plan, goal: Goal): string {
  const above = ancestors(plan, goal)
    .slice(1)
    .map(({ description }) => truncate(description, LONGEST_NAME));
  return [...above, goal.description].join(' › ').replaceAll(/\s+/g, ' ');
}

function batchOf(
  plan: Plan,
  pairs: readonly GoalPair[],
  lines: ReadonlyMap<string, string>,
  {
    prompts,
    project,
    decisions,
  }: { readonly prompts: Prompts; readonly project: string; readonly decisions: string },
): Batch {
  const numbers = new Map([...lines.keys()].map((id, index) => [id, index + 1]));
  const goals = new Map([...numbers].map(([id, number]) => [number, id]));
  const numbered = [...lines].map(([id, line]) => `${numbers.get(id) ?? 0}. ${line}`);
  const listed = pairs.map(
    ({ first, second }) => `${numbers.get(first.id) ?? 0} ${numbers.get(second.id) ?? 0}`,
  );
  const slots = {
    project: tagged('project', project),
    goals: tagged('goals', numbered.join('\n')),
    pairs: tagged('pairs', listed.join('\n')),
    decisions: tagged('decisions', decisions),
    goal: tagged('goal', rootOf(plan).description),
  };
  const question: Question<DependenciesReply> = {
    name: 'dependencies',
    schema: dependenciesReplySchema,
    system: renderPrompt(prompts['dependencies.system.md'], {}),
    user: renderPrompt(prompts['dependencies.user.md'], slots),
    shorter: renderPrompt(prompts['dependencies.shorter.md'], {}),
    check: (reply) => faultsOf(reply, new Set(listed)),
  };
  return { question, size: pairs.length, goals };
}

/** What is wrong with a reply: a pair that was not listed, or that is there twice. */
function faultsOf({ dependencies }: DependenciesReply, listed: ReadonlySet<string>): readonly string[] {
  const taken = new Set<string>();
  return dependencies.flatMap(({ goal, on }, index) => {
    const path = `$.dependencies[${index}]`;
    const pair = listed.has(`${goal} ${on}`) ? `${goal} ${on}` : `${on} ${goal}`;
    if (!listed.has(pair)) return [`${path}: ${goal} and ${on} are no pair that was listed`];
    if (taken.has(pair)) return [`${path}: the pair of ${goal} and ${on} is there twice`];
    taken.add(pair);
    return [];
  });
}

type Seen = Omit<ProposedDependency, 'refused'>;

function named(
  { goal, on, reason }: DependenciesReply['dependencies'][number],
  batch: Batch | undefined,
): readonly Seen[] {
  const [waiting, needed] = [batch?.goals.get(goal), batch?.goals.get(on)];
  return waiting === undefined || needed === undefined
    ? []
    : [{ goal: waiting, on: needed, reason: truncate(oneLine(reason), LONGEST_REASON) }];
}

function takeUp(plan: Plan, seen: readonly Seen[]): readonly ProposedDependency[] {
  let draft = plan;
  return seen.map((one) => {
    const goal = goalOf(draft, one.goal);
    if (goalsBefore(draft, one.goal).has(one.on))
      return { ...one, refused: 'it follows from others already' };
    const next = putGoal(draft, { ...goal, dependencies: [...goal.dependencies, one.on] });
    const cycle = findCycleThrough(next, [one.goal]);
    if (cycle !== null)
      return { ...one, refused: wordRefusal({ code: 'cycle', goals: cycle }, (id) => namedGoal(plan, id)) };
    draft = next;
    return { ...one, refused: null };
  });
}

function projectText({ header }: Plan): string {
  return (header.settings?.context ?? []).map(({ file, text }) => `${file}:\n${text}`).join('\n\n');
}

function textOf({ system, user }: Pick<Question<unknown>, 'system' | 'user'>): string {
  return `${system}\n${user}`;
}
