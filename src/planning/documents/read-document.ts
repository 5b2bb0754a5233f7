import { besideCriteria, sectionCriteria, paragraphsOf, scenarioLines } from './criteria.js';
import {
  actionsIn,
  actionsSaid,
  areMinutes,
  documentKind,
  holdsActions,
  isFaultSection,
} from './kinds/document-kind.js';
import { demandsOf, isForbidding } from './demands.js';
import { parseRequirements } from './document.js';
import type { DocumentItem, DocumentOutline } from './document-item.js';
import {
  areCounts,
  areToWrite,
  holdsBoxes,
  isUsed,
  isNegated,
  isTold,
  areTold,
  listsOf,
  isTopic,
  pointsInside,
  preambleLength,
} from './facts.js';
import { normalizedHeading, sectionKind, type SectionKind } from './kinds/heading-kinds.js';
import { readItemName, sequenceNumber } from './item-names.js';
import { withOwnNumbers } from './numbering.js';
import { inSequence, isOrdered, shiftedBy } from './item-order.js';
import {
  countPlanned,
  explainsProduct,
  hasOwnPlan,
  hasRoadmap,
  isDesign,
  isPlanned,
  isReadme,
  namesWork,
} from './kinds/plan-sections.js';
import { isBuilt } from './kinds/built.js';
import { isQuality } from './kinds/quality-sections.js';
import { specificationIn } from './kinds/specification.js';
import { readFault } from './read-fault.js';
import { scenarioLength, scenarioText } from './scenarios.js';
import {
  chooseSections,
  asLeftOut,
  headings,
  unknownHeadings,
  type LeftOut,
  type ReadingChoice,
} from './section-choice.js';
import { areCounted, countTold, isStory, staysBesideCode } from './statements.js';
import { withoutTaskFences } from './task-fences.js';
import { withDropped } from './repeats/overviews.js';
import { withoutRepeats } from './repeats/told-twice.js';
import { explanationOf, explainsOnly, kindOf, runsCommands, type Above, type Reader } from './item-kind.js';

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
  const kind = isChosen(choice) ? 'plan' : documentKind(lines, outline.items, file);
  if (kind === 'fault') return { outline: readFault(outline, lines), leftOut: [], unknown: [] };
  const isPlanNamed = namesWork(outline.items);
  const reader: Reader = {
    kind,
    lines,
    choice,
    inReadme: isReadme(outline, file),
    inMinutes: areMinutes(lines, file),
    explains: explainsProduct(outline) || isBuilt(lines),
    namesWork: isPlanNamed,
    tells: !isChosen(choice) && (isPlanNamed || kind === 'design' || countTold(outline.items) >= FEW),
    hasTicks: lines.some((line) => line.includes('✅')),
    hasRoadmap: hasRoadmap(outline.items),
    hasOwnPlan: kind === 'plan' && !isChosen(choice) && hasOwnPlan(outline.items),
    planned: isChosen(choice) ? 0 : countPlanned(outline.items),
    specification: kind === 'plan' && !isChosen(choice) ? specificationIn(outline, file) : null,
    ofQualities: isQuality(outline.title ?? ''),
    leftOut: [],
  };
  const numbered = withOwnNumbers(outline.items, lines);
  const chosen = withDropped(chooseSections(numbered, choice, reader.leftOut));
  const preamble = isChosen(choice) ? 0 : preambleLength(chosen);
  const above: Above = {
    kind: 'work',
    isRoot: true,
    heading: outline.title ?? '',
    inDesign: kind === 'design' || reader.hasOwnPlan,
  };
  const read = readItems(chosen.slice(preamble), above, reader);
  const said = chosen.slice(0, preamble);
  for (const item of said) reader.leftOut.push({ ...asLeftOut(item, 'context'), heading: '' });
  const detail = [outline.detail, ...said.map((item) => textOf(item, reader)), ...read.detail].filter(
    (part) => part !== undefined && part !== '',
  );
  const told = reader.inMinutes ? actionsSaid(outline, outline.items, lines) : [];
  const items = shiftedBy([...told, ...read.items], told.length);
  const whole: DocumentItem = {
    kind: 'heading',
    description: outline.title ?? '',
    source: outline.source,
    complete: false,
    afterPrevious: false,
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    children: items,
    ...(read.acceptance.length === 0 ? {} : { acceptance: read.acceptance }),
    ...(read.outOfScope.length === 0 ? {} : { outOfScope: [...new Set(read.outOfScope)] }),
  };
  return {
    outline: outlineOf(outline.title, isChosen(choice) ? whole : withoutRepeats(whole, lines)),
    leftOut: reader.leftOut.toSorted((a, b) => a.start_line - b.start_line),
    unknown: unknownHeadings(outline.items, choice),
  };
}

