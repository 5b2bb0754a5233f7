import type { Table, TableRow } from 'mdast';

import {
  ACTION_ABROAD,
  ASSIGNS_ABROAD,
  ID_ABROAD,
  NAME_ABROAD,
  PRIORITY_ABROAD,
  ROW_NAME_ABROAD,
  STATUS_ABROAD,
  TEXT_ABROAD,
} from './kinds/column-names.js';
import { isActionAbroad, sectionKind } from './kinds/heading-kinds.js';
import { heldByBox, standingOf, type Standing } from './kinds/standing-words.js';
import { IN_BOX, isDue, readLooseBox } from './signs.js';

/** A row of a table of requirements. */
export interface TableGoal {
  readonly description: string;
  readonly tags: readonly string[];
  readonly acceptance: readonly string[];
  /** What the other columns say, a line each. */
  readonly detail: readonly string[];
  readonly complete: boolean;
  /** The word or sign that keeps it from being worked on. */
  readonly onHold?: string;
  /** It has a box, in a cell of its own or before its name. */
  readonly isTask: boolean;
  /** Marked as something that will not be done. */
  readonly excluded: boolean;
  readonly row: TableRow;
}

/** What a row is about; "User story title" names it, "User story description" says it. */
const NAME =
  /^(?:(?:functional|non-functional|user|system|business|product|new)\s+)?(?:requirement|feature|user stor(?:y|ies)|stor(?:y|ies)|task|work item|deliverable|functionality|capability|action|action item|item|epic|milestone)s?(?:\s+(?:name|title|heading))?$/i;
const TEXT =
  /^(?:(?:(?:requirement|feature|user story|story|task|item|milestone|epic)\s+)?(?:description|detail|summary|text|statement)|requirement|specification|the system (?:must|shall)|what|story|user story|task|deliverable|outcome)s?$/i;
