import type { Heading, List, ListItem, Nodes, RootContent, Table } from 'mdast';

import {
  beginsStruck,
  hasCodeBoxes,
  hasText,
  isEmptyBox,
  isMark,
  mayBeginWithBox,
  nameBlock,
  plainText,
  saysMore,
} from './block-text.js';
import { finishDetail, finishItem, newDraft, sourceOf, withBoxesHeld, type Draft } from './document-draft.js';
import type { DocumentOutline } from './document-item.js';
import { nameIn, titleBlock, topHeading } from './kinds/document-title.js';
import { readFrontMatter, titleIn } from './kinds/front-matter.js';
import { statusIn } from './kinds/status-lines.js';
import { sectionKind } from './kinds/heading-kinds.js';
import { groupLabels, isLabel, labelsApart, saysBehindLabel } from './kinds/labels.js';
import {
  closeAside,
  closeSections,
  headsWork,
  ITEM_LEVEL,
  LABEL_LEVEL,
  NUMBERED_LEVEL,
} from './kinds/open-sections.js';
import { namesTasks } from './kinds/plan-sections.js';
import { mendMarkdown } from './loose-markdown.js';
import { keysOf } from './repeats/overviews.js';
import { tableGoals } from './requirement-table.js';
import { heldByBox, standingBeside, standingOfSection } from './kinds/standing-words.js';
import { NO_SIGNS, readHeadingSign, readLooseBox, readSign, saysDone, signsIn, type Signs } from './signs.js';
import { checkNesting } from './markdown-nesting.js';
import { countLineEnds, parseBlocks, tooDeep, type Origin, type LocatedBlock } from './markdown-blocks.js';

interface Reading {
  readonly text: string;
  readonly file: string;
  /** Whether requirement tables, labels above lists and stories are read as what they are. */
  readonly requirements: boolean;
  readonly signs: Signs;
  /** Whether it ticks what is done by a sign: a cross says there what is not yet. */
  readonly hasTicks: boolean;
  /** What its headings call its sections. */
  readonly sections: ReadonlySet<string>;
  /** The paragraphs that head a list among others, as "**Phase 1**" does. */
  readonly labels: ReadonlySet<RootContent>;
  /** Those with a number of their own. */
  readonly numbered: ReadonlySet<RootContent>;
}

/**
 * Reads a Markdown document as a tree of goals: headings nest by level, list items are goals, nested lists sub-goals;
 * everything else is the detail of the goal above it, word for word. The rules are in docs/documents.md.
 * Throws INVALID_INPUT for a document that nests too deeply; no other text is invalid.
 */
export function parseDocument(markdown: string, file: string): DocumentOutline {
  return parse(markdown, file, false);
}

/**
 * Parses a document of requirements: like `parse`, with the rows of requirement tables, user stories and what a
 * label names ("**Acceptance criteria**:") told apart.
 */
export function parseRequirements(markdown: string, file: string): DocumentOutline {
  return parse(markdown, file, true);
}

function parse(markdown: string, file: string, requirements: boolean): DocumentOutline {
  const text = mendMarkdown(markdown.startsWith('\uFEFF') ? markdown.slice(1) : markdown);
  checkNesting(text, file);
  const root = newDraft('outline', 0, '', 1, Math.max(1, countLineEnds(text.trimEnd()) + 1));
  const frontMatter = readFrontMatter(text);
  if (frontMatter !== '') root.detail.push(frontMatter);
  const start = { offset: frontMatter.length, line: countLineEnds(frontMatter) };
  const parsed = [...parseBlocks(text, start, file)];
  const blocks = requirements ? labelsApart(parsed, text) : parsed;
  try {
    const named = titleIn(frontMatter);
    const title = titleBlock(blocks) ?? (requirements && named === null ? topHeading(blocks) : undefined);
    if (title !== undefined && saysMore(title.node))
      root.detail.push(sliceOf({ text }, title.node, title.origin));
    const labels = requirements ? groupLabels(blocks) : [new Set<RootContent>(), new Set<RootContent>()];
    addBlocks(
      {
        text,
        file,
        requirements,
        hasTicks: text.includes('✅'),
        signs: requirements ? signsIn(text, blocks) : NO_SIGNS,
        sections: new Set(requirements ? sectionNames(blocks) : []),
        labels: labels[0] ?? new Set(),
        numbered: labels[1] ?? new Set(),
      },
      root,
      title === undefined ? blocks : blocks.filter((block) => block !== title),
    );
    return {
      title:
        title === undefined
          ? (named ?? titleIn(frontMatter, ['feature', 'name', 'Feature Name']) ?? nameIn(blocks))
          : plainText(title.node),
      ...finishDetail(root.detail),
      source: sourceOf(root, file),
      items: root.children.map((child) => {
        const item = finishItem(child, file);
        return requirements ? withBoxesHeld(item) : item;
      }),
    };
  } catch (thrown) {
    if (thrown instanceof RangeError) throw tooDeep(file, 1, thrown);
    throw thrown;
  }
}