function outlineOf(title: string | null, whole: DocumentItem): DocumentOutline {
  const { detail, source, children, acceptance, outOfScope, told } = whole;
  return {
    title,
    source,
    ...(detail === undefined ? {} : { detail }),
    items: children,
    ...(acceptance === undefined ? {} : { acceptance }),
    ...(outOfScope === undefined ? {} : { outOfScope }),
    ...(told === undefined ? {} : { told }),
  };
}

/** Whether it was said which parts of a document are work. */
function isChosen({ all, only = [], skip = [] }: ReadingChoice): boolean {
  return all === true || only.length + skip.length > 0;
}

/** With fewer parts that tell somebody what to do, a document may say all that is to be done by its headings. */
const FEW = 6;

/** What becomes of the children of one heading or item. */
interface ReadItems {
  readonly items: DocumentItem[];
  readonly acceptance: string[];
  readonly outOfScope: string[];
  readonly detail: string[];
}

function readItems(children: readonly DocumentItem[], above: Above, reader: Reader): ReadItems {
  const read: ReadItems = { items: [], acceptance: [], outOfScope: [], detail: [] };
  const lists = listsOf(children, reader.lines);
  const isOpen =
    reader.hasTicks || /\b(?:missing|remaining|to ?do|gaps?|status|phase|left|needed)\b/i.test(above.heading);
  const negated = new Set(lists.filter((list) => isNegated(list, reader.lines, isOpen)).flat());
  const used = new Set(lists.filter((list) => areCounts(list) || isUsed(list, reader.lines)).flat());
  const isAllTold = above.inDesign === true && areTold(children, reader.hasOwnPlan);
  const told =
    above.inDesign === true
      ? lists.filter(
          (list) =>
            areTold(list, reader.hasOwnPlan) ||
            (isAllTold && list.some((each) => isTold(each) && !isForbidding(each))),
        )
      : [];
  const tells = new Set(told.flat());
  const namesTopics =
    children.some(({ description }) => isTopic(description)) && areToWrite(above.heading, children);
  const isWorkAbove = above.kind === 'work' && above.isRoot !== true;
  const hasOthers = isWorkAbove || !children.every(isForbidding);
  const here = { ...above, namesTopics, hasOthers };
  for (let at = 0; at < children.length; at += 1) {
    const rest = children.slice(at, at + 12);
    const length = scenarioLength(rest.map((item) => (item.kind === 'item' ? item.description : '')));
    const [item] = rest;
    if (item === undefined) continue;
    if (length === 0)
      readItem(
        item,
        { ...here, tells: tells.has(item), negated: negated.has(item), isKnown: used.has(item) },
        reader,
        read,
      );
    else {
      const steps = rest.slice(0, length);
      read.acceptance.push(scenarioText(null, steps.flatMap(scenarioLines)));
      for (const each of steps.flatMap(withMore)) read.detail.push(textOf(each, reader));
      at += length - 1;
    }
  }
  return { ...read, items: [...inSequence(read.items, isOrdered(above) && !areCounted(read.items))] };
}

