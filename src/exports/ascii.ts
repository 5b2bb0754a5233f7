import { sizeInWords } from '../plan/goal-in-words.js';
import type { Plan } from '../plan/plan.js';
import { goalOf } from '../plan/plan.js';
import { oneLine } from '../kernel/text/safe-text.js';
import type { Goal, GoalStatus } from '../plan/schema.js';
import { goalSuffix } from '../plan/ids.js';
import { depthFirst } from '../plan/tree.js';
import { DEEPEST_SHOWN, goalLabels } from './goal-labels.js';
import type { GoalLabels } from './goal-labels.js';

const MARKS: Readonly<Record<GoalStatus, string>> = {
  pending: '○',
  decomposing: '◐',
  atomic: '●',
  complete: '✓',
  failed: '✗',
};

/**
 * The tree as a text file, one line a goal: status mark, number, description, size and what it waits for, id. Below the deepest level shown, lines are indented no further and
 * say their depth instead.
 */
export function toAscii(plan: Plan): string {
  const labels = goalLabels(plan);
  const indents = new Map<string, string>();
  let text = '';
  for (const { goal } of depthFirst(plan)) {
    const { lead, indent } = branch(plan, goal, indents.get(goal.parent_id ?? '') ?? '');
    if (goal.child_ids.length > 0) indents.set(goal.id, indent);
    text += `${lead}${goalLine(goal, labels)}\n`;
  }
  return text;
}

/** What is before a goal's line, and before the lines of its children. */
function branch(plan: Plan, goal: Goal, indent: string): { readonly lead: string; readonly indent: string } {
  if (goal.parent_id === null) return { lead: '', indent: '' };
  if (goal.depth > DEEPEST_SHOWN) return { lead: `${indent}… depth ${goal.depth}: `, indent };
  const last = goalOf(plan, goal.parent_id).child_ids.at(-1) === goal.id;
  return { lead: `${indent}${last ? '└─ ' : '├─ '}`, indent: `${indent}${last ? '   ' : '│  '}` };
}

function goalLine(goal: Goal, labels: GoalLabels): string {
  const id = goalSuffix(goal.id);
  const label = labels.get(goal.id) ?? id;
  const size = sizeInWords(goal);
  const after = goal.dependencies.map((dependency) => labels.get(dependency) ?? dependency);
  const notes = [
    ...(size === null ? [] : [size]),
    ...(after.length === 0 ? [] : [`after ${after.join(', ')}`]),
  ];
  return [
    MARKS[goal.status],
    label === id ? '' : ` ${label}`,
    ` ${oneLine(goal.description)}`,
    notes.length === 0 ? '' : ` (${notes.join('; ')})`,
    `  ${id}`,
  ].join('');
}
