import type { DocumentItem } from '../document-item.js';
import { readItemName, sequenceNumber } from '../item-names.js';
import { kindByLastWord, normalizedHeading } from '../kinds/heading-kinds.js';
import { standingBeside } from '../kinds/standing-words.js';
import { TESTS } from './equal-goals.js';

/** What lists tell that sections tell in full. */
export interface Overviews {
  /** The items of lists, by the section that has their words. */
  readonly merged: Map<DocumentItem, DocumentItem>;
  /** What comes before a section, or before what is left of a list, because the numbers of the list say so. */
  readonly order: Map<DocumentItem, Set<DocumentItem>>;
}

/** Returns which items of overviews, lists that name what sections of the document tell, say the same as these sections. */
export function overviewsIn(items: readonly DocumentItem[]): Overviews {
  const found: Overviews = { merged: new Map(), order: new Map() };
  const sections = new Map<string, Placed[]>();
  for (const section of sectionsIn(items, []))
    for (const key of new Set(keysOf(section.item.description, false)))
      sections.set(key, [...(sections.get(key) ?? []), section]);
  addLists({ items, above: [] }, sections, found);
  return found;
}

/** Returns the items with a note at the sections of which an overview says that they will not be done. */
export function withDropped(items: readonly DocumentItem[]): readonly DocumentItem[] {
  const pairs = [...overviewsIn(items).merged].filter(
    ([item, section]) => item.excluded === true && !isDone(section),
  );
  const dropped = new Set(pairs.map(([, section]) => section));
  const noted = (each: readonly DocumentItem[]): readonly DocumentItem[] =>
    each.map((item) => ({
      ...item,
      children: noted(item.children),
      ...(dropped.has(item) ? { excluded: true } : {}),
    }));
  return dropped.size === 0 ? items : noted(items);
}

interface Placed {
  readonly item: DocumentItem;
  /** What it stands below, the outermost first. */
  readonly above: readonly DocumentItem[];
  /** The items that it is one of. */
  readonly siblings: readonly DocumentItem[];
}

function sectionsIn(items: readonly DocumentItem[], above: readonly DocumentItem[]): readonly Placed[] {
  return items.flatMap((item) =>
    item.kind === 'heading'
      ? [{ item, above, siblings: items }, ...sectionsIn(item.children, [...above, item])]
      : [],
  );
}

interface Level {
  readonly items: readonly DocumentItem[];
  readonly above: readonly DocumentItem[];
}

function addLists(
  { items, above }: Level,
  sections: ReadonlyMap<string, readonly Placed[]>,
  to: Overviews,
): void {
  const list = items.filter(({ kind }) => kind !== 'heading');
  const found = list.flatMap((item) => {
    const [section, ...others] = sectionsOf(item, above, sections);
    return section === undefined || others.length > 0 ? [] : [{ item, section }];
  });
  const pairs = found.filter(
    ({ section }) => found.filter((other) => other.section.item === section.item).length === 1,
  );
  const isOne = pairs.every(({ item }) => sequenceNumber(item.description) !== null);
  const order = orderOf({ items, above }, list, pairs);
  if ((pairs.length > 1 || pairs.length === list.length || isOne) && order !== null) {
    for (const { item, section } of pairs) {
      to.merged.set(item, section.item);
      for (const [part, told] of partsOf(item, section.item)) to.merged.set(part, told);
    }
    for (const [item, before] of order) to.order.set(item, before);
  }
  for (const item of items)
    if (item.kind === 'heading') addLists({ items: item.children, above: [...above, item] }, sections, to);
}

/** The sections that an item of a list may name: what stands between tells of the same work, and its state is not another. */
function sectionsOf(
  item: DocumentItem,
  above: readonly DocumentItem[],
  sections: ReadonlyMap<string, readonly Placed[]>,
): readonly Placed[] {
  const keys = keysOf(item.description, true);
  const all = new Set(keys.flatMap((key) => sections.get(key) ?? []));
  return [...all].filter((section) => {
    const between = above.filter((each) => !section.above.includes(each));
    const isOpenBox = !item.complete && (item.isTask === true || item.kind === 'row');
    return (
      !above.includes(section.item) &&
      between.every(({ description }) => isOverview(description)) &&
      !(isOpenBox && isDone(section.item)) &&
      mayJoin(item, section.item)
    );
  });
}

/** The parts that an item of a list has in common with a section. */
function partsOf(item: DocumentItem, section: DocumentItem): ReadonlyMap<DocumentItem, DocumentItem> {
  const pairs = item.children.flatMap((part) => {
    const keys = keysOf(part.description, true);
    const told = section.children.filter(({ description }) =>
      keysOf(description, false).some((key) => keys.includes(key)),
    );
    return told.map((each) => [part, each] as const);
  });
  return new Map(pairs);
}