function readItem(item: DocumentItem, above: Above, reader: Reader, read: ReadItems): void {
  const kind = kindOf(item, above, reader);
  const isAim =
    kind === 'aims' && (reader.namesWork || reader.tells) && !holdsBoxes(item) && reader.choice.all !== true;
  if (kind === 'context' || isAim) {
    leaveOut(item, 'context', reader, read);
  } else if (kind === 'out_of_scope') {
    for (const each of textsOf(item, reader)) read.outOfScope.push(each);
    for (const each of withMore(item)) read.detail.push(textOf(each, reader));
    reader.leftOut.push(asLeftOut(item, 'out_of_scope'));
  } else if (kind === 'acceptance') {
    for (const each of sectionCriteria(item)) read.acceptance.push(each);
    for (const each of besideCriteria(item)) read.detail.push(each);
    for (const each of withMore(item)) read.detail.push(textOf(each, reader));
  } else {
    readWork(item, kind, above, reader, read);
  }
}

/** Keeps the text of what is no goal as detail of the goal above. */
function leaveOut(item: DocumentItem, why: LeftOut['why'], reader: Reader, read: ReadItems): void {
  read.detail.push(textOf(item, reader));
  if (reader.inMinutes && item.kind === 'heading')
    for (const each of [item, ...headings(item.children)])
      for (const said of actionsSaid(each, each.children, reader.lines)) read.items.push(said);
  if (reader.kind === 'record')
    for (const each of actionsIn(item.children, reader.inMinutes))
      if (!pointsInside(each, reader.lines)) read.items.push(each);
  if (item.kind === 'heading') reader.leftOut.push(asLeftOut(item, why));
  else reader.leftOut.push({ ...asLeftOut(item, why), heading: '' });
}

function textOf({ source }: DocumentItem, { lines }: Reader): string {
  return lines
    .slice(source.start_line - 1, source.end_line)
    .join('\n')
    .trim();
}

/** The items that say more than their words: the address of a link, code. */
function withMore({ children, ...item }: DocumentItem): readonly DocumentItem[] {
  const below = children.flatMap(withMore);
  return item.kind !== 'heading' && item.detail !== undefined ? [{ ...item, children }] : below;
}

