import { oneLine } from '../../../kernel/text/safe-text.js';
import { goalOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import type { ChecklistItem } from './checklist.js';
import type { NestedItem } from './nested-item.js';

/** The most pairs of a line and a goal that say the same that are compared; of more, each line is the next goal. */
const MOST_PAIRS = 4096;

/** What tells apart things that say the same: what is below, what is beside, and whether it is done. */
interface Surroundings {
  readonly below: ReadonlySet<string>;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly done: boolean;
}

/**
 * Returns a function that finds the goals of lines that say the same below one parent: each is the one that has most alike
 * below and beside it. Where nothing tells them apart, they are taken in their order.
 */
export function pairingOf(
  plan: Plan,
  items: readonly NestedItem[],
): (lines: readonly ChecklistItem[], goals: readonly string[]) => ReadonlyMap<ChecklistItem, string> {
  const aroundLine = surroundingsOfLines(items);
  return (lines, goals) => {
    const [line, goal] = [lines[0], goals[0]];
    if (line === undefined || goal === undefined) return new Map();
    if (lines.length === 1 && goals.length === 1) return new Map([[line, goal]]);
    if (lines.length * goals.length > MOST_PAIRS)
      return new Map(lines.flatMap((each, index) => pairOf(each, goals[index])));
    const around = new Map(goals.map((each) => [each, surroundingsOfGoal(plan, each)]));
    const pairs = lines.flatMap((each) => {
      const there = aroundLine(each);
      return goals.map((id) => ({ line: each, goal: id, likeness: likeness(there, around.get(id)) }));
    });
    const found = new Map<ChecklistItem, string>();
    const taken = new Set<string>();
    for (const pair of pairs.toSorted((one, other) => compare(other.likeness, one.likeness))) {
      if (found.has(pair.line) || taken.has(pair.goal)) continue;
      found.set(pair.line, pair.goal);
      taken.add(pair.goal);
    }
    return found;
  };
}

function pairOf(line: ChecklistItem, goal: string | undefined): readonly [ChecklistItem, string][] {
  return goal === undefined ? [] : [[line, goal]];
}

function surroundingsOfLines(items: readonly NestedItem[]): (line: ChecklistItem) => Surroundings {
  const above = new Map(items.map((each) => [each.item, each.above]));
  const below = new Map<ChecklistItem | null, ChecklistItem[]>();
  const place = new Map<ChecklistItem, number>();
  for (const each of items) {
    const siblings = below.get(each.above) ?? [];
    below.set(each.above, siblings);
    place.set(each.item, siblings.length);
    siblings.push(each.item);
  }
  return (line) => {
    const [siblings, index] = [below.get(above.get(line) ?? null) ?? [], place.get(line) ?? 0];
    return {
      below: new Set((below.get(line) ?? []).map(({ text }) => text)),
      before: siblings[index - 1]?.text,
      after: siblings[index + 1]?.text,
      done: line.ticked,
    };
  };
}

function surroundingsOfGoal(plan: Plan, id: string): Surroundings {
  const { parent_id, child_ids, status } = goalOf(plan, id);
  const textOf = (goal: string | undefined) =>
    goal === undefined ? undefined : oneLine(goalOf(plan, goal).description).trim();
  const siblings = parent_id === null ? [] : goalOf(plan, parent_id).child_ids;
  const index = siblings.indexOf(id);
  return {
    below: new Set(child_ids.map((child) => textOf(child) ?? '')),
    before: textOf(siblings[index - 1]),
    after: textOf(siblings[index + 1]),
    done: status === 'complete',
  };
}

/** How alike: what is below, as a share of what either has there; what is beside; whether both are done. */
function likeness(one: Surroundings, other: Surroundings | undefined): readonly number[] {
  if (other === undefined) return [];
  const common = [...one.below].filter((text) => other.below.has(text)).length;
  const either = one.below.size + other.below.size - common;
  return [
    either === 0 ? 1 : common / either,
    Number(one.before === other.before) + Number(one.after === other.after),
    Number(one.done === other.done),
  ];
}

function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((value, index) => value - (other[index] ?? 0)).find((value) => value !== 0) ?? 0;
}
