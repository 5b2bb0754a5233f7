import { sectionCriteria, paragraphsOf, SCENARIO, scenarioLines } from './criteria.js';
import { documentKind, expectedIn, holdsActions, isActionSection } from './document-kind.js';
import type { DocumentKind } from './document-kind.js';
import { demandsOf, REQUIRES } from './demands.js';
import { parseRequirements } from './document.js';
import type { DocumentItem, DocumentOutline } from './document-item.js';
import {
  actionsIn,
  areFacts,
  isContents,
  pointsInside,
  isTold,
  areTold,
  holdsTasks,
  readsLikeWork,
  LABELLED,
  preambleLength,
  saysNoWork,
} from './facts.js';
import {
  isWeakContext,
  kindByLastWord,
  normalizedHeading,
  sectionKind,
  type SectionKind,
} from './heading-kinds.js';
import { readItemName } from './item-names.js';
import { inSequence, isOrdered } from './item-order.js';
import {
  explainsProduct,
  holdsPlanned,
  hasOwnPlan,
  hasRoadmap,
  isDesign,
  isPlanned,
  isReadme,
  namesWork,
} from './plan-sections.js';
import { isScenario, scenarioLength, scenarioText } from './scenarios.js';
import {
  chooseSections,
  headings,
  asLeftOut,
  unknownHeadings,
  type LeftOut,
  type ReadingChoice,
} from './section-choice.js';
import { withoutTaskFences } from './task-fences.js';

/** A document read as what is to be done. */
export interface DocumentReading {
  readonly outline: DocumentOutline;
  readonly leftOut: readonly LeftOut[];
  /** Headings that `only` and `skip` named and that the document does not have. */
  readonly unknown: readonly string[];
}

/**
 * Reads a Markdown document as requirements: headings that only explain are left out and kept as detail, non-goals and
 * acceptance criteria belong to the goal that they stand under. The rules are in docs/documents.md.
 * Throws INVALID_INPUT for a document that nests too deeply.
 */
export function readDocument(markdown: string, file: string, choice: ReadingChoice = {}): DocumentReading {
  const outline = parseRequirements(withoutTaskFences(markdown), file);
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const kind = isChosen(choice) ? 'plan' : documentKind(lines);
  if (kind === 'fault') return readFault(outline, lines);
  const reader: Reader = {
    kind,
    lines,
    choice,
    inReadme: isReadme(outline, file),
    explains: explainsProduct(outline),
    namesWork: namesWork(outline.items),
    hasRoadmap: hasRoadmap(outline.items),
    hasOwnPlan: kind === 'plan' && !isChosen(choice) && hasOwnPlan(outline.items),
    leftOut: [],
  };
  const chosen = chooseSections(outline.items, choice, reader.leftOut);
  const preamble = isChosen(choice) ? 0 : preambleLength(chosen);
  const above: Above = {
    kind: 'work',
    heading: outline.title ?? '',
    inDesign: kind === 'design' || reader.hasOwnPlan,
  };
  const read = readItems(chosen.slice(preamble), above, reader);
  const said = chosen.slice(0, preamble);
  for (const item of said) reader.leftOut.push({ ...asLeftOut(item, 'context'), heading: '' });
  const detail = [outline.detail, ...said.map((item) => textOf(item, reader)), ...read.detail].filter(
    (part) => part !== undefined && part !== '',
  );
  return {
    outline: {
      title: outline.title,
      source: outline.source,
      ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
      items: read.items,
      ...(read.acceptance.length === 0 ? {} : { acceptance: read.acceptance }),
      ...(read.outOfScope.length === 0 ? {} : { outOfScope: read.outOfScope }),
    },
    leftOut: reader.leftOut.toSorted((a, b) => a.start_line - b.start_line),
    unknown: unknownHeadings(outline.items, choice),
  };
}

/** Whether it was said which parts of a document are work. */
function isChosen({ all, only = [], skip = [] }: ReadingChoice): boolean {
  return all === true || only.length + skip.length > 0;
}

/**
 * A report of a fault is one goal: all that it says is what is known of that, what was expected is its criterion. Only boxes
 * are parts.
 */
