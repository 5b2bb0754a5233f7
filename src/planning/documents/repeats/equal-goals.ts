import { contentStems } from '../../../kernel/text/content-stems.js';
import type { DocumentItem } from '../document-item.js';
import { readItemName, sequenceNumber } from '../item-names.js';
import { isActionSection } from '../kinds/document-kind.js';
import { kindByLastWord, normalizedHeading, sectionKind } from '../kinds/heading-kinds.js';
import { isPlan } from '../kinds/plan-sections.js';
import { GENERIC, maySaySame, MOST } from './same-work.js';

/** A goal with what stands above it, and all that its words are about. */
interface Placed {
  readonly item: DocumentItem;
  readonly stems: ReadonlySet<string>;
  readonly above: readonly DocumentItem[];
  /** What must be the same besides: its state, its numbers, whether it forbids. */
  readonly mark: string;
}

/** Returns the goals without parts that say what a goal in a section of another kind says, each with that goal. */
export function equalGoals(items: readonly DocumentItem[]): Map<DocumentItem, DocumentItem> {
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

/** What tells of a check of work, or of words about it, and not of the work. */
export const TESTS = /\b(?:tests?|tested|testing|qa|verif\w+|validat\w+|checks?|documentation|docs)\b/i;

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
