import { CHECKED_TOO_EARLY } from '../document-draft.js';
import type { DocumentItem } from '../document-item.js';

/**
 * Returns what holds goals without those that repeat others: what these say becomes detail of the goal that they repeat, and what
 * stands below them its parts. A section of which nothing is left goes too: what it says beside goals is said of what it stands in.
 * @param merged the goals that repeat others, by which
 * @param lines of the document
 * @param order what else comes before some of them
 */
export function mergeGoals(
  whole: DocumentItem,
  merged: Map<DocumentItem, DocumentItem>,
  lines: readonly string[],
  order: Repeats['order'] = new Map(),
): DocumentItem {
  if (merged.size === 0) return whole;
  const emptied = emptiedIn(whole, merged);
  for (const [section, target] of emptied) merged.set(section, target);
  const told = new Map<DocumentItem, DocumentItem[]>();
  for (const [source, target] of merged) told.set(target, [...(told.get(target) ?? []), source]);
  const sentences = new Set(sentencesIn(whole.children));
  const repeats = { merged, emptied, told, lines, order, sentences };
  return withRepeats(
    { ...whole, children: rebuilt(whole.children, repeats) },
    told.get(whole) ?? [],
    repeats,
  );
}

/** What goes where: the goals that repeat others by those that they repeat. */
interface Repeats {
  readonly merged: ReadonlyMap<DocumentItem, DocumentItem>;
  /** The sections of which nothing is left, by what they stand in. */
  readonly emptied: ReadonlyMap<DocumentItem, DocumentItem>;
  readonly told: ReadonlyMap<DocumentItem, readonly DocumentItem[]>;
  readonly lines: readonly string[];
  readonly order: ReadonlyMap<DocumentItem, ReadonlySet<DocumentItem>>;
  /** Sentences of a section that are goals too, and have no lines of their own. */
  readonly sentences: ReadonlySet<DocumentItem>;
}

function sentencesIn(items: readonly DocumentItem[]): readonly DocumentItem[] {
  return items.flatMap(({ source, children }) => [
    ...children.filter((child) => child.source.start_line === source.start_line),
    ...sentencesIn(children),
  ]);
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
    const before = [...(repeats.order.get(item) ?? [])].map((each) => items.indexOf(each));
    const after = [...(item.after ?? []), ...before]
      .flatMap((at) => comesAfter(items, at, repeats))
      .map((at) => places.indexOf(at));
    return {
      ...withRepeats(
        { ...item, children: rebuilt(item.children, repeats) },
        repeats.told.get(item) ?? [],
        repeats,
      ),
      ...(item.after === undefined && before.length === 0
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
  // Where one list ticks it and another does not, it is open.
  const lists = repeated.filter((each) => !repeats.emptied.has(each));
  const isTicked =
    !item.complete &&
    lists.some(({ complete }) => complete) &&
    lists.every(({ complete, isTask, kind }) => complete || (isTask !== true && kind !== 'row'));
  const ticked = isTicked ? withTick(item) : item;
  const detail = [
    item.detail,
    ...repeated.map((each) => (isToldWhole(each, repeats) ? each.detail : textOf(each, repeats))),
    ...(isTicked && !ticked.complete ? [CHECKED_TOO_EARLY] : []),
  ].filter((text) => text !== undefined);
  const held = item.onHold ?? lists.find(({ onHold }) => onHold !== undefined)?.onHold;
  const values = {
    numbers: [...new Set(all.flatMap(({ numbers = [] }) => numbers))],
    tags: [...new Set(all.flatMap(({ tags = [] }) => tags))],
    acceptance: all.flatMap(({ acceptance = [] }) => acceptance),
    outOfScope: [...new Set(all.flatMap(({ outOfScope = [] }) => outOfScope))],
    told: all.flatMap((each) => [
      ...(each.told ?? []),
      ...(each !== item && isToldWhole(each, repeats) ? [{ ...each, children: [] }] : []),
    ]),
  };
  const children = [...ticked.children];
  for (const each of lists) {
    const before = children.length;
    for (const part of rebuilt(each.children, repeats))
      children.push(part.after ? { ...part, after: part.after.map((at) => at + before) } : part);
  }
  const complete = ticked.complete && (lists.length === 0 || children.every((child) => child.complete));
  return {
    ...ticked,
    complete,
    children,
    ...(held === undefined || complete ? {} : { onHold: held }),
    ...(detail.length === 0 ? {} : { detail: detail.join('\n\n') }),
    ...Object.fromEntries(Object.entries(values).filter(([, list]) => list.length > 0)),
  };
}

/** A goal that a list says to be done: so is what stands below it, but boxes and rows speak for themselves. */
function withTick(item: DocumentItem): DocumentItem {
  if (item.isTask === true || item.kind === 'row') return item;
  const children = item.children.map(withTick);
  return { ...item, children, complete: children.every(({ complete }) => complete) };
}

/** What an item says itself, word for word, without its parts. */
function textOf(item: DocumentItem, { lines, sentences }: Repeats): string {
  if (sentences.has(item)) return item.description;
  const { source, children } = item;
  const parts = children.filter((child) => !sentences.has(child));
  const isPart = (line: number) =>
    parts.some((child) => child.source.start_line <= line && line <= child.source.end_line);
  const own = lines.slice(source.start_line - 1, source.end_line);
  return own
    .filter((_, index) => !isPart(source.start_line + index))
    .join('\n')
    .trim();
}

/** Whether all that a row says beside its name, or an emptied section beside its goals, is its detail, by its columns. */
function isToldWhole(item: DocumentItem, { emptied }: Repeats): boolean {
  return item.kind === 'row' || emptied.has(item);
}

/** The sections of which everything is told elsewhere, by what is left around them. */
function emptiedIn(
  whole: DocumentItem,
  merged: ReadonlyMap<DocumentItem, DocumentItem>,
): ReadonlyMap<DocumentItem, DocumentItem> {
  const around = new Map<DocumentItem, DocumentItem>();
  const isGone = (item: DocumentItem) => merged.has(item) || around.has(item);
  const walk = (item: DocumentItem) => {
    for (const child of item.children) {
      walk(child);
      if (child.children.length > 0 && !merged.has(child) && child.children.every(isGone))
        around.set(child, item);
    }
  };
  walk(whole);
  return new Map(
    [...around].map(([section, first]) => {
      let place = first;
      for (let next = around.get(place); next !== undefined; next = around.get(place)) place = next;
      return [section, merged.get(place) ?? place];
    }),
  );
}
