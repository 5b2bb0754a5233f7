import { contentStems } from '../../kernel/text/content-stems.js';
import type { DocumentItem } from './document-item.js';
import { isVerb } from './english/lexicon.js';
import { readItemName, sequenceNumber } from './item-names.js';
import { isActionSection } from './kinds/document-kind.js';
import { kindByLastWord, normalizedHeading, sectionKind } from './kinds/heading-kinds.js';
import { isPlan, namesStories } from './kinds/plan-sections.js';

/** Words that say of no work what it is about. */
const GENERIC = new Set(
  contentStems(
    `implement implementation integrate integration integrated function functionality functional system systems basic full core
    simple enhanced enhance initial feature features support add create build develop development set setup complete app
    application page screen user users able new advanced manage management improve improvements data use provide
    test tests testing document documentation deploy deployment design ui ux update make allow enable module component service
    project work task handle handling main key general additional optional mvp first version phase`,
  ),
);

/** The view of the work that a section has: told as stories, as what the product has, or as what is done in order. */
type View = 'stories' | 'features' | 'plan';

const ACTS = /^(?:recommended|required|immediate) (?:action|step)$/;
const STORY = /^\W*As an? .{1,200}?,? I(?: would|['’]d)? (?:want|need|like|can|wish|should)(?: to)?\b/i;

function viewOf({ description, children }: DocumentItem): View {
  const name = normalizedHeading(description);
  const isTold = children.length > 0 && children.every((child) => STORY.test(child.description));
  if (namesStories(description) || isTold) return 'stories';
  const isInOrder = sequenceNumber(description) !== null || isPlan(description);
  return isInOrder || isActionSection(description) || ACTS.test(name) ? 'plan' : 'features';
}

/** A goal of one view, with the words that say what it is about. */
interface Told {
  readonly item: DocumentItem;
  readonly stems: ReadonlySet<string>;
  /** The last word of what it names: "rebuild" of "Search index rebuild"; nothing where that says of no work what it is. */
  readonly noun?: string | undefined;
}

/**
 * Returns goals without those that say again what others say: what they say becomes detail of the goal that they repeat, and
 * what stands below them its parts. Those are goals that say the same in sections of two kinds, and what features and
 * stories say of a plan, or stories of features, where several goals of a section do so.
 */
export function withoutRepeats(
  items: readonly DocumentItem[],
  lines: readonly string[],
): readonly DocumentItem[] {
  const read = withoutViews(items, lines);
  return withoutMerged(read, equalGoals(read), lines);
}

function withoutViews(items: readonly DocumentItem[], lines: readonly string[]): readonly DocumentItem[] {
  const views = items.map((item) =>
    item.kind === 'heading' && item.children.length > 0 ? viewOf(item) : null,
  );
  const ofView = (view: View) => items.filter((_, index) => views[index] === view);
  const [plan, features, stories] = [ofView('plan'), ofView('features'), ofView('stories')];
  const merged = new Map<DocumentItem, DocumentItem>();
  pair(features, plan, merged);
  pair(stories, [...plan, ...features], merged);
  return merged.size === 0
    ? items.map((item) => ({ ...item, children: withoutViews(item.children, lines) }))
    : withoutMerged(items, merged, lines);
}

function withoutMerged(
  items: readonly DocumentItem[],
  merged: Map<DocumentItem, DocumentItem>,
  lines: readonly string[],
): readonly DocumentItem[] {
  if (merged.size === 0) return items;
  addEmptied(items, merged);
  const told = new Map<DocumentItem, DocumentItem[]>();
  for (const [source, target] of merged) told.set(target, [...(told.get(target) ?? []), source]);
  return rebuilt(items, { merged, told, lines });
}

/** A goal with what stands above it, and all that its words are about. */
interface Placed extends Told {
  readonly above: readonly DocumentItem[];
  /** What must be the same besides: its state, its numbers, whether it forbids. */
  readonly mark: string;
}

/** Returns the goals without parts that say what a goal in a section of another kind says, each with that goal. */
function equalGoals(items: readonly DocumentItem[]): Map<DocumentItem, DocumentItem> {
  const merged = new Map<DocumentItem, DocumentItem>();
  const goals = items.flatMap((item) => placedIn(item, [])).toSorted((a, b) => rankOf(b) - rankOf(a));
  if (goals.length * goals.length > MOST) return merged;
  const kept = new Map<string, Placed[]>();
  for (const goal of goals) {
    const { item, mark, above } = goal;
    const others = kept.get(mark) ?? [];
    const mayGo = (other: Placed) =>
      (!isInOrder(goal) || isInOrder(other)) &&
      (item.detail === undefined || item.detail === other.item.detail);
    const same =
      item.children.length > 0
        ? undefined
        : others.find(
            (other) =>
              saysSame(goal, other) &&
              mayGo(other) &&
              maySaySame(item, other.item) &&
              areViews(above, other.above),
          );
    if (same === undefined) others.push(goal);
    else merged.set(item, same.item);
    kept.set(mark, others);
  }
  return merged;
}

function placedIn(item: DocumentItem, above: readonly DocumentItem[]): readonly Placed[] {
  const { text } = readItemName(item.description);
  const stems = new Set(contentStems(text));
  const isNamed = [...stems].filter((stem) => !GENERIC.has(stem)).length > 1;
  const mark = [
    item.complete,
    /\b(?:no|not|never|without)\b/i.test(text),
    ...(text.match(/\d+/g) ?? []),
  ].join();
  const below = item.children.flatMap((child) => placedIn(child, [...above, item]));
  return isNamed ? [{ item, stems, above, mark }, ...below] : below;
}

/** Goals with an order stay before others, those with parts and more to say before those without. */
function rankOf({ item, above }: Placed): number {
  return (
    (item.children.length > 0 ? 4 : 0) + (isInOrder({ above }) ? 2 : 0) + (item.detail === undefined ? 0 : 1)
  );
}

function isInOrder({ above }: Pick<Placed, 'above'>): boolean {
  return above.some(({ description }) => sequenceNumber(description) !== null || isPlan(description));
}

function saysSame(one: Placed, other: Placed): boolean {
  const common = [...one.stems].filter((stem) => other.stems.has(stem)).length;
  const all = one.stems.size + other.stems.size - common;
  return common === all || (common > 2 && common / all >= 0.75);
}

/** Whether two goals stand in sections that tell of the same work, each in its way, and not of two parts of it. */
function areViews(one: readonly DocumentItem[], other: readonly DocumentItem[]): boolean {
  const at = one.findIndex((item, index) => item !== other[index]);
  const parts = [one[at], other[at]].map((item) => item?.description ?? '');
  const [first = '', second = ''] = parts.map((name) => normalizedHeading(name).split(' ').at(-1) ?? '');
  if (at < 0 || first === second || parts.every((name) => sequenceNumber(name) !== null)) return false;
  const areTests = [one, other].map((above) => above.some(({ description }) => TESTS.test(description)));
  return areTests[0] === areTests[1] && parts.some(isView);
}

const TESTS = /\b(?:tests?|tested|testing|qa|verif\w+|validat\w+|checks?|documentation|docs)\b/i;

/** Whether a heading says in what way it tells of the work, and of which part only besides. */
function isView(heading: string): boolean {
  return (
    sectionKind(heading, false) === 'container' ||
    kindByLastWord(heading) !== undefined ||
    sequenceNumber(heading) !== null ||
    isPlan(heading) ||
    isActionSection(heading)
  );
}

/** Finds for each goal of some sections the one of others that says the same, if several have one. */
function pair(
  from: readonly DocumentItem[],
  to: readonly DocumentItem[],
  merged: Map<DocumentItem, DocumentItem>,
): void {
  const targets = to
    .flatMap(({ children }) => children.flatMap(goalsIn))
    .filter(({ item }) => !merged.has(item));
  const sources = from.flatMap((item) => [
    ...(viewOf(item) === 'features' ? [toldIn(item)] : []),
    ...item.children.flatMap(goalsIn),
  ]);
  if (sources.length * targets.length > MOST) return;
  const found = sources.flatMap((source) => {
    const [best] = targets
      .filter(
        ({ item }) =>
          item.complete === source.item.complete &&
          (item.children.length === 0 || source.item.children.length === 0) &&
          maySaySame(source.item, item),
      )
      .filter(({ stems, noun }) => isIn(noun, source.stems) && isIn(source.noun, stems))
      .map((target) => ({
        source: source.item,
        target: target.item,
        share: shareOf(source.stems, target.stems),
      }))
      .filter(({ share }) => share >= ENOUGH)
      .toSorted((a, b) => b.share - a.share);
    return best === undefined ? [] : [best];
  });
  const least = Math.min(countLeaves(sources), countLeaves(targets));
  const pairs = withoutVariants(found);
  if (pairs.length < 2 || (pairs.length < SURE && pairs.length * 4 < least)) return;
  for (const { source, target } of pairs) merged.set(source, target);
}

interface Pair {
  readonly source: DocumentItem;
  readonly target: DocumentItem;
}

/** Where several say what one says, they tell of several: only the one with its words is it, "PDF import" beside "CSV import". */
function withoutVariants(pairs: readonly Pair[]): readonly Pair[] {
  const sources = new Map<DocumentItem, DocumentItem[]>();
  for (const { source, target } of pairs) sources.set(target, [...(sources.get(target) ?? []), source]);
  return pairs.filter(({ source, target }) => {
    const all = sources.get(target) ?? [];
    if (all.length === 1) return true;
    return areSameWords(source, target) && all.filter((each) => areSameWords(each, target)).length === 1;
  });
}

/** Whether one of two goals may be the other in other words: not where one is a box, nor where they are done by other deeds. */
function maySaySame(one: DocumentItem, other: DocumentItem): boolean {
  if (areSameWords(one, other)) return true;
  if (one.isTask === true || other.isTask === true) return false;
  const deeds = [one, other].map(deedOf);
  return deeds.every((each) => each === deeds[0]) || deeds.every((each) => each === '' || MAKING.has(each));
}

/** Verbs that say of a thing no more than that there is to be one. */
const MAKING = new Set(
  contentStems(
    `implement integrate add create build develop set setup complete use provide make allow enable support introduce write
    design show display view see manage handle define configure include offer have get`,
  ),
);

/** The verb that a goal begins with, and what turns its meaning: "turn off"; empty where it has neither. */
function deedOf({ description }: DocumentItem): string {
  const { text } = readItemName(description.replace(STORY, ''));
  const [, first = '', next] = /^([^\s:(]+)(?:\s+(\S+))?/.exec(text) ?? [];
  // "Export of sheets" is a thing.
  const verb = isVerb(first) && next !== 'of' ? (contentStems(first)[0] ?? '') : '';
  return [verb, ...(text.toLowerCase().match(TURNS) ?? [])].filter((word) => word !== '').join(' ');
}

const TURNS = /(?<![\p{L}\p{N}])(?:off|out|down|no|not|never|without|before|after)(?![\p{L}\p{N}])/gu;

function areSameWords(one: DocumentItem, other: DocumentItem): boolean {
  const [first, second] = [one, other].map(({ description }) =>
    readItemName(description)
      .text.toLowerCase()
      .match(/[\p{L}\p{N}]{1,1000}/gu)
      ?.join(' '),
  );
  return first === second;
}

function isIn(noun: string | undefined, stems: ReadonlySet<string>): boolean {
  return noun === undefined || stems.has(noun);
}

/** How many pairs are compared at most: longer documents keep what they tell twice. */
const MOST = 1_000_000;
/** How many goals that are told twice show that two sections tell the same, however long they are. */
const SURE = 5;
/** How much two goals must share. */
const ENOUGH = 0.6;

function countLeaves(told: readonly Told[]): number {
  return told.filter(({ item }) => item.children.length === 0).length;
}

/** How much of what two goals are about is the same, from 0 to 1; 0 where they share but a word, if it is not all of both. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((stem) => other.has(stem)).length;
  const share = common / (one.size + other.size - common || 1);
  const isPart = common === Math.min(one.size, other.size);
  return share === 1 || (common > 1 && (isPart || share >= 0.75)) ? share : 0;
}

function goalsIn(item: DocumentItem): readonly Told[] {
  return [toldIn(item), ...item.children.flatMap(goalsIn)];
}

function toldIn(item: DocumentItem): Told {
  const { text } = readItemName(item.description.replace(STORY, ''));
  const [head = ''] = text.split(/[(:–—]|\s-\s|\bso that\b/);
  const stems = contentStems(head).filter((stem) => !GENERIC.has(stem));
  const [named = ''] = head.split(/\s(?:of|for|in|with|by|to|from|on|per|via|using|at|and)\s/);
  const noun = contentStems(named).findLast((stem) => !GENERIC.has(stem));
  return { item, stems: new Set(stems), noun };
}

/** What goes where: the goals that repeat others by those that they repeat. */
interface Repeats {
  readonly merged: Map<DocumentItem, DocumentItem>;
  readonly told: ReadonlyMap<DocumentItem, readonly DocumentItem[]>;
  readonly lines: readonly string[];
}

/** The goals without those that repeat others, which keep what these say and their parts. */
function rebuilt(items: readonly DocumentItem[], repeats: Repeats): readonly DocumentItem[] {
  const places: number[] = [];
  const kept = items.filter((item, index) => {
    if (repeats.merged.has(item)) return false;
    places.push(index);
    return true;
  });
  return kept.map((item) => {
    const after = (item.after ?? [])
      .flatMap((at) => comesAfter(items, at, repeats))
      .map((at) => places.indexOf(at));
    return {
      ...withRepeats(
        { ...item, children: rebuilt(item.children, repeats) },
        repeats.told.get(item) ?? [],
        repeats,
      ),
      ...(item.after === undefined
        ? {}
        : { after: [...new Set(after)], afterPrevious: item.afterPrevious && after.length > 0 }),
    };
  });
}

/** Where something comes after a goal that stands elsewhere now, it comes after what that came after. */
function comesAfter(items: readonly DocumentItem[], at: number, repeats: Repeats): readonly number[] {
  const item = items[at];
  if (item === undefined || !repeats.merged.has(item)) return [at];
  return (item.after ?? []).flatMap((each) => comesAfter(items, each, repeats));
}

function withRepeats(item: DocumentItem, repeated: readonly DocumentItem[], repeats: Repeats): DocumentItem {
  const all = [item, ...repeated];
  const detail = [item.detail, ...repeated.map((each) => textOf(each, repeats.lines))].filter(
    (text) => text !== undefined,
  );
  const lists = {
    tags: [...new Set(all.flatMap(({ tags = [] }) => tags))],
    acceptance: all.flatMap(({ acceptance = [] }) => acceptance),
    outOfScope: all.flatMap(({ outOfScope = [] }) => outOfScope),
  };
  return {
    ...item,
    children: [...item.children, ...repeated.flatMap(({ children }) => rebuilt(children, repeats))],
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  };
}

/** What an item says itself, word for word, without its parts. */
function textOf({ source, children }: DocumentItem, lines: readonly string[]): string {
  const isPart = (line: number) =>
    children.some((child) => child.source.start_line <= line && line <= child.source.end_line);
  const own = lines.slice(source.start_line - 1, source.end_line);
  return own
    .filter((_, index) => !isPart(source.start_line + index))
    .join('\n')
    .trim();
}

/** A section of which everything is told elsewhere goes with its first goal. */
function addEmptied(items: readonly DocumentItem[], merged: Map<DocumentItem, DocumentItem>): void {
  for (const item of items) {
    addEmptied(item.children, merged);
    const [first] = item.children;
    const target = first === undefined ? undefined : merged.get(first);
    if (target !== undefined && !merged.has(item) && item.children.every((child) => merged.has(child)))
      merged.set(item, target);
  }
}
