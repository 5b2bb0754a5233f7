import { printableJson } from '../../../kernel/text/safe-text.js';
import { sectionText, splitSections } from '../../../kernel/text/sections.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import { goalCriteria } from '../../../exports/goal-criteria.js';
import {
  isCollection,
  originalOf,
  originalText,
  originalTexts,
  originalNamer,
  originalField,
} from './original-fields.js';

type NameOf = (id: string) => string;

/**
 * The issues of beads, one JSON object a line, as `.beads/issues.jsonl` holds them: a goal is an issue of the id that it had
 * there, or of its own, what it is part of and waits for are its links.
 */
export function toBeads(plan: Plan): string {
  const root = rootOf(plan);
  const goals = Array.from(depthFirst(plan), ({ goal }) => goal).filter(
    (goal) => goal !== root || !isCollection(root, 'beads'),
  );
  const nameFor = originalNamer(goals.flatMap((goal) => had(goal) ?? []));
  const names = new Map(goals.map((goal) => [goal.id, nameFor(had(goal), () => goal.id)]));
  const nameOf = (id: string) => names.get(id) ?? '';
  return goals.map((goal) => `${printableJson(JSON.stringify(issueOf(goal, nameOf)))}\n`).join('');
}

function had(goal: Goal): string | null {
  return originalText(originalOf(goal, 'beads'), 'id');
}

function issueOf(goal: Goal, nameOf: NameOf) {
  const { description, digest, child_ids } = goal;
  const { id: _id, status: _status, ticked: _ticked, links: _links, ...original } = originalOf(goal, 'beads');
  const isDone = goal.status === 'complete';
  const isTouched = goal.updated_at !== goal.created_at;
  const labels = (goal.tags ?? []).filter((tag) => !/^(?:type|priority):/.test(tag) && linkIn(tag) === null);
  return {
    ...original,
    id: nameOf(goal.id),
    title: description,
    ...textsOf(goal),
    status: statusOf(goal),
    priority: priorityOf(goal),
    issue_type: originalField(goal, 'type') ?? (child_ids.length === 0 ? 'task' : 'epic'),
    created_at: original['created_at'] ?? goal.created_at,
    updated_at: isTouched ? goal.updated_at : (original['updated_at'] ?? goal.updated_at),
    ...(isDone ? { closed_at: original['closed_at'] ?? goal.updated_at } : {}),
    ...(isDone && digest !== null ? { close_reason: digest.summary } : {}),
    ...(labels.length === 0 ? {} : { labels: labels }),
    ...linksOf(goal, nameOf),
  };
}

/** The detail, taken apart as beads does, the criteria with their ticks, and why it failed. */
function textsOf(goal: Goal) {
  const sections = splitSections(goal.detail ?? '', ['Design', 'Notes']);
  const ticked = new Set(originalTexts(originalOf(goal, 'beads'), 'ticked'));
  const criteria = goalCriteria(goal).map((line) => `- [${ticked.has(line) ? 'x' : ' '}] ${line}`);
  const reason = goal.failure === undefined ? '' : `Failed: ${goal.failure.reason}`;
  const texts = {
    description: sectionText(sections, null),
    design: sectionText(sections, 'Design'),
    acceptance_criteria: criteria.join('\n'),
    notes: [sectionText(sections, 'Notes'), reason].filter((text) => text !== '').join('\n\n'),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function statusOf(goal: Goal): string {
  const before = originalText(originalOf(goal, 'beads'), 'status');
  if (goal.status === 'complete') return 'closed';
  if (goal.claim !== undefined) return 'in_progress';
  return before !== null && before !== 'closed' ? before : 'open';
}

function priorityOf(goal: Goal): number {
  const priority = Number(originalField(goal, 'priority') ?? 2);
  return Number.isSafeInteger(priority) ? Math.min(4, Math.max(0, priority)) : 2;
}

const OTHER_LINKS =
  /^(discovered-from|related|conditional-blocks|waits-for|replies-to|duplicates|supersedes|validates|caused-by|tracks|until):(.+)$/;

function linkIn(tag: string): { readonly type: string; readonly on: string } | null {
  const [, type, on] = OTHER_LINKS.exec(tag) ?? [];
  return type === undefined || on === undefined ? null : { type, on };
}

function linksOf(goal: Goal, nameOf: NameOf) {
  const { parent_id, dependencies, tags = [] } = goal;
  const above = parent_id === null ? '' : nameOf(parent_id);
  const links = [
    ...(above === '' ? [] : [{ on: above, type: 'parent-child' }]),
    ...dependencies.map((on) => ({ on: nameOf(on), type: 'blocks' })).filter(({ on }) => on !== ''),
    ...tags.flatMap((tag) => linkIn(tag) ?? []),
  ];
  if (links.length === 0) return {};
  const issue_id = nameOf(goal.id);
  return {
    dependencies: links.map(({ on, type }) => ({
      created_at: goal.created_at,
      ...keptLink(goal, on, type),
      issue_id,
      depends_on_id: on,
      type,
    })),
  };
}

/** Who made a link and when, if it was there before. */
function keptLink(goal: Goal, on: string, type: string): object {
  const links = originalOf(goal, 'beads')['links'];
  if (!Array.isArray(links)) return {};
  const found: unknown = links.find(
    (link) =>
      typeof link === 'object' &&
      link !== null &&
      Object(link).depends_on_id === on &&
      Object(link).type === type,
  );
  return typeof found === 'object' && found !== null ? found : {};
}
