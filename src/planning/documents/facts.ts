import type { DocumentItem } from './document-item.js';
import { isForbidding, REQUIRES } from './demands.js';
import { isClearClause, phraseOf } from './english/phrase.js';

/** An item that begins by saying what its text is: "Status: accepted". */
export const LABELLED = /^([^:：]{2,40})(?::\s|：)/;
/** The name of something that a form leaves open: "Reference issues:". */
const EMPTY_LABEL = /^[^:：]{2,40}[:：]$/;
const FIGURE = /\d|^[/`"'「“#]|^(?!.{13})\S+(?: \S+)?$/;

function valueOf({ description, kind, isTask, children }: DocumentItem): string | null {
  const label = LABELLED.exec(description);
  if (label === null || kind !== 'item' || isTask === true || children.length > 0) return null;
  const value = description.slice(label[0].length).trim();
  // "Week 1: seeds" is a part, "Heading 1: 32px" a fact.
  if ((/\d$/.test(label[1] ?? '') && !/^\d/.test(value)) || isClearClause(phraseOf(label[1] ?? '')))
    return null;
  const length = value.replace(/[\u3040-\u9fff\uac00-\ud7af]/g, 'xx').length;
  return length > 60 || REQUIRES.test(value) || isClearClause(phraseOf(value)) ? null : value;
}

/** What says no more than that there may be more: "Additional feature requests". */
const MORE =
  /^(?:additional|other|more|further|any other|miscellaneous) (?:features?|improvements?|ideas?|enhancements?|tasks?|items?|work)(?: (?:requests?|ideas?|as needed|tbd))?[.…]*$/i;
/** The names of what somebody fills in: "username/email", "Password". */
const FIELDS =
  /^(?:user ?name|e-?mail address|e-?mail(?=\s*(?:[/&+]|and|or)\s*\S)|(?<=[/&+] ?|(?:and|or) )e-?mail|password|phone number|(?:first|last|full) name|date of birth|post ?code|zip code)(?:\s*(?:[/&+]|and|or)\s*(?:user ?name|e-?mail(?: address)?|password|phone(?: number)?|(?:first|last|full) name))*$/i;
/** What says itself that nothing is to be done about it: "314 warnings (acceptable pattern)". */
const EXCUSED =
  /^[^.;:—–()]{1,100}\([^()]*\b(?:acceptable|by design|non-blocking|not blocking|no action|false positives?|won[’']t fix|intentional|excluded in|ignored in)\b[^()]*\)[.;]?$/i;

const LINK_ONLY = /^(?!\S*\s)\S+:\/\/\S/;
const PATH_ONLY = /^[\w@.()[\]-]*\/[\w@./()[\]-]*\.\w{1,5}$/;
const QUOTED = /^["“«„「『][^"“”«»]{1,200}["”»“」』][.,;]?$/;
const EMPTY =
  /^(?:tbd|tba|todo|n\/?a|none|\.{3}|…|-+|to be (?:done|decided|defined|determined)|coming soon|keine?|aucune?|ninguno|nenhum|нет|немає|なし|無し|无|無|없음|[[{<][^\]}>]*[\]}>]+)[.!。]?$/i;
/** What is said of a part where nothing is to be done: "Is not affected by this change." */
const NOTHING =
  /^[\s*_]*(?:n\/?a|none|nothing|not applicable|(?:(?:it|this) )?is not (?:affected|applicable)(?: .{1,40})?|(?:there (?:is|are) )?no (?:breaking |temporal |further |other |new |special |additional )?(?:changes?|actions?|impact|migration|properties|requirements?|work|tasks?)(?: .{1,40})?)[.!*_]*\s*$/i;
const METADATA =
  /^(?:author|decider|decision maker|consulted|informed|supersedes?|superseded by|epic|related|owner|status|date|created|last updated|updated|reviewer|approver|priority|estimate|effort|label|branch|feature branch|ticket|epic link|pm|designer|engineer|stakeholder|assignee|due|due date|target release|document owner|complexity|why this priority|independent test|rationale|reason|note|nb|dependency|dependencie|depends on|blocked by|description(?!s)|(?:affected )?files?(?=\s*:\s*(?:$|\S*[./]))|implemented in|discussion at|discussed in|story point|purpose|objective|goal(?!s)|result(?!s)|checkpoint|(?:19|20)\d\d-\d\d-\d\d)s?\s*:/i;

/** How far something is, or which values it can have: "Progress so far: 20 %", "state ∈ {open, shut}". */
const MARK =
  /^[^:：]{0,30}\b(?:progress|complete|completed|completion|done)\b[^:：]{0,20}[:：] ?~?\d{1,3} ?%$|^\S+ ∈ /i;

/** What is told elsewhere, or shown: "How users sign in", "Example of the output". */
const TOPIC =
  /^(?:how|why) (?!to\b)(?!.*\b(?:must|should|will|needs?)\b)[^:：]+$|^examples?(?: of [^:：]+)?$/i;
const EXAMPLE = /^examples?(?: of [^:：]+)?[:：]$/i;
/** What is written to be read. */
const WRITING =
  /\b(?:docs?|documents?|documentation|pages?|guides?|tutorials?|articles?|posts?|chapters?|manuals?|handbook)$/i;

/** Whether an item names what is told elsewhere or shown, unless it names the page that tells it. */
export function isTopic(description: string): boolean {
  return TOPIC.test(description) && !WRITING.test(description);
}

/** Whether what a list holds is to be written or done, by its heading, its other items, or most of it. */
export function areToWrite(heading: string, items: readonly DocumentItem[]): boolean {
  const isHeaded =
    (WRITING.test(heading) && !/\bpage$/i.test(heading)) ||
    /^(?:write|document)\b|\bto write$/i.test(heading);
  return (
    isHeaded ||
    items.filter(({ description }) => WRITING.test(description)).length > 1 ||
    readsLikeWork(items)
  );
}

/** What a form leaves to be filled in: "[Feature 1]", "{{NAME}}". */
const BLANK = /\[[^[\]]{1,80}\]|\{\{[^{}]{1,80}\}\}/g;

/** Whether an item is nothing but what a form leaves to be filled in. */
export function isBlank({ description, children }: DocumentItem): boolean {
  const left = description.replaceAll(BLANK, '');
  return left !== description && !/[\p{L}\p{N}]/u.test(left) && children.every(isBlank);
}

/** Whether a section says that there is nothing to do in it. */
export function isNothingToDo({ children, detail = '' }: DocumentItem): boolean {
  const isPointing = !detail.includes('\n') && isPointer(detail);
  return children.length === 0 && (NOTHING.test(detail) || isPointing);
}

/** Whether an item is what somebody says of himself where a form asks for it: "I have searched for others like it". */
export function isSaidOfOneself(description: string): boolean {
  return /^I(?:['’]ve|['’]m| (?:have|am|agree|confirm|understand|acknowledge|may be))\b(?! to\b)/.test(
    description,
  );
}

/** Whether an item holds a link, a quotation, nothing yet, or what a document says of itself. */
export function saysNoWork(description: string): boolean {
  return (
    EMPTY.test(description) ||
    MORE.test(description) ||
    FIELDS.test(description) ||
    EXCUSED.test(description) ||
    LINK_ONLY.test(description) ||
    QUOTED.test(description) ||
    PATH_ONLY.test(description) ||
    METADATA.test(description) ||
    MARK.test(description) ||
    EXAMPLE.test(description) ||
    description.endsWith('?')
  );
}

const COUNTED = /^[^:(]{2,40}\(\d{1,6}\): /;

function isCount({ description, ...item }: DocumentItem): boolean {
  const said = { ...item, description: description.replace(COUNTED, '') };
  return COUNTED.test(description) && item.isTask !== true && !isTold(said);
}

/** Whether a list says how many there are of each, and nobody what is to be done: "errcheck (314): unused results". */
export function areCounts(items: readonly DocumentItem[]): boolean {
  return items.length > 1 && items.every(isCount);
}

/** A column of a table in a database: "email VARCHAR(255) NOT NULL", "id: UUID primary key". */
const COLUMN =
  /^\W?\w{1,40}\W{0,2} \W?(?:(?:BIG|SMALL)?(?:SERIAL|INT(?:EGER)?)|(?:VAR)?CHAR|TEXT|TIMESTAMP(?:TZ)?|DATE(?:TIME)?|BOOL(?:EAN)?|JSONB?|UUID|DECIMAL|NUMERIC|FLOAT|REAL|BLOB|BYTEA|ENUM)\b(?!\s\p{Ll})|^\W?\w{1,40}\W{0,3} .{0,40}\b(?:(?:PRIMARY|FOREIGN) KEY|NOT NULL|REFERENCES \w)|^(?:UNIQUE|INDEX|PRIMARY KEY|FOREIGN KEY)\b ?(?:on )?\(/u;

/** Whether a list says which columns a table of a database has. */
function areColumns(items: readonly DocumentItem[]): boolean {
  const columns = items.filter((item) => COLUMN.test(item.description) && item.isTask !== true);
  return (
    items.every(({ kind, isTask }) => kind === 'item' && isTask !== true) && columns.length * 2 > items.length
  );
}

/** Whether all of a list are facts with their names, such as "Width: 240px", most of them a figure, a word or a path. */
export function areFacts(items: readonly DocumentItem[]): boolean {
  if (items.length < 2) return false;
  if (areColumns(items)) return true;
  const values = items.map(valueOf);
  const figures = values.filter((value) => value !== null && FIGURE.test(value));
  const others = items.filter((_, index) => values[index] === null);
  const isOne =
    others.length * 5 <= items.length &&
    others.every((item) => LABELLED.test(item.description) && item.children.length === 0 && !isTold(item));
  return isOne && figures.length * 2 >= items.length;
}

/** How many items before the first heading say what a document is ("Start date: 2024-05-06"); 0 unless all of them do. */
export function preambleLength(items: readonly DocumentItem[]): number {
  const length = items.findIndex(({ kind }) => kind === 'heading');
  const isSaid = items
    .slice(0, Math.max(0, length))
    .every(
      (item) =>
        (LABELLED.test(item.description) || EMPTY_LABEL.test(item.description)) &&
        !isTold({ ...item, description: '' }) &&
        (item.children.length === 0 || EMPTY_LABEL.test(item.description)),
    );
  return isSaid ? Math.max(0, length) : 0;
}

const DOES_TO =
  /^(?!(?:both|all|each|every|whether|exactly|\p{L}+ing) )\p{L}+ (?:the|an?|all|each|every|any|this|these|our|its|both) /iu;

/** Whether somebody is told to do what an item or one below it says. */
export function isTold({ description, isTask, children }: DocumentItem): boolean {
  const isClause = isClearClause(phraseOf(description)) || DOES_TO.test(description);
  return isTask === true || isClause || REQUIRES.test(description) || children.some(isTold);
}

/**
 * Whether a list tells somebody, all in all, to do what it says: most of it beside a plan, a third of it elsewhere. A list is
 * not picked apart.
 */
export function areTold(list: readonly DocumentItem[], isBesidePlan: boolean): boolean {
  const items = list.filter((item) => item.kind === 'item' && !isForbidding(item));
  const told = items.filter(isTold).length;
  return told * 2 > items.length || (!isBesidePlan && told > 1 && told * 3 >= items.length);
}

/** Returns the items by the list that they stand in: prose between two ends a list. */
export function listsOf(
  items: readonly DocumentItem[],
  lines: readonly string[],
): readonly (readonly DocumentItem[])[] {
  const lists: DocumentItem[][] = [];
  for (const item of items) {
    const end = lists.at(-1)?.at(-1)?.source.end_line ?? 0;
    const isApart = () => lines.slice(end, item.source.start_line - 1).some((line) => /\S/.test(line));
    if (lists.length === 0 || isApart()) lists.push([item]);
    else lists.at(-1)?.push(item);
  }
  return lists;
}

/** "This part does not cover:", "It won't:"; but not "Users who do not pay:" or "What does not work:". */
const NEGATIVE =
  /\b(?:(?:does|do|will|shall|must|should) not|(?:does|do|wo|must|should)n['’]t)(?: (?:intend|aim|plan|try) to)?(?: (?:cover|include|contain|build|support|implement|add|address|handle|change|touch|provide|do|become|solve|ship|(?:start|begin) with)(?: (?:any of )?the following)?)?[:：][*_]*$/iu;

/** "Options:", before what is weighed, and one of it chosen. */
const OPTIONS = /\b(?:options?|alternatives?)(?: considered)?[:：][*_]*$/i;

/** "Uses the GitHub API:", before what somebody else made. */
const USES =
  /^[\s*_>]*(?:it |this |we )?(?:uses?|using|calls?|relies on|consumes?)\b.{0,80}\bapi\b.{0,40}[:：][*_]*$/i;

const CALL = /^(?:GET|POST|PUT|PATCH|DELETE)\b/;

/** "Current flow:", before what happens already. */
const CURRENT =
  /^[\s*_>]*(?:the )?(?:(?:current|existing|present|as[ -]is) (?:\S+ ){0,2}(?:flow|workflow|behaviou?rs?|state|situation|implementation|process|architecture|setup|approach|structure|functionality|logic|layout)|currently|current|existing|as[ -]is|today|already (?:there|done|in place|implemented|built))[*_]*[:：][*_]*$/i;

/** Whether a list says what boxes written as code mean: each in it is another. */
function isLegend(list: readonly DocumentItem[], lines: readonly string[]): boolean {
  const boxes = list.flatMap(
    ({ source }) => /^\s*[-*+]\s+`(\[.?\])`/u.exec(lines[source.start_line - 1] ?? '')?.[1] ?? [],
  );
  return boxes.length > 1 && boxes.length * 2 > list.length && new Set(boxes).size === boxes.length;
}

/** Whether a list holds what is used or so already, by the line before it, or says what boxes mean. */
export function isUsed(list: readonly DocumentItem[], lines: readonly string[]): boolean {
  if (isLegend(list, lines)) return true;
  const before = lineBefore(list, lines);
  if (CURRENT.test(before) || OPTIONS.test(before))
    return !list.some((item) => item.isTask === true || holdsBoxes(item));
  return USES.test(before) && !list.some((item) => !CALL.test(item.description) && isTold(item));
}

const CROSS = /^❌\s*/u;

/**
 * Whether what a list holds is not to be done: the line before it says so ("This part does not cover:"), or all of it is
 * crossed out, and nobody is told to do it.
 * @param isOpen whether a cross means what is still to be done, as it does beside ticks and under "Missing"
 */
export function isNegated(list: readonly DocumentItem[], lines: readonly string[], isOpen: boolean): boolean {
  const isCrossed = list.every(
    (item) =>
      CROSS.test(item.description) && !isTold({ ...item, description: item.description.replace(CROSS, '') }),
  );
  if (list.length > 1 && isCrossed && !isOpen) return true;
  return NEGATIVE.test(lineBefore(list, lines));
}

function lineBefore([first]: readonly DocumentItem[], lines: readonly string[]): string {
  let at = (first?.source.start_line ?? 1) - 2;
  while (at >= 0 && !/\S/.test(lines[at] ?? '')) at -= 1;
  return lines[at]?.trim() ?? '';
}

/** Whether an item only tells a reader where to look: "See SCALES.md for the weights". */
export function isPointer(description: string): boolean {
  return /^(?:see|check|review|examine|read|refer to|consult|visit|ask|join|look at)\b.*(?:\.\w{1,4}\b|:\/\/|\b(?:docs|documentation|guide|issues|forum|discord|slack)\b)/i.test(
    description,
  );
}

/** Whether an item is nothing but a link to a place in its own document. */
export function pointsInside({ source }: DocumentItem, lines: readonly string[]): boolean {
  return /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+\[[^\]]*\]\(#[^()\s]*\)\s*$/.test(
    lines[source.start_line - 1] ?? '',
  );
}

/** Whether a section only points to places in its own document. */
export function isContents({ children }: DocumentItem, lines: readonly string[]): boolean {
  return (
    children.length > 1 &&
    children.every(({ kind, source }) => kind === 'item' && lines[source.start_line - 1]?.includes('](#'))
  );
}

/** Whether boxes or rows of tables stand below an item. */
export function holdsTasks({ children }: DocumentItem): boolean {
  return children.some((child) => child.isTask === true || child.kind === 'row' || holdsTasks(child));
}

/** Whether boxes stand below an item. */
export function holdsBoxes({ children }: DocumentItem): boolean {
  return children.some((child) => child.isTask === true || holdsBoxes(child));
}

/** Whether at least half of the headings, or of what has no parts, tells somebody to do what it says. */
export function tellsByHalf(items: readonly DocumentItem[]): boolean {
  const all = items.flatMap(withParts);
  return [
    all.filter(({ kind }) => kind === 'heading'),
    all.filter(({ children }) => children.length === 0),
  ].some((some) => {
    const told = some.filter((item) => isTold({ ...item, children: [] }));
    return told.length > 0 && told.length * 2 >= some.length;
  });
}

function withParts(item: DocumentItem): readonly DocumentItem[] {
  return [item, ...item.children.flatMap(withParts)];
}

/** Whether most of a list tells somebody to do something. */
export function readsLikeWork(items: readonly DocumentItem[]): boolean {
  const listed = items.filter(({ kind }) => kind === 'item');
  const work = listed.filter(
    ({ description }) => isClearClause(phraseOf(description)) || REQUIRES.test(description),
  );
  return work.length > 0 && work.length * 2 > listed.length;
}