/** What an item says when it is no goal: its parts, or its own text. */
function textsOf(item: DocumentItem, reader: Reader): readonly string[] {
  if (item.kind !== 'heading') {
    const name = readItemName(item.description, item.hasOwnNumber).text;
    return [
      item.children.length === 0
        ? name
        : `${name} ${item.children.map(({ description }) => description).join('; ')}`,
    ];
  }
  const parts = item.children.flatMap((child) => textsOf(child, reader));
  const prose = item.detail === undefined ? [] : paragraphsOf(item.detail, parts.length > 0);
  const isName = !/[:：]\s*\S/.test(item.description);
  return isName && sectionKind(item.description, false) === 'out_of_scope'
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
  const explained = explanationOf(item, kind, above, reader);
  const isGoal = (child: DocumentItem) =>
    explained === null || (explained === 'code' && staysBesideCode(child, reader.lines));
  const inDesign = isInDesign(item, above, reader);
  const below = readItems(
    item.children.filter(isGoal),
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
  if (explained !== 'criteria')
    for (const each of item.children) if (!isGoal(each)) leaveOut(each, 'context', reader, below);
  if (explained === 'criteria') {
    for (const each of item.children.flatMap(sectionCriteria)) below.acceptance.push(each);
    for (const each of item.children.flatMap(withMore)) below.detail.push(textOf(each, reader));
  }
  const { text, tags, parallel } = readItemName(item.description, item.hasOwnNumber);
  const story = kind === 'work' ? storyAlone(item, below.items) : undefined;
  if (story !== undefined) {
    below.detail.unshift(textOf(story, reader));
    below.items.pop();
  }
  const isNoted = reader.inMinutes && kind === 'container' && item.kind === 'heading';
  const said = isNoted ? actionsSaid(item, item.children, reader.lines) : [];
  const items = [...demandsOf(item, kind, below.items.length), ...said, ...below.items];
  if (kind === 'container') {
    // A heading such as "Tasks" groups; what is said there holds for the goal above it.
    for (const each of below.acceptance.splice(0)) read.acceptance.push(each);
    for (const each of below.outOfScope.splice(0)) read.outOfScope.push(each);
  }
  const isDescribed =
    explained !== null || story !== undefined || (inDesign && kind === 'work' && below.detail.length > 0);
  const isProven = below.acceptance.length + (item.acceptance ?? []).length > 0;
  // A section that describes what is planned in others: nobody is told in it to do something.
  const isAside =
    reader.hasOwnPlan &&
    inDesign &&
    item.kind === 'heading' &&
    !isTold({ ...item, description: readItemName(item.description).text, children: [] }) &&
    !runsCommands(item) &&
    !isProven;
  const onlyExplains =
    explained !== 'flow' && kind === 'work' && !isProven && explainsOnly(item, above, reader);
  // Limits alone say how a part of the work has to be: the part stays, and so does one that boxes prove.
  const isNamed = sectionKind(item.description, false) === 'work' && holdsBoxes(item);
  const isPart = kind === 'work' && isProven && (above.holdsWork === true || isNamed);
  const isBare =
    (story === undefined && (isAside || onlyExplains)) ||
    (!isDescribed && !isPart && isBareHeading(item, kind));
  if (items.length === 0 && isBare && reader.choice.all !== true) return leaveBare(item, below, reader, read);
  const detail = [item.detail, ...below.detail].filter((part) => part !== undefined && part !== '');
  const allTags = [...new Set([...tags, ...(item.tags ?? [])])];
  const acceptance = [...(item.acceptance ?? []), ...below.acceptance];
  const { detail: _old, acceptance: _own, tags: _tags, ...rest } = item;
  read.items.push({
    ...rest,
    // What a change removes is named like what it adds.
    description: normalizedHeading(above.heading) === 'removed requirement' ? `Remove: ${text}` : text,
    children: shiftedBy(items, items.length - below.items.length),
    ...(parallel ? { parallel } : {}),
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    ...(allTags.length === 0 ? {} : { tags: allTags }),
    ...(acceptance.length === 0 ? {} : { acceptance }),
    ...(below.outOfScope.length === 0 ? {} : { outOfScope: below.outOfScope }),
  });
}

/** How a fault is mended: the fault is the goal. */
const REMEDY =
  /^(?:(?:suggested|proposed|recommended|possible|planned) )?(?:fix|solution|remedy|resolution)(?: options?)?:(?:\s|$)/i;

/** The story that a heading tells, or how what it names is mended, where nothing else stands below it. */
function storyAlone(
  { kind, description, complete }: DocumentItem,
  items: readonly DocumentItem[],
): DocumentItem | undefined {
  const [only, ...others] = items;
  const isAlone =
    kind === 'heading' &&
    sequenceNumber(description) === null &&
    others.length === 0 &&
    only?.children.length === 0;
  return isAlone &&
    (complete || !only.complete) &&
    only.onHold === undefined &&
    (isStory(only.description) || REMEDY.test(only.description))
    ? only
    : undefined;
}

function isInDesign(item: DocumentItem, above: Above, { kind }: Reader): boolean {
  if (kind === 'record' && item.kind === 'heading' && holdsActions(item)) return false;
  const begins = kind === 'record' && item.kind === 'heading';
  return (begins || above.inDesign === true) && !(item.kind === 'heading' && isPlanned(item.description));
}

function isBareHeading({ kind, description, children, detail }: DocumentItem, section: SectionKind): boolean {
  const isEmpty = children.length > 0 && detail === undefined && !children.some(isFaultSection);
  return (
    kind === 'heading' &&
    // "Step 2" is one of a row, whatever is said below it.
    (section === 'container' || (isEmpty && sequenceNumber(description) === null))
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