function readFault(outline: DocumentOutline, lines: readonly string[]): DocumentReading {
  const tasks = tasksIn(outline.items);
  const taken = new Set(
    tasks.flatMap(({ source: { start_line: from, end_line: to } }) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
    ),
  );
  const isTitle = (line: string) => line.startsWith('# ') && line.slice(2).trim() === outline.title;
  const detail = lines
    .filter((line, index) => !taken.has(index + 1) && !isTitle(line))
    .join('\n')
    .trim();
  const acceptance = expectedIn(lines).flatMap(paragraphsOf);
  return {
    outline: {
      title: outline.title,
      source: outline.source,
      ...(detail === '' ? {} : { detail }),
      items: tasks,
      ...(acceptance.length === 0 ? {} : { acceptance }),
    },
    leftOut: [],
    unknown: [],
  };
}

function tasksIn(items: readonly DocumentItem[]): readonly DocumentItem[] {
  return items.flatMap((item) => (item.isTask === true ? [item] : tasksIn(item.children)));
}

interface Reader {
  readonly kind: DocumentKind;
  readonly lines: readonly string[];
  readonly choice: ReadingChoice;
  readonly inReadme: boolean;
  /** Whether it tells how a product is installed and used. */
  readonly explains: boolean;
  /** Whether a section says by its heading that it holds what is to be done. */
  readonly namesWork: boolean;
  readonly hasRoadmap: boolean;
  /** Whether it says in sections of its own what is to be done: what others list describes that. */
  readonly hasOwnPlan: boolean;
  readonly leftOut: LeftOut[];
}

/** What becomes of the children of one heading or item. */
interface ReadItems {
  readonly items: DocumentItem[];
  readonly acceptance: string[];
  readonly outOfScope: string[];
  readonly detail: string[];
}

interface Above {
  /** Whether it, or a section around it, says that work stands in it. */
  readonly holdsWork?: boolean;
  /** Whether it describes what is designed, so that a list is work only where somebody is told to do it. */
  readonly inDesign?: boolean;
  /** Whether a list that describes what is planned elsewhere tells somebody, all in all, to do what it says. */
  readonly tells?: boolean;
  readonly kind: SectionKind;
  readonly heading: string;
}

function readItems(children: readonly DocumentItem[], above: Above, reader: Reader): ReadItems {
  const read: ReadItems = { items: [], acceptance: [], outOfScope: [], detail: [] };
  const tells = above.inDesign === true ? areTold(children, reader.hasOwnPlan) : undefined;
  const here = tells === undefined ? above : { ...above, tells };
  for (let at = 0; at < children.length; at += 1) {
    const rest = children.slice(at, at + 12);
    const length = scenarioLength(rest.map((item) => (item.kind === 'item' ? item.description : '')));
    const [item] = rest;
    if (item === undefined) continue;
    if (length === 0) readItem(item, here, reader, read);
    else {
      read.acceptance.push(scenarioText(null, rest.slice(0, length).flatMap(scenarioLines)));
      at += length - 1;
    }
  }
  return { ...read, items: [...inSequence(read.items, isOrdered(above))] };
}

function readItem(item: DocumentItem, above: Above, reader: Reader, read: ReadItems): void {
  const kind = kindOf(item, above, reader);
  if (kind === 'context' || (kind === 'aims' && reader.namesWork && reader.choice.all !== true)) {
    leaveOut(item, 'context', reader, read);
  } else if (kind === 'out_of_scope') {
    for (const each of textsOf(item, reader)) read.outOfScope.push(each);
    reader.leftOut.push(asLeftOut(item, 'out_of_scope'));
  } else if (kind === 'acceptance') {
    for (const each of sectionCriteria(item)) read.acceptance.push(each);
  } else {
    readWork(item, kind, above, reader, read);
  }
}

