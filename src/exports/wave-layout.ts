import { startNode, workOrder } from '../plan/readiness/work-order.js';
import type { Plan } from '../plan/plan.js';

/** How often goals are moved to the middle of their neighbours. */
const SWEEPS = 4;

/** Where a goal stands. */
export interface Placed {
  readonly id: string;
  /** From 0: after everything that it waits for, and after the goal above it. */
  readonly column: number;
  /** The middle, in the unit of the heights. */
  readonly y: number;
}

export interface WaveLayout {
  readonly goals: readonly Placed[];
  readonly columns: number;
  readonly height: number;
}

/**
 * Lays out the goals of a plan in columns from left to right: what can begin at once is in one column, and each
 * goal after all it waits for. Within a column goals are sorted by the middle of their neighbours. Pure, in time
 * linear in goals and dependencies but for the sorting.
 * @param heightOf how high a goal is, with the room below it
 */
export function wavesOf(plan: Plan, heightOf: (id: string) => number): WaveLayout {
  const columns = columnsOf(plan);
  const around = neighbours(plan, columns);
  sortColumns(columns.lists, around);
  const y = new Map<string, number>();
  place(columns.lists, around.before, y, heightOf);
  // Once more from the right, so that a goal is beside what it is divided into.
  place(columns.lists.toReversed(), around.after, y, heightOf);
  const tops = columns.lists.flat().map((id) => (y.get(id) ?? 0) - heightOf(id) / 2);
  const top = tops.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY);
  const goals = columns.lists.flatMap((ids, column) =>
    ids.map((id) => ({ id, column, y: (y.get(id) ?? 0) - top })),
  );
  const height = goals.reduce((most, goal) => Math.max(most, goal.y + heightOf(goal.id) / 2), 0);
  return { goals, columns: columns.lists.length, height };
}

interface Columns {
  readonly lists: string[][];
  readonly of: ReadonlyMap<string, number>;
}

/** The column of each goal: the longest way to where it starts. Goals of a cycle are placed by their depth. */
function columnsOf(plan: Plan): Columns {
  const work = workOrder(plan, 'every');
  const longest = new Int32Array(2 * work.goals.length).fill(-1);
  longest[startNode(0)] = 0;
  for (const node of work.order) {
    const here = Math.max(0, longest[node] ?? 0);
    // A goal takes a column where it starts.
    const then = node % 2 === 0 ? here + 1 : here;
    for (let arrow = work.first[node] ?? 0; arrow < (work.first[node + 1] ?? 0); arrow += 1) {
      const next = work.next[arrow] ?? 0;
      longest[next] = Math.max(longest[next] ?? -1, then);
    }
  }
  const used = work.goals.map(({ goal }, place) => {
    const column = longest[startNode(place)] ?? -1;
    return { id: goal.id, column: column < 0 ? goal.depth : column };
  });
  const numbers = [...new Set(used.map(({ column }) => column))].sort((a, b) => a - b);
  const renumbered = new Map(numbers.map((column, index) => [column, index]));
  const lists: string[][] = numbers.map(() => []);
  const of = new Map<string, number>();
  for (const { id, column } of used) {
    const index = renumbered.get(column) ?? 0;
    of.set(id, index);
    lists[index]?.push(id);
  }
  return { lists, of };
}

interface Neighbours {
  readonly before: ReadonlyMap<string, readonly string[]>;
  readonly after: ReadonlyMap<string, readonly string[]>;
}

/** What a goal is joined to in columns before it and after it. */
function neighbours(plan: Plan, { of }: Columns): Neighbours {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  const join = (from: string, to: string) => {
    if ((of.get(from) ?? 0) >= (of.get(to) ?? 0)) return;
    before.set(to, [...(before.get(to) ?? []), from]);
    after.set(from, [...(after.get(from) ?? []), to]);
  };
  for (const goal of plan.goals.values()) {
    if (goal.parent_id !== null) join(goal.parent_id, goal.id);
    for (const id of goal.dependencies) if (plan.goals.has(id)) join(id, goal.id);
  }
  return { before, after };
}

function sortColumns(lists: string[][], { before, after }: Neighbours): void {
  const index = new Map<string, number>();
  const number = (ids: readonly string[]) => {
    for (const [at, id] of ids.entries()) index.set(id, (at + 0.5) / ids.length);
  };
  for (const ids of lists) number(ids);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    for (const ids of forward ? lists : lists.toReversed()) {
      const joined = forward ? before : after;
      const middle = new Map(ids.map((id) => [id, mean(joined.get(id) ?? [], index) ?? index.get(id) ?? 0]));
      ids.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
      number(ids);
    }
  }
}

function mean(ids: readonly string[], of: ReadonlyMap<string, number>): number | null {
  if (ids.length === 0) return null;
  return ids.reduce((sum, id) => sum + (of.get(id) ?? 0), 0) / ids.length;
}

/** Gives each goal of a column the middle of its neighbours, as near as the goals above it allow. */
function place(
  lists: readonly (readonly string[])[],
  joined: ReadonlyMap<string, readonly string[]>,
  y: Map<string, number>,
  heightOf: (id: string) => number,
): void {
  for (const ids of lists) {
    const wanted = ids.map((id) => mean(joined.get(id) ?? [], y) ?? y.get(id) ?? 0);
    let bottom = Number.NEGATIVE_INFINITY;
    let pushed = 0;
    for (const [at, id] of ids.entries()) {
      const half = heightOf(id) / 2;
      const middle = Math.max(wanted[at] ?? 0, bottom + half);
      pushed += middle - (wanted[at] ?? 0);
      y.set(id, middle);
      bottom = middle + half;
    }
    // What was pushed down as a whole goes up by half of that again, so that a column stays in the middle.
    const back = ids.length === 0 ? 0 : pushed / ids.length;
    for (const id of ids) y.set(id, (y.get(id) ?? 0) - back);
  }
}
