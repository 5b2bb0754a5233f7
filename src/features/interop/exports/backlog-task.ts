import { stringify } from 'yaml';

import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { sectionText, splitSections } from '../../../kernel/text/sections.js';
import type { Goal } from '../../../plan/schema.js';
import type { ToolRecord } from '../as-was.js';
import { isCriteria, readBacklogText, SECTIONS, TOLD_IN } from '../backlog-file.js';
import type { BacklogText } from '../backlog-file.js';
import { criterionItem } from '../criteria.js';
import { finalStatuses, readPriority } from '../imports/backlog-record.js';
import { DEPENDS_ON, PART_OF } from '../imports/repair-links.js';
import { RESULT_IN, resultOf } from '../result-section.js';
import { readStatus } from '../status-words.js';
import { withTold } from '../told.js';
import type { Told } from '../told.js';
import {
  asWasOf,
  isAsDerived,
  keptMembers,
  originalOf,
  originalText,
  originalTexts,
} from './original-fields.js';

/** What a task needs of the folder that it is in. */
export interface Naming {
  readonly ids: ReadonlyMap<string, string>;
  readonly milestoneIds: ReadonlyMap<string, string>;
  /** The id of the milestone that a word names: its id, or its title. */
  readonly milestoneNamed: (word: string) => string | undefined;
  readonly ordinal: number;
  readonly statuses: readonly string[];
  readonly told: Told;
}

/** Writes the file of a task. */
export function taskFile(goal: Goal, naming: Naming): ToolRecord {
  const { ids, ordinal, statuses, told } = naming;
  const { completed: _folder, ...rest } = keptMembers(goal, 'backlog');
  const id = ids.get(goal.id) ?? '';
  const above = goal.parent_id === null ? undefined : ids.get(goal.parent_id);
  const part = (goal.links ?? []).find(({ type }) => type === PART_OF)?.to;
  const milestone = milestoneOf(goal, naming);
  const title = printable(oneLine(goal.description));
  const gone = (goal.links ?? []).flatMap(({ type, to }) =>
    type === DEPENDS_ON ? printable(oneLine(to)) : [],
  );
  const parent = above ?? (part === undefined ? undefined : printable(oneLine(part)));
  const had = hadText(goal);
  const priority = priorityOf(goal, had.members['priority']);
  const head = {
    id,
    title,
    status: statusOf(goal, statuses, had),
    assignee: [],
    created_date: goal.created_at.slice(0, 16).replace('T', ' '),
    ...without(rest, ...NOT_HEAD),
    labels: (goal.tags ?? []).map(printable),
    ...(milestone === null ? {} : { milestone }),
    dependencies: [...goal.dependencies.flatMap((on) => ids.get(on) ?? []), ...gone],
    ...(parent === undefined ? {} : { parent_task_id: parent }),
    ...(priority === undefined ? {} : { priority }),
    ...(Array.isArray(rest['subtasks']) ? { subtasks: partsOf(goal, ids, rest['subtasks']) } : {}),
    ordinal,
  };
  const body = bodyOf(
    goal,
    had.sections.flatMap(({ name }) => name ?? []),
    told,
  );
  return { file: fileName(id.toLowerCase(), title), text: `---\n${stringify(head)}---\n\n${body}` };
}

/** The ids of the parts of a task; the list that it had where that names the same. */
function partsOf(goal: Goal, ids: Naming['ids'], had: readonly unknown[]): readonly unknown[] {
  const parts = goal.child_ids.flatMap((id) => ids.get(id) ?? []);
  return sameIds(parts) === sameIds(had) ? had : parts;
}

/** The milestone of a task, by the word that it had where that names it. */
function milestoneOf(
  { parent_id, ...goal }: Goal,
  { ids, milestoneIds, milestoneNamed }: Naming,
): string | null {
  const id = milestoneIds.get(parent_id ?? '');
  const word = originalText(originalOf({ parent_id, ...goal }, 'backlog'), 'milestone');
  if (id === undefined) return ids.has(parent_id ?? '') ? word : null;
  return word !== null && milestoneNamed(word) === id ? word : id;
}

/** Ids in either case and any order. */
function sameIds(ids: readonly unknown[]): string {
  return ids
    .map((id) => String(id).toLowerCase())
    .toSorted()
    .join('\n');
}

/** The text that the file of a task had. */
function hadText(goal: Goal): BacklogText {
  return readBacklogText(originalText(asWasOf(goal, 'backlog').as_was ?? {}, 'text') ?? '');
}

