import { stringify } from 'yaml';

import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { sectionText, splitSections } from '../../../kernel/text/sections.js';
import { rootOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import type { ExportedFile } from '../../../exports/exported-file.js';
import { goalCriteria } from '../../../exports/goal-criteria.js';
import { originalOf, originalText, originalTexts, originalNamer, originalField } from './original-fields.js';

/** The sections of a task that are text, in the order of Backlog.md, with its marks. */
const SECTIONS = [
  [null, 'Description', 'SECTION:DESCRIPTION'],
  ['Implementation Plan', 'Implementation Plan', 'SECTION:PLAN'],
  ['Implementation Notes', 'Implementation Notes', 'SECTION:NOTES'],
  ['Comments', 'Comments', 'COMMENTS'],
  ['Final Summary', 'Final Summary', 'SECTION:FINAL_SUMMARY'],
] as const;

/**
 * The folder of Backlog.md: a file for each goal below the root, a milestone for each that was one, and its settings. Tasks keep
 * the ids that they had; a new one has the next of its parent. What cannot be an id is none. A plan of one goal is one task.
 */
export function toBacklog(plan: Plan): readonly ExportedFile[] {
  const goals = goalsOf(plan);
  const tasks = goals.filter((goal) => !isMilestone(goal));
  const milestones = goals.filter(isMilestone);
  const ids = idsOf(tasks);
  const milestoneIds = milestoneIdsOf(milestones);
  return [
    { path: 'backlog/config.yml', text: configOf(rootOf(plan)) },
    ...milestones.map((goal) => milestoneFile(goal, milestoneIds.get(goal.id) ?? '')),
    ...tasks.map((goal, index) => taskFile(goal, { ids, milestoneIds, ordinal: (index + 1) * 1000 })),
  ];
}

function goalsOf(plan: Plan): readonly Goal[] {
  const root = rootOf(plan);
  const [, ...below] = Array.from(depthFirst(plan), ({ goal }) => goal);
  return below.length === 0 && Object.keys(originalOf(root, 'backlog')).length === 0 ? [root] : below;
}

function said(what: string, { length }: readonly Goal[]): readonly string[] {
  return length === 0 ? [] : [`${what} (${length} ${length === 1 ? 'goal' : 'goals'})`];
}

/** What a milestone of Backlog.md has no place for, and its export leaves out, in words. */
export function lostOfMilestones(plan: Plan): readonly string[] {
  const milestones = goalsOf(plan).filter(isMilestone);
  const ids = new Set(milestones.map(({ id }) => id));
  return [
    ...said(
      'criteria of milestones',
      milestones.filter((goal) => goalCriteria(goal).length > 0),
    ),
    ...said(
      'dependencies of and on milestones',
      goalsOf(plan).filter(
        ({ id, dependencies }) =>
          dependencies.some((on) => ids.has(on)) || (ids.has(id) && dependencies.length > 0),
      ),
    ),
    ...said(
      'tags of milestones',
      milestones.filter(({ tags = [] }) => tags.length > 0),
    ),
    ...said(
      'the place of milestones below other goals',
      milestones.filter(({ parent_id }) => parent_id !== rootOf(plan).id),
    ),
    ...said(
      'milestones that are done and have no tasks',
      milestones.filter(({ status, child_ids }) => status === 'complete' && child_ids.length === 0),
    ),
  ];
}

function isMilestone(goal: Goal): boolean {
  return originalText(originalOf(goal, 'backlog'), 'milestone_id') !== null;
}

/** Ids are parts of paths, and of names that a file system takes in either case. */
const TASK_ID = /^[A-Z]{1,20}-\d{1,9}(?:\.\d{1,9}){0,9}$/;
const MILESTONE_ID = /^[a-z0-9][a-z0-9_-]{0,59}$/i;

/** From here on an id below another would be too long for a name: the number is of the whole. */
const LONGEST_ABOVE = 60;

function had(goal: Goal): string | null {
  const id = originalText(originalOf(goal, 'backlog'), 'id')?.toUpperCase() ?? '';
  return TASK_ID.test(id) ? id : null;
}

function idsOf(tasks: readonly Goal[]): ReadonlyMap<string, string> {
  const named = originalNamer(tasks.flatMap((goal) => had(goal) ?? []));
  const counts = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const goal of tasks) {
    const above = ids.get(goal.parent_id ?? '') ?? '';
    const prefix = above === '' || above.length > LONGEST_ABOVE ? 'TASK-' : `${above}.`;
    ids.set(
      goal.id,
      named(had(goal), () => {
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
        return `${prefix}${counts.get(prefix)}`;
      }),
    );
  }
  return ids;
}

function hadMilestone(goal: Goal): string | null {
  const id = originalText(originalOf(goal, 'backlog'), 'milestone_id') ?? '';
  return MILESTONE_ID.test(id) ? id : null;
}

function milestoneIdsOf(milestones: readonly Goal[]): ReadonlyMap<string, string> {
  const named = originalNamer(milestones.flatMap((goal) => hadMilestone(goal)?.toLowerCase() ?? []));
  let number = 0;
  return new Map(
    milestones.map((goal) => {
      const id = hadMilestone(goal);
      const free = named(id?.toLowerCase() ?? null, () => `m-${(number += 1)}`);
      return [goal.id, free === id?.toLowerCase() ? id : free];
    }),
  );
}

