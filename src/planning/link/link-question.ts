import type { Question } from '../../llm/chat-model.js';
import { renderPrompt } from '../../llm/prompts.js';
import type { Prompts } from '../../llm/prompts.js';
import { tagged } from '../../llm/quote.js';
import { decisionLine, decisionsInForce } from '../../plan/decisions.js';
import { goalOf, rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { depthFirst } from '../../plan/tree.js';
import type { NumberedGoal } from '../../plan/tree.js';
import { shortened } from '../goal-numbers.js';
import { tolerantLinkReplySchema } from './link-reply.js';
import type { LinkReply } from './link-reply.js';

/** The most leaves that one question compares. */
export const MOST_LEAVES = 150;
/** The most columns of each text in a line. */
const LONGEST_PART = 80;
const LONGEST_GOAL = 300;
const LONGEST_CHECK = 160;

/** The question which leaves need each other, and the goals that its numbers mean. */
export interface LinkQuestion {
  readonly question: Question<LinkReply>;
  /** Ids of the goals that were asked about, by number. */
  readonly goals: ReadonlyMap<string, string>;
}

/** Lists the leaves of a plan with their numbers, in the order of the tree. */
export function numberedLeaves(plan: Plan): readonly NumberedGoal[] {
  return [...depthFirst(plan)].filter(({ goal }) => goal.child_ids.length === 0 && goal.parent_id !== null);
}

/** Makes the question which of some goals need each other; each line has number, part, goal and checks. */
export function linkQuestion(
  plan: Plan,
  asked: readonly NumberedGoal[],
  { prompts, project }: { readonly prompts: Prompts; readonly project: string },
): LinkQuestion {
  const lines = asked.map(({ goal, number }) => leafLine(plan, goal, number));
  const decisions = decisionsOfPlan(plan);
  const slots = {
    project: tagged('project', project),
    leaves: tagged('leaves', onLinesOfTheirOwn(lines)),
    decisions: tagged('decisions', onLinesOfTheirOwn(decisions)),
    goal: tagged('goal', rootOf(plan).description),
  };
  return {
    question: {
      name: 'link',
      schema: tolerantLinkReplySchema,
      system: renderPrompt(prompts['link.system.md'], {}),
      user: renderPrompt(prompts['link.user.md'], slots),
      shorter: renderPrompt(prompts['link.shorter.md'], {}),
    },
    goals: new Map(asked.map(({ goal, number }) => [number, goal.id])),
  };
}

function leafLine(plan: Plan, goal: Goal, number: string): string {
  const parent = goal.parent_id === null ? null : goalOf(plan, goal.parent_id);
  const part =
    parent === null || parent.parent_id === null ? '-' : shortened(parent.description, LONGEST_PART);
  const checks = (goal.acceptance ?? []).map((check) => shortened(check, LONGEST_CHECK));
  const when = checks.length === 0 ? '' : ` | done when: ${checks.join('; ')}`;
  return `${number} [${part}] ${shortened(goal.description, LONGEST_GOAL)}${when}`;
}

/** Lists what was decided anywhere in the plan, a line each. */
export function decisionsOfPlan(plan: Plan): readonly string[] {
  const holders = [...depthFirst(plan)].filter(({ goal }) => goal.decisions !== undefined);
  return holders.flatMap(({ goal }) =>
    decisionsInForce(plan, goal)
      .filter(({ holder }) => holder.id === goal.id)
      .map(({ decision }) => shortened(decisionLine(plan, decision), LONGEST_GOAL)),
  );
}

function onLinesOfTheirOwn(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}
