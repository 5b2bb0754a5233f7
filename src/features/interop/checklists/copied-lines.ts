import { oneLine } from '../../../kernel/text/safe-text.js';
import { depthFirst } from '../../../plan/tree.js';
import { rootOf } from '../../../plan/plan.js';
import type { BaselineEntry } from './baseline.js';
import type { ChecklistItem } from './checklist.js';
import { goalIdOf } from './merge-state.js';
import type { MergeState } from './merge-state.js';
import type { NestedItem } from './nested-item.js';

/**
 * Returns the line that each mark belongs to. Who copies a line copies its mark as well, and puts the copy wherever he
 * likes: the line that stands and reads as it did last is the goal’s.
 */
export function originalLines(
  state: MergeState,
  items: readonly NestedItem[],
): ReadonlyMap<string, ChecklistItem> {
  const found = new Map<string, ChecklistItem>();
  const copied = new Map<string, NestedItem[]>();
  for (const nested of items) {
    const { goal } = nested.item;
    if (goal === null) continue;
    const lines = copied.get(goal);
    if (lines !== undefined) lines.push(nested);
    else copied.set(goal, [nested]);
    if (!found.has(goal)) found.set(goal, nested.item);
  }
  for (const [goal, lines] of copied) if (lines.length < 2) copied.delete(goal);
  if (copied.size === 0) return found;
  const known = whatIsKnown(state, items);
  for (const [goal, lines] of copied) {
    const best = lines.reduce((one, other) => (compare(known, other, one) > 0 ? other : one));
    found.set(goal, best.item);
  }
  return found;
}

type Was = Pick<BaselineEntry, 'parent' | 'text' | 'done'> & {
  /** The goal before it below its parent. */
  readonly after: string | undefined;
};

/** What lines of one mark are compared by. */
interface Known {
  readonly idOf: (item: ChecklistItem | null) => string;
  readonly nested: ReadonlyMap<ChecklistItem, NestedItem>;
  /** The goal that the line before it names. */
  readonly after: ReadonlyMap<ChecklistItem, string>;
  /** How many lines stand below it that did so before. */
  readonly parts: ReadonlyMap<ChecklistItem, number>;
  /** What both sides said of each goal last; without that, what the plan says. */
  readonly was: ReadonlyMap<string, Was>;
}

function whatIsKnown(state: MergeState, items: readonly NestedItem[]): Known {
  const root = rootOf(state.plan).id;
  const idOf = (item: ChecklistItem | null) =>
    item === null ? root : item.goal === null ? '' : goalIdOf(state, item.goal);
  const was = howItWas(state);
  const after = new Map<ChecklistItem, string>();
  const parts = new Map<ChecklistItem, number>();
  const last = new Map<ChecklistItem | null, string>();
  for (const { item, above } of items) {
    const [id, before] = [idOf(item), last.get(above)];
    if (before !== undefined) after.set(item, before);
    last.set(above, id);
    if (above !== null && was.get(id)?.parent === idOf(above)) parts.set(above, (parts.get(above) ?? 0) + 1);
  }
  return { idOf, nested: new Map(items.map((each) => [each.item, each])), after, parts, was };
}

function howItWas({ plan, baseline }: MergeState): ReadonlyMap<string, Was> {
  const was = new Map<string, Was>();
  const last = new Map<string, string>();
  const add = (goal: string, entry: Omit<Was, 'after'>) => {
    was.set(goal, { ...entry, after: last.get(entry.parent) });
    last.set(entry.parent, goal);
  };
  for (const entry of baseline?.values() ?? []) add(entry.goal, entry);
  if (baseline !== null) return was;
  for (const { goal } of depthFirst(plan)) {
    const text = oneLine(goal.description).trim();
    if (goal.parent_id !== null)
      add(goal.id, { parent: goal.parent_id, text, done: goal.status === 'complete' });
  }
  return was;
}

/** More than 0 where one line of a mark is rather as it was than another: in its place, its parts, its words. */
function compare(known: Known, one: NestedItem, other: NestedItem): number {
  const inPlace = ({ item, above }: NestedItem) =>
    Number(known.was.get(known.idOf(item))?.parent === known.idOf(above));
  return inPlace(one) - inPlace(other) || compareAbove(known, one, other) || compareLines(known, one, other);
}

/** Where what is above was copied with them, that says which is which. */
function compareAbove(known: Known, { above: one }: NestedItem, { above: other }: NestedItem): number {
  if (one === null || other === null || one === other || one.goal === null || one.goal !== other.goal)
    return 0;
  const [mine, its] = [known.nested.get(one), known.nested.get(other)];
  return mine === undefined || its === undefined ? 0 : compare(known, mine, its);
}

function compareLines(known: Known, { item: one }: NestedItem, { item: other }: NestedItem): number {
  const likeness = (item: ChecklistItem) => {
    const was = known.was.get(known.idOf(item));
    return [
      known.parts.get(item) ?? 0,
      Number(was?.text === item.text),
      Number(was?.after === known.after.get(item)),
      Number(was?.done === item.ticked),
    ];
  };
  const its = likeness(other);
  const differences = likeness(one).map((value, index) => value - (its[index] ?? 0));
  return differences.find((value) => value !== 0) ?? 0;
}
