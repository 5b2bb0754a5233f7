import { sizeInWords } from '../plan/goal-in-words.js';
import type { Plan } from '../plan/plan.js';
import { decisionLine } from '../plan/decisions.js';
import { missingResults } from '../plan/readiness/missing-results.js';
import { oneLine, printable } from '../kernel/text/safe-text.js';
import type { Goal } from '../plan/schema.js';
import { depthFirst } from '../plan/tree.js';
import type { NumberedGoal } from '../plan/tree.js';
import { goalCriteria } from './goal-criteria.js';
import { goalNumberLabel } from './goal-labels.js';

/** A goal as a flat record of text, numbers and nulls; the same for every format that is a table. */
export type GoalRow = ReturnType<typeof goalRow>;

/** One row a goal, depth-first; all rows have the same fields in the same order. */
export function goalRows(plan: Plan): GoalRow[] {
  const missing = new Map<string, string[]>();
  for (const { what, used_by } of missingResults(plan))
    for (const id of used_by) missing.set(id, [...(missing.get(id) ?? []), oneLine(what)]);
  return Array.from(depthFirst(plan), (numbered) => goalRow(plan, missing, numbered));
}

function goalRow(plan: Plan, missing: ReadonlyMap<string, readonly string[]>, numbered: NumberedGoal) {
  const { goal } = numbered;
  return {
    number: goalNumberLabel(numbered),
    id: goal.id,
    parent_id: goal.parent_id,
    depth: goal.depth,
    status: goal.status,
    description: printable(goal.description),
    dependencies: goal.dependencies.join(' '),
    tokens_used: goal.tokens_used,
    reasoning: printableOrNull(goal.reasoning),
    digest: printableOrNull(goal.digest?.summary),
    failure: printableOrNull(goal.failure?.reason),
    source: printableOrNull(sourceOf(goal)),
    created_at: goal.created_at,
    updated_at: goal.updated_at,
    acceptance: goalCriteria(goal).join('\n') || null,
    size: sizeInWords(goal),
    priority: goal.priority ?? null,
    on_hold: printableOrNull(goal.on_hold?.reason),
    touches: printableOrNull(goal.touches?.join('\n')),
    graph_node_id: printableOrNull(goal.graph_node_id),
    decisions: goal.decisions?.map((decision) => decisionLine(plan, decision)).join('\n') ?? null,
    missing: missing.get(goal.id)?.join('\n') ?? null,
  };
}

function sourceOf({ source }: Goal): string | undefined {
  return source && `${source.file}:${source.start_line}-${source.end_line}`;
}

function printableOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : printable(text);
}
