import { outOfScopeTexts } from '../../plan/goal-in-words.js';
import { goalOf, isWaiting } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import type { Goal } from '../../plan/schema.js';
import { subtree } from '../../plan/tree.js';
import type { Revision } from '../expander.js';
import type { RankedLine } from '../../llm/text/fit-lines.js';

/** A list without numbers; what stands first matters most, or last with `nearest`. */
export function listLines(texts: readonly string[], nearest: 'first' | 'last' = 'first'): RankedLine[] {
  return texts.map((text, index) => ({
    text: `- ${oneLine(text)}`,
    rank: nearest === 'first' ? index : texts.length - index,
  }));
}

/**
 * The parts of the goal's parent by number, each with those it comes after, the goal's own place among them. What it
 * comes after, and what comes after it, matters most, then what stands near it. Empty when it has no siblings.
 */
export function siblingLines(plan: Plan, goal: Goal): readonly RankedLine[] {
  if (goal.parent_id === null) return [];
  const { child_ids } = goalOf(plan, goal.parent_id);
  if (child_ids.length < 2) return [];
  const positions = new Map(child_ids.map((id, index) => [id, index]));
  const own = positions.get(goal.id) ?? 0;
  return child_ids.map((id, index) => {
    const sibling = goalOf(plan, id);
    const after = afterNumbers(sibling, positions);
    const near = goal.dependencies.includes(id) || sibling.dependencies.includes(goal.id);
    const done = sibling.status === 'complete' ? ' [done]' : '';
    const notes = after === '' ? '' : ` (${after})`;
    return {
      text:
        id === goal.id
          ? `${index + 1}. (${['this goal', after].filter((note) => note !== '').join(', ')})`
          : `${index + 1}. ${oneLine(sibling.description)}${notes}${done}`,
      rank: id === goal.id ? 0 : near ? 1 : 1 + Math.abs(index - own),
    };
  });
}

/** The siblings of the goals above, from the top; those of the nearest goal matter most. */
export function otherBranchLines(plan: Plan, above: readonly Goal[]): readonly RankedLine[] {
  return above.flatMap((ancestor, depth) => {
    if (ancestor.parent_id === null) return [];
    const { child_ids } = goalOf(plan, ancestor.parent_id);
    const own = child_ids.indexOf(ancestor.id);
    return child_ids.flatMap((id, index) =>
      id === ancestor.id
        ? []
        : {
            text: `- ${oneLine(goalOf(plan, id).description)}`,
            // A level up counts more than any distance within a level.
            rank: (above.length - depth) * 1e6 + Math.abs(index - own),
          },
    );
  });
}

/** The parts that a goal has when it is planned again, with what is directly below each, and which of them stay. */
export function partLines(plan: Plan, goal: Goal, { staying }: Revision): readonly RankedLine[] {
  const positions = new Map(goal.child_ids.map((id, index) => [id, index]));
  return goal.child_ids.flatMap((id, index) => {
    const part = goalOf(plan, id);
    const stays = staying.some((each) => each.id === id);
    const after = afterNumbers(part, positions);
    const notes = `${after === '' ? '' : ` (${after})`} ${stateOf(part, stays)}`;
    const text = `${index + 1}. ${oneLine(part.description)}${notes}`;
    return [{ text, rank: index }, ...(stays ? [] : belowLines(plan, part, goal.child_ids.length + index))];
  });
}

/** What must not be planned: the member `out_of_scope`, a text or a list of texts, of the goal or of one above it. */
export function outOfScopeLines(goals: readonly Goal[]): readonly RankedLine[] {
  return listLines(outOfScopeTexts(goals));
}

function afterNumbers({ dependencies }: Goal, positions: ReadonlyMap<string, number>): string {
  const numbers = dependencies.flatMap((id) => positions.get(id) ?? []).toSorted((a, b) => a - b);
  return numbers.length === 0 ? '' : `after ${numbers.map((position) => position + 1).join(', ')}`;
}

function stateOf({ status, child_ids }: Goal, stays: boolean): string {
  if (status === 'complete') return '[done, stays]';
  if (stays) return child_ids.length === 0 ? '[in work, stays]' : '[begun, stays]';
  return status === 'failed' ? '[failed]' : '[open]';
}

function belowLines(plan: Plan, part: Goal, rank: number): readonly RankedLine[] {
  return part.child_ids.map((id) => {
    const child = goalOf(plan, id);
    const deeper = subtree(plan, child).length - 1;
    const more = deeper === 0 ? '' : ` (and ${deeper} below it)`;
    const failed = child.status === 'failed' ? ' [failed]' : isWaiting(child) ? ' [not planned yet]' : '';
    return { text: `   - ${oneLine(child.description)}${more}${failed}`, rank };
  });
}