function kindOf(item: DocumentItem, above: Above, reader: Reader): SectionKind {
  const { description, kind, children } = item;
  if (item.excluded === true) return 'out_of_scope';
  if (SCENARIO.test(readItemName(description).text) && (kind === 'heading' || children.length > 0))
    return 'acceptance';
  if (kind === 'heading') return headingKind(item, above, reader);
  if (above.kind === 'acceptance' || isScenario(description)) return 'acceptance';
  if (children.length > 0) {
    const known = sectionKind(description, false);
    if (known === 'acceptance' || known === 'out_of_scope') return known;
    if (known === 'context' && item.isTask !== true && reader.choice.all !== true) return known;
  }
  const label = LABELLED.exec(description)?.[1] ?? '';
  const labelled = sectionKind(label, false);
  if (labelled === 'acceptance' && item.isTask !== true && children.length === 0) return 'acceptance';
  const isLabelled = labelled === 'context' && !isWeakContext(label);
  const isNoWork =
    isLabelled ||
    saysNoWork(description) ||
    pointsInside(item, reader.lines) ||
    (above.inDesign === true && above.tells !== true && !REQUIRES.test(description));
  return isNoWork && item.isTask !== true && kind === 'item' && reader.choice.all !== true
    ? 'context'
    : 'work';
}

function headingKind(item: DocumentItem, above: Above, reader: Reader): SectionKind {
  const { inReadme, hasRoadmap, choice } = reader;
  if (reader.kind === 'record' && above.holdsWork !== true) return recordKind(item, inReadme);
  const isAside = isContents(item, reader.lines) || (item.description.endsWith('?') && !holdsTasks(item));
  if (isAside && choice.all !== true) return 'context';
  const kind = sectionKind(item.description, inReadme);
  // A README with a roadmap tells what there is and what is to come.
  if (
    inReadme &&
    hasRoadmap &&
    /^(?:key |core )?feature$/.test(normalizedHeading(item.description)) &&
    choice.all !== true
  )
    return 'context';
  if (kind === 'work' && reader.explains && above.holdsWork !== true && choice.all !== true)
    return holdsTasks(item) || holdsPlanned(item) ? 'work' : 'context';
  const isWorkNamed = reader.namesWork || reader.hasOwnPlan || reader.kind === 'design';
  if (kind === 'work' && above.holdsWork !== true && isWorkNamed && choice.all !== true)
    return kindOfUnknown(item);
  if (kind !== 'context') return kind;
  if (choice.all === true || holdsTasks(item)) return 'work';
  const below = headings(item.children).map(({ description }) => sectionKind(description, inReadme));
  if (below.includes('container') && !inReadme) return 'container';
  return isWeakContext(item.description) && readsLikeWork(item.children) ? 'work' : 'context';
}

/** What a section is whose heading is none of those that are known: its last word may tell. */
function kindOfUnknown({ description, children, ...item }: DocumentItem): SectionKind {
  const told = kindByLastWord(description);
  if (told === undefined || told === 'container') return told ?? 'work';
  const isWork =
    holdsTasks({ ...item, description, children }) || (told === 'weak' && readsLikeWork(children));
  return isWork ? 'work' : 'context';
}

/** What a section of a decision record, an RFC or a post-mortem is: what it explains is no work. */
function recordKind(item: DocumentItem, inReadme: boolean): SectionKind {
  const { description, children } = item;
  if (holdsActions(item)) return 'container';
  const known = sectionKind(description, inReadme);
  if (known === 'acceptance' || known === 'out_of_scope') return known;
  if (description.endsWith('?')) return 'context';
  if (tasksIn([item]).length > 0) return 'container';
  const hasActions = headings(children).some((each) => isActionSection(each.description));
  return isDesign(item, inReadme) || hasActions ? 'container' : 'context';
}

/** Keeps the text of what is no goal as detail of the goal above. */
function leaveOut(item: DocumentItem, why: LeftOut['why'], reader: Reader, read: ReadItems): void {
  read.detail.push(textOf(item, reader));
  if (reader.kind === 'record') for (const each of actionsIn(item.children)) read.items.push(each);
  if (item.kind === 'heading') reader.leftOut.push(asLeftOut(item, why));
  else reader.leftOut.push({ ...asLeftOut(item, why), heading: '' });
}

function textOf({ source }: DocumentItem, { lines }: Reader): string {
  return lines
    .slice(source.start_line - 1, source.end_line)
    .join('\n')
    .trim();
}