/** What is to be mended, where a row says how far it is. */
const FAULT = /^(?:issue|bug|defect|fault|finding|problem|gap)s?$/i;
const ID =
  /^(?:id|#|no\.?|nr\.?|ref\.?|key|number|code|(?:req(?:uirement)?|story|task|feature|user story|us|fr|issue|ticket)\.?\s*(?:id|#|no\.?|number|ref))$/i;
const PRIORITY = /^(?:priority|prio|moscow|importance|severity|must\/should|p)$/i;
const STATUS = /^(?:status|state|done|done\?|complete|completed)$/i;
const NEEDS = /^(?:depends on|dependenc(?:y|ies)|blocked by|waits for|prerequisites?|after)$/i;
const CRITERIA =
  /^(?:acceptance|acceptance criteria|acceptance criterion|criteria|done when|definition of done|verification|test)$/i;
/** Words that say no more than that something is done. */
export const DONE_WORDS =
  'done complete completed finished shipped closed fixed resolved implemented merged achieved delivered released yes x'.split(
    ' ',
  );
const DONE_WORD = `(?:${DONE_WORDS.slice(0, -2).join('|')})`;
/** When it was, or in what: "in v1.2", "2026-03-01", "#12", "(day 10)"; no "(50 %)", "when tests pass". */
const DONE_AT = String.raw`(?:,?\s+(?:(?:in|on|since)\s+)?(?:v?\d[\w./-]*|#\d+)|\s*\((?![^()]*(?:[%?]|\b(?:part|(?:not|no|but|except|without|apart|aside|only|still|todo|missing|pending|remaining|left|open|until|mostly|almost|nearly|waiting)\b)|\d\s*(?:/|of)\s*\d))[^()]{1,40}\))`;
const DONE = new RegExp(
  String.raw`^(?:(?:✅|✔️?|☑️?)?\s?${DONE_WORD}${DONE_AT}?|yes|100 ?%|✅|✔️?|☑️?|\[x\]|x)$`,
  'i',
);

/** Whether a status says that something is done, with a sign before or behind it: "🟢 Done", "done.". A question is no answer. */
function isDoneStatus(status: string): boolean {
  const words = status.replace(SIGNS_OF_DONE, '');
  return DONE.test(words === '' ? status : words) && !isDue(words);
}

/** Returns what a status says of a piece of work: "Deferred (v1.2)", "Blocked by the vendor"; what is done but for something is not. */
export function standingOfStatus(status: string): Standing | null {
  const [leading = ''] = status.split(/[(（:：,，;–—]|\s(?:-|by|until|till|to|for|on)\s/);
  const first = standingOf(leading);
  const standing = standingOf(status) ?? (first === 'done' ? null : first);
  if (isDoneStatus(status)) return 'done';
  if (standing === 'done') return PLAIN_STATUS.test(status) && !isDue(status) ? 'done' : null;
  return standing ?? (EXCLUDED.test(status) ? 'dropped' : null);
}

/** Words and signs of what is done alone: no question, and no sign that says otherwise. */
const PLAIN_STATUS = /^(?:[\p{L}\p{N}\s%.!'’✅✔✓☑🟢🎉]|\uFE0F)+$/u;
const SIGNS_OF_DONE = /^(?:[✅✔✓☑🟢🎉🏁👍🚀💯\s]|\uFE0F){1,9}|(?:[✅✔✓☑🟢🎉🏁👍🚀💯\s.!]|\uFE0F){1,9}$/gu;

const EXCLUDED =
  /^(?:w|wont|won[’']t|won[’']t (?:have|do|fix)|out|out of scope|rejected|dropped|cancelled|canceled|not (?:applicable|planned)|obsolete|superseded|duplicate)$/i;
const BOX = new RegExp(`^\\[(?:${IN_BOX})\\]$`, 'u');
/** What says no more than that something is open. */
const OPEN_BOX = /^(?:\[ ?\]|⬜|🔲|☐)\uFE0F?$/u;
const KEY = /^[A-Z][A-Z_]{0,9}[-.:_ ]?\d+(?:[.-]\d+)*[a-z]?$/;
/** What a cell says that says nothing yet. */
export const EMPTY_WORDS = 'none tbd tba todo n a'.split(' ');
const CROSS = /^(?:❌|✗|✘|🚫|⛔)\uFE0F?$/u;
const NOTHING = /^(?:[-–—.…*_~`]*|n\/?a|none|tbd|tba|todo)$/i;

/** Columns that say in words what a row is about; and those that rate it, or tell how one sees that it is done. */
const SAYS =
  /\b(?:descriptions?|details?|summary|text|statements?|notes?|comments?|remarks?|titles?|names?|what)\b/i;
const RATES =
  /\b(?:priority|prio|moscow|importance|severity|risk|effort|estimate|size|status|state|progress|stage|done|completed?|acceptance|criteri(?:a|on)|definition of done|verification|tests?)\b/i;
/** How far a row is, or how much it is wanted. */
const RATING =
  /^(?:(?:not|in|on|to|under|must|should|could|won[’']?t|nice|as) ?-?(?:yet )?(?:started|progress|review|hold|planned|do|have|to have|begun|time)|partly done|out of scope|(?:very )?(?:high|medium|low)(?: priority)?)[.!]?$/i;

/** Headings below which a table lists what is to be done, or was: the columns of a board, bugs, actions. */
const LISTS_WORK =
  /^\W*(?:(?:product|sprint|open|known|top|remaining) )?(?:back-?log|to-?\s?do|doing|in progress|done|completed|(?:in )?review|tasks?|actions?|action items?|next(?: steps?)?|bugs?|issues?|items?|work items?|defects?|follow-?\s?ups?|sprint(?: \d+)?)\W*$/i;
const listsWork = (heading: string) => LISTS_WORK.test(heading) || isActionAbroad(heading);
/** What names a row there. */
const ROW_NAME = /^(?:what|title|card|bug|defect|issue|step|name|subject|summary|to-?do|ticket)s?$/i;

const isName = (cell: string) => NAME.test(cell) || NAME_ABROAD.test(cell);
const isText = (cell: string) => TEXT.test(cell) || TEXT_ABROAD.test(cell);
const isStatus = (cell: string) => STATUS.test(cell) || STATUS_ABROAD.test(cell);
const isPriority = (cell: string) => PRIORITY.test(cell) || PRIORITY_ABROAD.test(cell);
const isCriteria = (cell: string) => CRITERIA.test(cell) || sectionKind(cell, false) === 'acceptance';
const assigns = (cell: string) =>
  ASSIGNS.test(cell) || ASSIGNS_ABROAD.test(cell) || STATUS_ABROAD.test(cell) || PRIORITY_ABROAD.test(cell);

/**
 * Returns the goals of a table whose header names a requirement, feature, story or task, or which stands below a heading that
 * says so, or which says of sections how far they are or what they wait for; undefined for any other table.
 * @param isSection whether a cell names a section of the document
 */
export function tableGoals(
  table: Table,
  below: string,
  cellText: (cell: TableRow['children'][number]) => string,
  isSection: (cell: string) => boolean = () => false,
): readonly TableGoal[] | undefined {
  const [head, ...rows] = table.children;
  const header = head?.children.map(cellText) ?? [];
  const isKeyed =
    !isName(header[0] ?? '') &&
    rows.length > 0 &&
    rows.every(({ children: [first] }) => first !== undefined && KEY.test(cellText(first)));
  const id = isKeyed ? 0 : header.findIndex((cell) => ID.test(cell) || ID_ABROAD.test(cell));
  const columns = header.map((cell, index) => ({ cell, index })).filter(({ index }) => index !== id);
  const named = columns.find(({ cell }) => isName(cell));
  const hasStatus = header.some(isStatus);
  const name =
    named ??
    (listsWork(below)
      ? columns.find(({ cell }) => ROW_NAME.test(cell) || ROW_NAME_ABROAD.test(cell))
      : undefined) ??
    (hasStatus || header.some((cell) => NEEDS.test(cell))
      ? columns.find(({ index }) => {
          const cells = rows.map(({ children }) => children[index]).filter((cell) => cell !== undefined);
          const sections = cells.filter((cell) => isSection(cellText(cell)));
          return sections.length > 1 && sections.length * 2 > rows.length;
        })
      : undefined);
  const text = columns.find(
    ({ cell, index }) => index !== name?.index && (isText(cell) || (hasStatus && FAULT.test(cell))),
  );
  if (name === undefined && (id < 0 || text === undefined)) return undefined;
  const cells = rows.map((row) => row.children.map(cellText));
  if (
    compares(
      columns.filter(({ index }) => index !== name?.index),
      cells,
    )
  )
    return undefined;
  const isAction = /^actions?$/i.test(name?.cell ?? '') || (id < 0 && ACTION_ABROAD.test(name?.cell ?? ''));
  if (isAction && !header.some(assigns)) return undefined;
  const hasTicks = cells.some((each) => each.some((cell) => /^(?:✅|✓|✔|☑)/u.test(cell)));
  return rows.flatMap((row) => {
    const cells = row.children.map(cellText);
    const goal = goalOf(cells, { header, id, name: name?.index, text: text?.index, hasTicks });
    const isStruck = row.children[name?.index ?? text?.index ?? 0]?.children[0]?.type === 'delete';
    return goal === undefined ? [] : [{ ...goal, complete: goal.complete || isStruck, row }];
  });
}

const ASSIGNS =
  /^(?:owner|who|assignee|assigned(?: to)?|responsible|due(?: date)?|deadline|when|by|eta|status|priority|ticket|issue|type|id|#)$/i;
const MARK = /^(?:✅|❌|✔️?|✗|✘|✓|☑️?|⚠️?|🟡|🟢|🔴|➖|yes|no|partial|full|limited)\uFE0F?(?:$|\s)/iu;

/** Columns that say how far each row is, and what of it. */
const PART_DONE =
  /^(?:back-?end|front-?end|ui|ux|api|server|client|web|ios|android|mobile|desktop|tests?|tested|docs?|documented|design|designed|done|implemented|built|reviewed|shipped|ready|mvp|v\d.*|p\d)$/i;

/** Whether a table holds several things side by side, with marks of which has what: nobody is told to build that. */
function compares(
  columns: readonly { readonly index: number; readonly cell: string }[],
  rows: readonly (readonly string[])[],
): boolean {
  const marked = columns.filter(({ index, cell }) => {
    if (PART_DONE.test(cell) || [assigns, isPriority, isStatus].some((isOne) => isOne(cell))) return false;
    const marks = rows.filter((cells) => MARK.test(cells[index] ?? ''));
    return rows.length > 0 && marks.length * 2 > rows.length;
  });
  return marked.length > 1;
}

interface Columns {
  readonly header: readonly string[];
  readonly id: number;
  readonly name: number | undefined;
  readonly text: number | undefined;
  /** Whether the table ticks what is done: a cross says there what is not yet. */
  readonly hasTicks: boolean;
}

function goalOf(
  cells: readonly string[],
  { header, id, name, text, hasTicks }: Columns,
): Omit<TableGoal, 'row'> | undefined {
  const said = (index: number | undefined): string => {
    const cell = index === undefined ? '' : (cells[index] ?? '');
    return NOTHING.test(cell) ? '' : cell;
  };
  const named = [said(name), said(text)].filter((part) => part !== '');
  // A key alone names nothing: what the row says of it does.
  const sayings = header.flatMap((cell, index) => {
    const isOther = index !== name && index !== text && !assigns(cell) && !RATES.test(cell);
    const words = said(index);
    const rates = [RATING, DONE, EXCLUDED].some((pattern) => pattern.test(words));
    return isOther && !rates && / \p{L}/u.test(words) ? [index] : [];
  });
  const saying = sayings.find((index) => SAYS.test(header[index] ?? '')) ?? sayings[0] ?? -1;
  const isKey = named.length === 1 && KEY.test(named[0] ?? '') && saying >= 0;
  const description = [...named, ...(isKey ? [said(saying)] : [])].join(': ');
  if (description === '') return undefined;
  const column = (isOne: (cell: string) => boolean) =>
    header.findIndex((cell, index) => index !== name && index !== text && isOne(cell));
  const boxes = cells.flatMap((cell, index) => (BOX.test(cell) ? [index] : []));
  const box = readLooseBox(boxes.length === 1 ? `${cells[boxes[0] ?? 0]} x` : description);
  const [priority, status, criteria] = [column(isPriority), column(isStatus), column(isCriteria)];
  // What a status says besides that it is done, or will not be, is kept.
  const word = said(status)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%]+/gu, '');
  const standing = standingOfStatus(said(status));
  const isDone = standing === 'done';
  const heldBox = heldByBox(box?.mark ?? '');
  const held =
    heldBox ?? (standing === 'held' || (CROSS.test(said(status)) && !hasTicks) ? said(status) : undefined);
  const isWord =
    (isDone && (word === '' || DONE_WORDS.includes(word) || standingOf(said(status)) === 'done')) ||
    OPEN_BOX.test(said(status)) ||
    EXCLUDED.test(said(status));
  const taken = new Set([
    id,
    name,
    text,
    ...(isKey ? [saying] : []),
    priority,
    criteria,
    ...(isWord ? [status] : []),
    boxes.length === 1 && (box?.mark === '' || heldBox !== undefined) ? boxes[0] : undefined,
  ]);
  const others = header.flatMap((cell, index) =>
    taken.has(index) || said(index) === '' ? [] : [`${cell}: ${said(index)}`],
  );
  return {
    description: box === null || boxes.length === 1 ? description : box.text,
    isTask: box !== null,
    tags: [said(id), said(priority)].filter((tag) => tag !== ''),
    acceptance:
      said(criteria) === ''
        ? []
        : said(criteria)
            .split(/(?:(?<!\s)\s+)?(?:;\s+|•\s*)/)
            .filter((each) => each !== ''),
    detail: others,
    complete: isDone || box?.isDone === true,
    ...(held === undefined ? {} : { onHold: held }),
    // "N/A" as a status says that it is none of this.
    excluded:
      standing === 'dropped' ||
      [said(priority), said(status)].some((cell) => EXCLUDED.test(cell)) ||
      /^n\/?a$/i.test(cells[status] ?? ''),
  };
}