/** Whether the parts of an item can stand among those of a section: none says of one of these another thing, or would lose its order. */
function mayJoin(item: DocumentItem, section: DocumentItem): boolean {
  const parts = partsOf(item, section);
  const isOrdered = item.children.some(({ after = [] }) => after.length > 0);
  return (
    item.children.every(({ children }) => children.length === 0) &&
    new Set(parts.values()).size === parts.size &&
    [...parts].every(([part, told]) => part.complete || part.isTask !== true || !isDone(told)) &&
    (!isOrdered || parts.size === 0 || parts.size === item.children.length)
  );
}

function isDone({ complete, children }: DocumentItem): boolean {
  return complete || (children.length > 0 && children.every(isDone));
}

/** What a heading may be called that says of work no more than that it lists it. */
const LISTS =
  /^(?:(?:the|our|project|product|development|implementation|execution|delivery|build|work|task|phase|epic|feature|milestone|high level|overall|current|mvp) )*(?:overview|summary|index|tracker|roadmap|checklist|outline|breakdown|backlog|milestone|task|task list|to ?do|to ?do list|phase|step|work|work package|plan|item|deliverable|feature|requirement|scope|progress|status|content|table of content|goal|objective|epic|at a glance|order|sequence)(?: of (?:the )?(?:work|task|phase|project|step|feature|milestone|plan))?$/;
const LISTS_ABROAD = new Set(
  `aufgaben|fahrplan|meilensteine|phasen|schritte|umsetzungsplan|projektplan|übersicht|überblick|tâches|feuille de route|jalons
  étapes|aperçu|tareas|hitos|hoja de ruta|pasos|resumen|tarefas|marcos|passos|roteiro|resumo|задачи|этапы|дорожная карта|шаги|план работ
  обзор|任务|里程碑|路线图|概述|タスク|マイルストーン|ロードマップ|概要|작업|마일스톤|로드맵|개요`
    .split(/[|\n]/)
    .map(normalizedHeading),
);

function isOverview(heading: string): boolean {
  const name = normalizedHeading(heading);
  const isNamed = LISTS.test(name) || LISTS_ABROAD.has(name);
  return (isNamed || kindByLastWord(heading) === 'weak') && !TESTS.test(heading);
}

/** "Part A: ", "Phase 2 – ": what counts a part before its name. */
const COUNTED = /^(\p{L}+ (?:\d+(?:\.\d+)*|[A-Za-z]|[IVXivx]+))(?:\s*[:.–—-]\s+|$)/u;

/** What a remark says of a goal that is not the one of that name: "Search (not in v1)". */
const ANOTHER = /\b(?:v\d|not|no|without|except|phase|part|again)\b/i;

/** The words that a goal is known by: all of them, those before a remark in a list, and those without what counts it. */
export function keysOf(description: string, inList: boolean): readonly string[] {
  const said = standingBeside(description, true)?.said ?? '';
  const { text } = readItemName(inList ? description : description.replace(said, ''));
  const count = COUNTED.exec(text);
  const name = text.slice(count?.[0].length ?? 0);
  const [head = '', ...remarks] = inList ? name.split(/[:(–—]|\s-\s/) : [];
  const names = [name, ANOTHER.test(remarks.join(' ')) ? '' : head]
    .map(wordsOf)
    .filter((words) => words !== '');
  const counted = wordsOf(count?.[1] ?? '');
  if (counted === '') return names;
  // One that both count must be counted the same.
  return inList
    ? [...names.map((each) => `${counted}: ${each}`), ...(names.length === 0 ? [counted] : [])]
    : [...names.map((each) => `${counted}: ${each}`), ...names, counted];
}

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{1,1000}/gu) ?? []).join(' ');
}

/**
 * What the numbers of a list put before each section, or before the part that keeps the rest of the list; null where that cannot
 * be said of them: they stand in different places, or the rest stands between them at several.
 */
function orderOf(
  { items, above }: Level,
  list: readonly DocumentItem[],
  pairs: readonly { readonly item: DocumentItem; readonly section: Placed }[],
): ReadonlyMap<DocumentItem, Set<DocumentItem>> | null {
  const order = new Map<DocumentItem, Set<DocumentItem>>();
  if (list.every(({ after = [] }) => after.length === 0)) return order;
  const siblings = pairs[0]?.section.siblings ?? [];
  const targets = new Map(pairs.map(({ item, section }) => [item, section.item]));
  const placeOf = (item: DocumentItem) =>
    targets.get(item) ?? [item, ...above].find((each) => siblings.includes(each));
  const places = items.map(placeOf).filter((place, at, all) => place !== all[at - 1]);
  const isClear = new Set(places).size === places.length && !places.includes(undefined);
  if (!isClear || pairs.some(({ section }) => section.siblings !== siblings)) return null;
  for (const item of items)
    for (const each of (item.after ?? []).map((at) => items[at])) {
      const [place, before] = [placeOf(item), each && placeOf(each)];
      if (place === undefined || before === undefined || place === before) continue;
      order.set(place, (order.get(place) ?? new Set()).add(before));
    }
  return order;
}