function sectionNames(blocks: readonly LocatedBlock[]): readonly string[] {
  return blocks.flatMap(({ node }) => (node.type === 'heading' ? keysOf(plainText(node), false) : []));
}

/** Adds blocks below `parent`; headings among them open sections that the following blocks belong to. */
function addBlocks(reading: Reading, parent: Draft, blocks: readonly LocatedBlock[]): void {
  const open: Draft[] = [parent];
  for (const [index, { node, origin, continued }] of blocks.entries()) {
    const end = lastLineOf(node, origin);
    const next = blocks[index + 1]?.node;
    if (reading.numbered.has(node)) closeSections(open, node, NUMBERED_LEVEL);
    else if (node.type === 'heading' || open.at(-1)?.level === LABEL_LEVEL) closeSections(open, node);
    if (reading.requirements && headsWork(node, next)) closeAside(open);
    const above = open.at(-1) ?? parent;
    if (reading.requirements && SAYS_STATUS.has(node.type)) noteStatus(open, sliceOf(reading, node, origin));
    const special = reading.requirements && addSpecial(reading, open, above, { node, origin }, next);
    if (special) {
      for (const section of open) section.endLine = Math.max(section.endLine, end);
    } else if (node.type === 'heading') addHeading(reading, open, above, { node, origin });
    else if (node.type === 'list')
      addBelowLabel(reading, open, { node, origin, continued, isFollowed: next?.type === 'list' });
    else if (node.type !== 'thematicBreak' && !isMark(node))
      above.detail.push(sliceOf(reading, node, origin));
    for (const section of open) section.endLine = Math.max(section.endLine, end);
  }
}

/** Blocks that may say of the section or the item that they stand in how far it is. */
const SAYS_STATUS: ReadonlySet<string> = new Set(['paragraph', 'blockquote', 'table']);

/** Keeps what is said of a section or an item: where a label stands above, of what is around that. */
function noteStatus(open: readonly Draft[], said: string): void {
  const of = open.findLast(({ level }) => level !== LABEL_LEVEL && level !== NUMBERED_LEVEL) ?? open[0];
  if (of !== undefined) of.status ??= statusIn(said.split(/\r\n|\n|\r/)) ?? undefined;
}

/** Adds what only a reading of requirements tells apart; false when the block is none of that. */
function addSpecial(
  reading: Reading,
  open: Draft[],
  above: Draft,
  { node, origin }: Pick<LocatedBlock, 'node' | 'origin'>,
  next: RootContent | undefined,
): boolean {
  if (node.type === 'table') return addRows(reading, above, node, origin);
  if (node.type !== 'paragraph') return false;
  const text = plainText(node);
  const line = origin.line + (node.position?.start.line ?? 1);
  if (
    reading.labels.has(node) ||
    ((next?.type === 'list' || next?.type === 'table') && isLabel(node, text))
  ) {
    const [first] = node.children;
    const name = reading.labels.has(node) && first !== undefined ? plainText(first) : text;
    const level = reading.numbered.has(node) ? NUMBERED_LEVEL : LABEL_LEVEL;
    const draft = newDraft('heading', level, name.replace(/(?:(?<!\s)\s+)?:\s*$/, ''), line, line);
    if (name !== text && !/^[\s:]*$/.test(text.slice(name.length)))
      draft.detail.push(sliceOf(reading, node, origin));
    markStanding(draft, draft.description, reading, false);
    above.children.push(draft);
    open.push(draft);
    return true;
  }
  const isSaid = next?.type === 'list' && saysBehindLabel(node, text);
  if (!isSaid && (!STORY.test(text) || above.kind !== 'heading')) return false;
  const draft = newDraft('item', ITEM_LEVEL, text, line, lastLineOf(node, origin));
  if (isSaid && saysMore(node)) draft.detail.push(sliceOf(reading, node, origin));
  above.children.push(draft);
  return true;
}

