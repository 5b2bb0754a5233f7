import { printable, printableJson } from '../kernel/text/safe-text.js';
import { goalOf } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';
import { depthFirst } from '../plan/tree.js';
import { criteriaOf } from './goal-criteria.js';

/**
 * The issues of beads, one JSON object a line, as `.beads/issues.jsonl` holds them: a goal is an issue of its own id, what it is
 * part of and waits for are its links.
 */
export function toBeads(plan: Plan): string {
  return Array.from(
    depthFirst(plan),
    ({ goal }) => `${printableJson(JSON.stringify(issueOf(plan, goal)))}\n`,
  ).join('');
}

function issueOf(plan: Plan, goal: Goal) {
  const { id, description, detail, status, digest, failure, tags = [], child_ids, parent_id } = goal;
  const criteria = criteriaOf(goal);
  const isDone = status === 'complete';
  return {
    id,
    title: printable(description),
    ...(detail === undefined ? {} : { description: printable(detail) }),
    ...(criteria.length === 0
      ? {}
      : { acceptance_criteria: criteria.map((line) => `- [ ] ${printable(line)}`).join('\n') }),
    ...(failure === undefined ? {} : { notes: `Failed: ${printable(failure.reason)}` }),
    status: isDone ? 'closed' : goal.claim === undefined ? 'open' : 'in_progress',
    priority: 2,
    issue_type: child_ids.length === 0 ? 'task' : 'epic',
    created_at: goal.created_at,
    updated_at: goal.updated_at,
    ...(isDone ? { closed_at: goal.updated_at } : {}),
    ...(isDone && digest !== null ? { close_reason: printable(digest.summary) } : {}),
    ...(tags.length === 0 ? {} : { labels: tags.map(printable) }),
    ...linksOf(plan, id, [
      ...(parent_id === null ? [] : [{ on: parent_id, type: 'parent-child' }]),
      ...goal.dependencies.map((on) => ({ on, type: 'blocks' })),
    ]),
  };
}

function linksOf(plan: Plan, id: string, links: readonly { readonly on: string; readonly type: string }[]) {
  if (links.length === 0) return {};
  return {
    dependencies: links.map(({ on, type }) => ({
      issue_id: id,
      depends_on_id: on,
      type,
      created_at: goalOf(plan, id).created_at,
    })),
  };
}