/** What an item says when it is no goal: its parts, or its own text. */
function textsOf(item: DocumentItem, reader: Reader): readonly string[] {
  if (item.kind !== 'heading') {
    const name = readItemName(item.description).text;
    return [
      item.children.length === 0
        ? name
        : `${name} ${item.children.map(({ description }) => description).join('; ')}`,
    ];
  }
  const parts = item.children.flatMap((child) => textsOf(child, reader));
  const prose = item.detail === undefined ? [] : paragraphsOf(item.detail);
  return sectionKind(item.description, false) === 'out_of_scope'
    ? [...prose, ...parts]
    : [item.description, ...prose, ...parts];
}

function readWork(
  item: DocumentItem,
  kind: SectionKind,
  above: Above,
  reader: Reader,
  read: ReadItems,
): void {
  const holdsFacts = kind === 'work' && reader.choice.all !== true && areFacts(item.children);
  const inDesign = isInDesign(item, above, reader);
  const below = readItems(
    holdsFacts ? [] : item.children,
    {
      kind,
      heading: item.description,
      holdsWork:
        above.holdsWork === true ||
        (kind === 'container' &&
          (reader.kind !== 'record' || holdsActions(item) || isDesign(item, reader.inReadme))),
      inDesign,
    },
    reader,
  );
  if (holdsFacts) for (const each of item.children) leaveOut(each, 'context', reader, below);
  const { text, tags, parallel } = readItemName(item.description);
  const items = [...demandsOf(item, kind, below.items.length), ...below.items];
  if (kind === 'container') {
    // A heading such as "Tasks" groups; what is said there holds for the goal above it.
    for (const each of below.acceptance.splice(0)) read.acceptance.push(each);
    for (const each of below.outOfScope.splice(0)) read.outOfScope.push(each);
  }
  const isDescribed = holdsFacts || (inDesign && kind === 'work' && below.detail.length > 0);
  const isProven = below.acceptance.length + (item.acceptance ?? []).length > 0;
  // A section that describes what is planned in others: nobody is told in it to do something.
  const isAside =
    reader.hasOwnPlan &&
    inDesign &&
    item.kind === 'heading' &&
    !isTold({ ...item, children: [] }) &&
    !isProven;
  const isBare = isAside || (!isDescribed && isBareHeading(item, kind));
  if (items.length === 0 && isBare && reader.choice.all !== true) return leaveBare(item, below, reader, read);
  const detail = [item.detail, ...below.detail].filter((part) => part !== undefined && part !== '');
  const allTags = [...new Set([...tags, ...(item.tags ?? [])])];
  const acceptance = [...(item.acceptance ?? []), ...below.acceptance];
  const { detail: _old, acceptance: _own, tags: _tags, ...rest } = item;
  read.items.push({
    ...rest,
    // What a change removes is named like what it adds.
    description: normalizedHeading(above.heading) === 'removed requirement' ? `Remove: ${text}` : text,
    children: shifted(items, items.length - below.items.length),
    ...(parallel ? { parallel } : {}),
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    ...(allTags.length === 0 ? {} : { tags: allTags }),
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(below.outOfScope.length === 0 ? {} : { outOfScope: below.outOfScope }),
  });
}

function isInDesign(item: DocumentItem, above: Above, { kind }: Reader): boolean {
  const begins = kind === 'record' && item.kind === 'heading' && !holdsActions(item);
  return (begins || above.inDesign === true) && !(item.kind === 'heading' && isPlanned(item.description));
}

function isBareHeading({ kind, children, detail }: DocumentItem, section: SectionKind): boolean {
  return kind === 'heading' && (section === 'container' || (children.length > 0 && detail === undefined));
}

/** The items with their places moved by those that were put before them. */
function shifted(items: readonly DocumentItem[], by: number): readonly DocumentItem[] {
  if (by === 0) return items;
  return items.map((item, index) =>
    index < by ? item : { ...item, after: (item.after ?? []).map((position) => position + by) },
  );
}

/** A heading that names no work of its own and has none below it. */
function leaveBare(item: DocumentItem, below: ReadItems, reader: Reader, read: ReadItems): void {
  for (const each of below.acceptance) read.acceptance.push(each);
  for (const each of below.outOfScope) read.outOfScope.push(each);
  const isRead = item.children.length > 0 && item.detail === undefined && below.detail.length === 0;
  if (isRead) return;
  read.detail.push(textOf(item, reader));
  reader.leftOut.push(asLeftOut(item, 'context'));
}