const STORY = /^\W*As an? .{1,200}?,? I(?: would|['’]d)? (?:want|need|like|can|wish|should)\b/i;

function addRows(reading: Reading, above: Draft, table: Table, origin: Origin): boolean {
  const goals = tableGoals(table, above.description, plainText, (cell) =>
    keysOf(cell, true).some((key) => reading.sections.has(key)),
  );
  if (goals === undefined) return false;
  for (const { row, ...goal } of goals) {
    const line = origin.line + (row.position?.start.line ?? 1);
    const draft = newDraft('row', ITEM_LEVEL, goal.description, line, lastLineOf(row, origin));
    if (goal.detail.length > 0) draft.detail.push(goal.detail.join('\n'));
    if (saysMore(row)) draft.detail.push(sliceOf(reading, row, origin));
    draft.checked = goal.complete;
    draft.isTask = goal.isTask;
    draft.row = goal;
    if (goal.onHold !== undefined) draft.onHold = goal.onHold;
    draft.excluded = goal.excluded;
    above.children.push(draft);
  }
  return true;
}

/** A heading without text ends the sections before it and is no goal: what follows belongs to the section around it. */
function addHeading(
  reading: Reading,
  open: Draft[],
  above: Draft,
  { node: heading, origin }: { readonly node: Heading; readonly origin: Origin },
): void {
  const description = plainText(heading);
  if (!hasText(description)) return;
  const line = origin.line + (heading.position?.start.line ?? 1);
  const { isDone, text: name } = readHeadingSign(description, heading.depth, reading.signs);
  const draft = newDraft('heading', heading.depth, name, line, line);
  draft.checked = isDone;
  if (reading.requirements) markStanding(draft, description, reading, false);
  if (saysMore(heading)) draft.detail.push(sliceOf(reading, heading, origin));
  above.children.push(draft);
  open.push(draft);
}

/** Adds a list; boxes behind a blank line and items without are no part of what a label above these names. */
function addBelowLabel(
  reading: Reading,
  open: Draft[],
  {
    node: list,
    origin,
    continued,
    isFollowed,
  }: Pick<LocatedBlock, 'origin' | 'continued'> & { readonly node: List; readonly isFollowed: boolean },
): void {
  const inCode = hasCodeBoxes(list);
  for (const [index, item] of list.children.entries()) {
    const before = list.children[index - 1];
    const label = open.at(-1);
    const endOfLast = origin.line + (before?.position?.end.line ?? Infinity);
    const isApart = endOfLast + 1 < origin.line + (item.position?.start.line ?? 0);
    if (
      isApart &&
      typeof item.checked === 'boolean' &&
      before?.checked === null &&
      label?.level === LABEL_LEVEL
    ) {
      label.endLine = Math.max(label.endLine, endOfLast);
      open.pop();
    }
    const above = open.at(-1);
    if (above === undefined) continue;
    const afterPrevious = list.ordered === true && (index > 0 || continued);
    addItem(reading, above, item, origin, { afterPrevious, inCode });
    const [only, ...others] = item.children;
    if (!reading.requirements || only === undefined || others.length > 0) continue;
    const said = sliceOf(reading, only, origin);
    if (typeof item.checked !== 'boolean') noteStatus(open, said);
    const after = list.children[index + 1];
    if (after !== undefined || isFollowed) cutLabel(open, above, said);
    if (after === undefined || typeof after.checked !== typeof item.checked) cutFacts(open, above, said);
  }
}

/** A line at the margin that begins with its name in bold: "**Plans**: 2". */
const FACT = /^\*\*[^*]{1,40}(?:\*\*:|:\*\*)\s/;

/** Facts right below the last item of a list, in lines of their own, are no part of it: they are told of what is around. */
function cutFacts(open: Draft[], above: Draft, said: string): void {
  const last = above.children.at(-1);
  const lines = said.split(/\r\n|\n|\r/);
  const at = lines.findIndex((line, index) => index > 0 && FACT.test(line));
  const facts = lines.slice(at);
  const plain = facts.join(' ').replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim();
  if (at < 0 || !last?.description.endsWith(plain)) return;
  last.description = last.description.slice(0, -plain.length).trim();
  last.endLine -= facts.length;
  if (above.level === LABEL_LEVEL) open.pop();
  open.at(-1)?.detail.push(facts.join('\n'));
}

/** "Planned:" right below an item, in a line of its own, is no part of it: it heads the items that follow. */
function cutLabel(open: Draft[], above: Draft, said: string): void {
  const last = above.children.at(-1);
  const line = /[\r\n](?=\S)([^\r\n:]{2,40}:[*_]{0,2})[ \t]*$/.exec(said)?.[1];
  const name = line?.replace(/[*_:]/g, '').trim() ?? '';
  if (last === undefined || line === undefined || name.split(' ').length > 4) return;
  if (!last.description.endsWith(`${name}:`)) return;
  last.description = last.description.slice(0, -name.length - 1).trim();
  last.endLine -= 1;
  if (above.level === LABEL_LEVEL) open.pop();
  if (namesTasks(name)) closeAside(open);
  const around = open.at(-1) ?? above;
  if (sectionKind(name, false) === 'work') around.detail.push(line);
  else {
    const label = newDraft('heading', LABEL_LEVEL, name, last.endLine + 1, last.endLine + 1);
    around.children.push(label);
    open.push(label);
  }
}

/** An item without text of its own is no goal: the items nested in it take its place. */
function addItem(
  reading: Reading,
  above: Draft,
  item: ListItem,
  origin: Origin,
  { afterPrevious, inCode }: { readonly afterPrevious: boolean; readonly inCode: boolean },
): void {
  const parts = item.children.map((node) => ({ node, origin, continued: false }));
  const blocks = reading.requirements ? labelsApart(parts, reading.text) : parts;
  const name = nameBlock(blocks.map(({ node }) => node));
  const start = origin.line + (item.position?.start.line ?? 1);
  const end = lastLineOf(item, origin);
  const draft = newDraft('item', ITEM_LEVEL, name?.description ?? '', start, end);
  addBlocks(
    reading,
    draft,
    blocks.filter(({ node }) => !isEmptyBox(node) && (node !== name?.node || !name.complete)),
  );
  if (reading.requirements && name !== undefined) {
    const lines = sliceOf(reading, name.node, origin).split(/\r\n|\n|\r/);
    draft.status ??= statusIn(lines.slice(1)) ?? undefined;
  }
  const box =
    typeof item.checked === 'boolean' || name === undefined || !mayBeginWithBox(name.node, inCode)
      ? null
      : readLooseBox(draft.description);
  const checked = box?.isDone ?? item.checked;
  const said = box?.text ?? draft.description;
  const { isDone, isSigned, text } = readSign(said, reading.signs);
  draft.description = text;
  const isStruck = reading.requirements && name !== undefined && beginsStruck(name.node);
  const isBox = typeof checked === 'boolean';
  const isTold = reading.requirements && !isBox && saysDone(text);
  draft.checked = checked === true || isStruck || isTold || (isDone && checked !== false);
  draft.isTask = isSigned || isBox;
  if (reading.requirements) markStanding(draft, said, reading, isBox);
  if (box !== null && box.mark !== '') markBox(draft, box.mark);
  if (name === undefined) hoist(above, draft, afterPrevious);
  else above.children.push(Object.assign(draft, { afterPrevious }));
}

/** Keeps what the name of a goal says of it. A box is a box: what says in it that it will not be done is on hold. */
function markStanding(draft: Draft, name: string, { hasTicks }: Reading, isBox: boolean): void {
  const holds = draft.kind === 'heading' || draft.children.length > 0;
  const alone = holds ? standingOfSection(name) : null;
  const marked = alone === null ? standingBeside(name, hasTicks) : { standing: alone, said: name };
  if (marked === null || draft.checked) return;
  if (marked.standing === 'done') draft.checked = !isBox;
  else if (marked.standing === 'held' || isBox) draft.onHold = marked.said;
  else draft.excluded = true;
}

/** Keeps the mark in a box that is not ticked. */
function markBox(draft: Draft, mark: string): void {
  const held = heldByBox(mark);
  if (held === undefined) draft.detail.push(`[${mark}]`);
  else draft.onHold = held;
}

/** A block that runs to the end of the document may end at the start of a line that is not there. */
function lastLineOf({ position }: Nodes, origin: Origin): number {
  const end = position?.end ?? { line: 1, column: 2 };
  return origin.line + (end.column === 1 ? Math.max(position?.start.line ?? 1, end.line - 1) : end.line);
}

function hoist(above: Draft, nameless: Draft, afterPrevious: boolean): void {
  const [first] = nameless.children;
  if (first !== undefined && afterPrevious) first.afterPrevious = true;
  for (const each of nameless.children) above.children.push(each);
  for (const each of nameless.detail) above.detail.push(each);
}

function sliceOf({ text }: Pick<Reading, 'text'>, node: Nodes, origin: Origin): string {
  const { position } = node;
  return text.slice(
    origin.offset + (position?.start.offset ?? 0),
    origin.offset + (position?.end.offset ?? 0),
  );
}