function configOf(root: Goal): string {
  const original = originalOf(root, 'backlog')['config'];
  const config = {
    default_status: 'To Do',
    statuses: ['To Do', 'In Progress', 'Done'],
    labels: [],
    date_format: 'yyyy-mm-dd',
    task_prefix: 'task',
    ...(typeof original === 'object' ? original : {}),
  };
  return stringify({
    project_name: printable(oneLine(root.description)),
    ...without(config, 'project_name'),
  });
}

function without(record: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)));
}

function milestoneFile(goal: Goal, id: string): ExportedFile {
  const title = printable(oneLine(goal.description));
  const detail = printable(goal.detail ?? '');
  return {
    path: `backlog/milestones/${fileName(id, title)}`,
    text: `---\n${stringify({ id, title })}---\n\n## Description\n\n${detail}\n`,
  };
}

/** A line as it was imported; nothing else makes lines of a file. */
const DONE_CRITERION = /^[ \t]*-[ \t]+\[[ xX]\](?:\t|[^\p{Cc}\p{Zl}\p{Zp}])+$/u;

interface Naming {
  readonly ids: ReadonlyMap<string, string>;
  readonly milestoneIds: ReadonlyMap<string, string>;
  readonly ordinal: number;
}

function taskFile(goal: Goal, { ids, milestoneIds, ordinal }: Naming): ExportedFile {
  const original = originalOf(goal, 'backlog');
  const { completed, ...rest } = original;
  const id = ids.get(goal.id) ?? '';
  const above = goal.parent_id === null ? undefined : ids.get(goal.parent_id);
  const milestone =
    milestoneIds.get(goal.parent_id ?? '') ??
    (above === undefined ? null : originalText(original, 'milestone'));
  const priority = originalField(goal, 'priority');
  const title = printable(oneLine(goal.description));
  const head = {
    id,
    title,
    status: statusOf(goal),
    assignee: [],
    created_date: goal.created_at.slice(0, 16).replace('T', ' '),
    ...without(
      rest,
      'id',
      'title',
      'status',
      'milestone',
      'parent_task_id',
      'priority',
      'ticked',
      'done_criteria',
    ),
    labels: (goal.tags ?? []).filter((tag) => !tag.startsWith('priority:')).map(printable),
    ...(milestone === null ? {} : { milestone }),
    dependencies: goal.dependencies.flatMap((on) => ids.get(on) ?? []),
    ...(above === undefined ? {} : { parent_task_id: above }),
    ...(priority === null ? {} : { priority: printable(priority) }),
    ordinal: rest['ordinal'] ?? ordinal,
  };
  const body = bodyOf(
    goal,
    originalTexts(original, 'done_criteria').filter((line) => DONE_CRITERION.test(line)),
  );
  return {
    path: `backlog/${completed === true ? 'completed' : 'tasks'}/${fileName(id.toLowerCase(), title)}`,
    text: `---\n${stringify(head)}---\n\n${body}`,
  };
}

function statusOf(goal: Goal): string {
  const before = originalText(originalOf(goal, 'backlog'), 'status');
  const wasDone = before?.toLowerCase() === 'done';
  if (goal.status === 'complete') return before !== null && wasDone ? before : 'Done';
  if (goal.claim !== undefined) return 'In Progress';
  return before !== null && !wasDone ? before : 'To Do';
}

/** The sections of a task: its text, what shows that it is done, and what came of it. */
function bodyOf(goal: Goal, doneCriteria: readonly string[]): string {
  const summary = goal.status === 'complete' ? goal.digest?.summary : undefined;
  const parts = splitSections(
    goal.detail ?? '',
    SECTIONS.flatMap(([name]) => name ?? []),
  );
  const [description, ...others] = SECTIONS.map(([name, heading, mark]) => {
    const text = name === 'Final Summary' && summary ? summary : sectionText(parts, name);
    return text === '' ? '' : `## ${heading}\n\n${marked(mark, printable(text))}`;
  });
  const ticked = new Set(originalTexts(originalOf(goal, 'backlog'), 'ticked'));
  const before = originalText(originalOf(goal, 'backlog'), 'status');
  const isNewlyDone = goal.status === 'complete' && before?.toLowerCase() !== 'done';
  const criteria = goalCriteria(goal).map(
    (line, index) => `- [${isNewlyDone || ticked.has(line) ? 'x' : ' '}] #${index + 1} ${printable(line)}`,
  );
  return [
    description,
    criteria.length === 0 ? '' : `## Acceptance Criteria\n${marked('AC', criteria.join('\n'))}`,
    doneCriteria.length === 0 ? '' : `## Definition of Done\n${marked('DOD', doneCriteria.join('\n'))}`,
    ...others,
  ]
    .map((part) => (part === '' || part === undefined ? '' : `${part}\n`))
    .filter((part) => part !== '')
    .join('\n');
}

/** What would be a mark, as it is or escaped already, as often as it may be. */
const LIKE_A_MARK = /(?:<|&((?:amp;)*)lt;)!--(?=\s*(?:SECTION|AC|DOD|COMMENTS))/gi;

/** A text between its marks, which nothing in it can end. */
function marked(mark: string, text: string): string {
  const escaped = text.replaceAll(LIKE_A_MARK, (_found, escapes?: string) =>
    escapes === undefined ? '&lt;!--' : `&amp;${escapes}lt;!--`,
  );
  return `<!-- ${mark}:BEGIN -->\n${escaped}\n<!-- ${mark}:END -->`;
}

const MOST_TITLE_BYTES = 120;

function fileName(id: string, title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  let short = '';
  for (const character of Array.from(words).slice(0, 60)) {
    if (Buffer.byteLength(short + character) > MOST_TITLE_BYTES) break;
    short += character;
  }
  return `${id} - ${short || 'task'}.md`;
}
