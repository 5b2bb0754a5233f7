import { PlanError } from '../../kernel/errors.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import { countTokens } from '../../llm/spend/tokens.js';
import { decisionSaid } from '../../plan/decisions.js';
import { rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { isLinkWaiting } from '../../plan/readiness/plan-progress.js';
import { goalStates, stateInWords } from '../../plan/readiness/goal-state.js';
import type { GoalState } from '../../plan/readiness/goal-state.js';
import type { Goal } from '../../plan/schema.js';
import { depthFirst } from '../../plan/tree.js';
import type { NumberedGoal } from '../../plan/tree.js';
import type { Context } from '../shared/context.js';
import { timeNow } from '../shared/environment.js';
import { findGoalInPlan, planMeantByGoals, readPlan } from '../shared/find-plan.js';

/** Which part of a tree is told, and in how many tokens. */
export interface OutlineOptions {
  readonly plan?: string | undefined;
  readonly goal?: string | undefined;
  readonly depth?: number | undefined;
  readonly maxTokens: number;
  /** As the last page gave it. */
  readonly cursor?: string | undefined;
}

/** Tokens that the line with the cursor takes at most. */
const CURSOR_TOKENS = 40;
const LONGEST_LINE = 300;
/** What tells that all goals are planned, and that planning rests all the same. */
export const LAST_QUESTION = 'one question is left: which leaves need each other';

/**
 * The tree below a goal as an outline, a line a goal, never longer than so many tokens; the last line is a cursor when there
 * is more.
 * @throws PlanError PLAN_NOT_FOUND, GOAL_NOT_FOUND, INVALID_INPUT for a cursor of a goal that is gone
 */
export async function planOutline(context: Context, options: OutlineOptions): Promise<string> {
  const plan = await readPlan(context, planMeantByGoals(options.plan, [options.goal]));
  const top = options.goal === undefined ? rootOf(plan) : findGoalInPlan(plan, options.goal);
  const numbers = new Map(Array.from(depthFirst(plan), ({ goal, number }) => [goal.id, number]));
  const below = goalsBelow(plan, top, options.depth ?? Number.POSITIVE_INFINITY);
  const from =
    options.cursor === undefined ? 0 : below.findIndex(({ goal }) => goal.id.endsWith(`-${options.cursor}`));
  if (from === -1)
    throw new PlanError('INVALID_INPUT', 'the cursor names a goal that is not there any more', {
      hint: ['Begin again without it.'],
    });
  const stateOf = goalStates(plan, timeNow(context.environment));
  const waiting = { status: plan.header.status, pending_goals: plan.counts.pending };
  const lines = top.parent_id === null && from === 0 && isLinkWaiting(waiting) ? [LAST_QUESTION] : [];
  let room = options.maxTokens - CURSOR_TOKENS;
  for (const { goal } of below.slice(from)) {
    const indent = goal.depth - top.depth;
    const own = lineOf(goal, numbers, { state: stateOf(goal), indent });
    const line = [own, ...decisionLines(plan, goal, indent)].join('\n');
    const tokens = (await countTokens(line)) + 1;
    if (tokens > room && lines.length > 0)
      return `${lines.join('\n')}\ncursor: ${goal.id.slice(goal.id.indexOf('-') + 1)}`;
    lines.push(line);
    room -= tokens;
  }
  return lines.join('\n');
}

function goalsBelow(plan: Plan, top: Goal, levels: number): readonly NumberedGoal[] {
  let inside = false;
  return Array.from(depthFirst(plan)).filter(({ goal }) => {
    if (goal.id === top.id) inside = true;
    else if (goal.depth <= top.depth) inside = false;
    return inside && goal.depth <= top.depth + levels;
  });
}

/** What was decided at a goal, a line each below it. */
function decisionLines(plan: Plan, goal: Goal, indent: number): readonly string[] {
  return (goal.decisions ?? []).map((decision) => {
    const { is, text } = decisionSaid(plan, decision);
    return `${'  '.repeat(Math.min(indent, 10))}  ${is.toLowerCase()}: ${truncate(text, LONGEST_LINE)}`;
  });
}

function lineOf(
  goal: Goal,
  numbers: ReadonlyMap<string, string>,
  { state, indent }: { readonly state: GoalState; readonly indent: number },
): string {
  const held = state === 'claimed' ? ` by ${oneLine(goal.claim?.by ?? 'somebody')}` : '';
  const after = goal.dependencies.map((id) => numbers.get(id) ?? id).join(', ');
  const number = numbers.get(goal.id) ?? '';
  const text = `${'  '.repeat(Math.min(indent, 10))}- ${number === '' ? 'root' : number} [${stateInWords(state)}${held}] ${oneLine(goal.description)}`;
  return `${truncate(text, LONGEST_LINE)}${after === '' ? '' : ` (after ${truncate(after, 80)})`}`;
}