const NOT_HEAD = [
  'id',
  'title',
  'status',
  'milestone',
  'milestone_id',
  'parent_task_id',
  'priority',
  'ticked',
  'done_criteria',
  'done_ticked',
  'config',
];
const PRIORITIES = ['high', 'high', 'medium', 'low', 'low'];

/** The priority of a goal; the word that it had where that says the same. */
function priorityOf({ priority }: Goal, had: unknown): unknown {
  const said = typeof had === 'string' || typeof had === 'number' ? readPriority(`${had}`) : null;
  if (said === priority) return had;
  return priority === undefined ? undefined : PRIORITIES[priority];
}

/** The status of a goal by the words of the folder’s settings: the first, the second, the last. */
function statusOf(goal: Goal, statuses: readonly string[], had: BacklogText): string | undefined {
  const { status } = had.members;
  const word = typeof status === 'string' ? status : null;
  const was = readStatus(word, finalStatuses(statuses));
  const isDone = isAsDerived(goal, 'backlog') ? goal.status !== 'complete' : goal.status === 'complete';
  const holds = goal.on_hold?.reason;
  // The word that it had stays where it says the same.
  if (word !== null && was.done === isDone && was.onHold === holds && (isDone || goal.claim === undefined))
    return word;
  if (isDone) return statuses.at(-1) ?? 'Done';
  if (goal.claim !== undefined) return statuses.length > 2 ? (statuses[1] ?? 'In Progress') : 'In Progress';
  const held = statuses.find((each) => each.toLowerCase() === holds?.toLowerCase());
  // A file that says nothing of it goes on so.
  const isSilent = word === null && (had.head !== null || had.sections.length > 0);
  return held ?? (isSilent ? undefined : (statuses[0] ?? 'To Do'));
}

/** The sections of a task: its text, what shows that it is done, and what came of it. */
function bodyOf(goal: Goal, others: readonly string[], told: Told): string {
  const known = SECTIONS.map(({ name }): string => name);
  const names = [...new Set([...known, ...others])];
  const parts = splitSections(
    goal.detail ?? '',
    names.filter((name) => name !== 'Description' && !isCriteria(name)),
  );
  const original = originalOf(goal, 'backlog');
  // What was done there already was so with its boxes as they are.
  const isNewlyDone =
    goal.status === 'complete' && goal.updated_at !== goal.created_at && goal.said_done !== true;
  const listed = (texts: readonly string[], member: string) => {
    const ticked = new Set(originalTexts(original, member));
    const isTicked = (text: string) => isNewlyDone || ticked.has(text);
    return texts
      .map((text, at) => criterionItem(`- [${isTicked(text) ? 'x' : ' '}] #${at + 1} `, printable(text)))
      .join('\n');
  };
  const { criteria, ofDone } = criteriaOf(goal);
  const textOf = (name: string): string => {
    if (name === 'Acceptance Criteria') return listed(criteria, 'ticked');
    if (name === 'Definition of Done') return listed(ofDone, 'done_ticked');
    if (name === RESULT_IN) return printable(resultOf(goal, parts));
    const said = printable(sectionText(parts, name === 'Description' ? null : name));
    return name === TOLD_IN ? withTold(said, told) : said;
  };
  return names
    .flatMap((name) => {
      const text = textOf(name);
      if (text === '') return [];
      const mark = SECTIONS.find((section) => section.name === name)?.mark;
      const isList = mark === 'AC' || mark === 'DOD';
      return `## ${name}\n${isList ? '' : '\n'}${mark === undefined ? text : marked(mark, text)}\n`;
    })
    .join('\n');
}

/** The criteria of a goal, and apart from them those that its definition of done had: of two alike the last. */
export function criteriaOf(goal: Goal) {
  const left = [...originalTexts(originalOf(goal, 'backlog'), 'done_criteria')];
  const [criteria, ofDone]: [string[], string[]] = [[], []];
  for (const text of (goal.acceptance ?? []).toReversed()) {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    (at < 0 ? criteria : ofDone).unshift(text);
  }
  return { criteria, ofDone };
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

/** Returns the name of a file, of an id and the words of a title. */
export function fileName(id: string, title: string): string {
  const words = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
  let short = '';
  for (const character of Array.from(words).slice(0, 60)) {
    if (Buffer.byteLength(short + character) > MOST_TITLE_BYTES) break;
    short += character;
  }
  return `${id} - ${short || 'task'}.md`;
}

function without(record: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !names.includes(key)));
}
