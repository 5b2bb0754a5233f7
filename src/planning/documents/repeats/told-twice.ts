import { contentStems } from '../../../kernel/text/content-stems.js';
import type { DocumentItem } from '../document-item.js';
import { readItemName, sequenceNumber } from '../item-names.js';
import { isActionSection } from '../kinds/document-kind.js';
import { normalizedHeading } from '../kinds/heading-kinds.js';
import { isPlan, namesStories } from '../kinds/plan-sections.js';
import { equalGoals } from './equal-goals.js';
import { mergeGoals } from './merge-goals.js';
import { overviewsIn } from './overviews.js';
import { areSameWords, GENERIC, maySaySame, MOST, STORY } from './same-work.js';

/** The view of the work that a section has: told as stories, as what the product has, or as what is done in order. */
type View = 'stories' | 'features' | 'plan';

const ACTS = /^(?:recommended|required|immediate) (?:action|step)$/;

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
 * Returns a document without goals that say again what others say: what they say becomes detail of the goal that they repeat, and
 * what stands below them its parts. Those are goals that say the same in sections of two kinds, and what features and
 * stories say of a plan, or stories of features, where several goals of a section do so.
 */
export function withoutRepeats(whole: DocumentItem, lines: readonly string[]): DocumentItem {
  const { merged, order } = overviewsIn(whole.children);
  const read = withoutViews(mergeGoals(whole, merged, lines, order), lines);
  return mergeGoals(read, equalGoals(read.children), lines);
}

function withoutViews(whole: DocumentItem, lines: readonly string[]): DocumentItem {
  const { children } = whole;
  const views = children.map((item) =>
    item.kind === 'heading' && item.children.length > 0 ? viewOf(item) : null,
  );
  const ofView = (view: View) => children.filter((_, index) => views[index] === view);
  const [plan, features, stories] = [ofView('plan'), ofView('features'), ofView('stories')];
  const merged = new Map<DocumentItem, DocumentItem>();
  pair(features, plan, merged);
  pair(stories, [...plan, ...features], merged);
  return merged.size === 0
    ? { ...whole, children: children.map((item) => withoutViews(item, lines)) }
    : mergeGoals(whole, merged, lines);
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

function isIn(noun: string | undefined, stems: ReadonlySet<string>): boolean {
  return noun === undefined || stems.has(noun);
}

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
