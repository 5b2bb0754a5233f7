import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { Question } from '../../llm/chat-model.js';
import { renderPrompt } from '../../llm/prompts.js';
import type { Prompts } from '../../llm/prompts.js';
import { tagged } from '../../llm/quote.js';
import { rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors, depthFirst, numbering } from '../../plan/tree.js';
import type { NumberedGoal } from '../../plan/tree.js';
import { projectText } from '../link/link-asking.js';
import { shortened } from '../goal-numbers.js';
import { tolerantTriageReplySchema } from './triage-reply.js';
import type { TriageReply } from './triage-reply.js';

/** The most goals that one question is about. */
const MOST_GOALS = 100;
/** Bytes of UTF-8 that are a token at the least: three letters of Latin, one sign of Chinese. */
const BYTES_A_TOKEN = 3;
/** The most columns of each text in a line. */
const LONGEST_GOAL = 300;
const LONGEST_TEXT = 200;
const LONGEST_START = 1500;

/** How a question is made. */
export interface TriageAsking {
  readonly prompts: Prompts;
  /** Tokens that the user message may have. */
  readonly promptTokens: number;
}

/** A question which goals of a document are work, and ids of the goals that it is about by their numbers. */
export interface TriageQuestion {
  readonly question: Question<TriageReply>;
  readonly goals: ReadonlyMap<string, string>;
}

/**
 * Returns the question about the next goals that were made of the document and that nobody was asked about, in the order
 * of the tree; null where none is left.
 * @param asked ids of the goals that were asked about
 */
export function triageQuestion(
  plan: Plan,
  asked: ReadonlySet<string>,
  { prompts, promptTokens }: TriageAsking,
): TriageQuestion | null {
  const root = rootOf(plan);
  const project = tagged('project', projectText(plan));
  const document = tagged('document', truncate(oneLine(root.detail ?? ''), LONGEST_START));
  const taken = project.length + document.length + root.description.length;
  const room = promptTokens * BYTES_A_TOKEN - taken;
  const { lines, goals } = nextLines(plan, asked, room);
  if (goals.size === 0) return null;
  const slots = {
    project,
    document,
    goals: tagged('goals', `\n${lines.join('\n')}\n`),
    goal: tagged('goal', root.description),
  };
  return {
    question: {
      name: 'triage',
      schema: tolerantTriageReplySchema,
      system: renderPrompt(prompts['triage.system.md'], {}),
      user: renderPrompt(prompts['triage.user.md'], slots),
      shorter: renderPrompt(prompts['triage.shorter.md'], {}),
    },
    goals,
  };
}

/** Whether a goal stands for a place of the document, and nobody has begun with it or put it off. */
function isToTriage({ parent_id, source, status, on_hold }: Goal): boolean {
  return parent_id !== null && source !== undefined && status !== 'complete' && on_hold === undefined;
}

/** As many lines as there is room for, from the first goal that is to be asked about; those above it are shown. */
function nextLines(
  plan: Plan,
  asked: ReadonlySet<string>,
  room: number,
): { readonly lines: readonly string[]; readonly goals: ReadonlyMap<string, string> } {
  const lines: string[] = [];
  const goals = new Map<string, string>();
  let left = room;
  for (const each of depthFirst(plan)) {
    const { goal, number } = each;
    const isAsked = isToTriage(goal) && !asked.has(goal.id);
    if (!isAsked && goals.size === 0) continue;
    const added = [...(goals.size === 0 ? shownAbove(plan, goal) : []), lineOf(each)];
    left -= Buffer.byteLength(added.join('\n')) + 1;
    if (goals.size > 0 && (left < 0 || goals.size === MOST_GOALS)) break;
    for (const line of added) lines.push(line);
    if (isAsked) goals.set(number, goal.id);
  }
  return { lines, goals };
}

function shownAbove(plan: Plan, goal: Goal): readonly string[] {
  const numberIn = numbering(plan);
  return ancestors(plan, goal)
    .slice(1)
    .map((above) => lineOf({ goal: above, number: numberIn(above) }));
}

function lineOf({ goal, number }: NumberedGoal): string {
  const { description, detail, acceptance = [], status, on_hold: hold } = goal;
  const notes = [
    ...(status === 'complete' ? [' [done]'] : hold === undefined ? [] : [' [put off]']),
    ...(detail === undefined ? [] : [` | ${shortened(detail, LONGEST_TEXT)}`]),
    ...(acceptance.length === 0 ? [] : [` | done when: ${shortened(acceptance.join('; '), LONGEST_TEXT)}`]),
  ];
  const indent = '  '.repeat(Math.max(0, goal.depth - 1));
  return `${indent}${number} ${shortened(description, LONGEST_GOAL)}${notes.join('')}`;
}
