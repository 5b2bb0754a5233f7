import { startNode, workOrder } from '../plan/readiness/work-order.js';
import type { Plan } from '../plan/plan.js';

/** How often goals are moved to the middle of their neighbours. */
const SWEEPS = 4;

/** Where a goal stands. */
export interface PositionedGoal {
  readonly id: string;
  /** From 0: after everything that it waits for, and after the goal above it. */
  readonly column: number;
  /** The middle, in the unit of the heights. */
  readonly y: number;
}

export interface WaveLayout {
  readonly goals: readonly PositionedGoal[];
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
  const { ids, lists, of } = columnsOf(plan);
  const around = neighbours(plan, ids, of);
  sortColumns(lists, around, ids.length);
  const heights = Float64Array.from(ids, heightOf);
  const y = new Float64Array(ids.length);
  shiftTowards(lists, around.before, y, heights);
  // Once more from the right, so that a goal is beside what it is divided into.
  shiftTowards(lists.toReversed(), around.after, y, heights);
  let top = Number.POSITIVE_INFINITY;
  for (const [goal, middle] of y.entries()) top = Math.min(top, middle - at(heights, goal) / 2);
  let height = 0;
  for (const [goal, middle] of y.entries()) height = Math.max(height, middle - top + at(heights, goal) / 2);
  const goals = lists.flatMap((list, column) =>
    list.map((goal) => ({ id: ids[goal] ?? '', column, y: at(y, goal) - top })),
  );
  return { goals, columns: lists.length, height };
}

// A picture is laid out once, so that most of what follows runs before it is compiled: a goal is a whole number, its place
// in depth-first order, and what is known of it stands in lists of numbers.
interface Columns {
  /** Ids of the goals by their numbers. */
  readonly ids: readonly string[];
  /** The goals of each column. */
  readonly lists: number[][];
  /** The column of each goal. */
  readonly of: Int32Array;
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
  const used = work.goals.map(({ goal }, number) => {
    const column = longest[startNode(number)] ?? -1;
    return column < 0 ? goal.depth : column;
  });
  const numbers = [...new Set(used)].sort((a, b) => a - b);
  const renumbered = new Map(numbers.map((column, index) => [column, index]));
  const of = Int32Array.from(used, (column) => renumbered.get(column) ?? 0);
  const lists: number[][] = numbers.map(() => []);
  for (const [goal, column] of of.entries()) lists[column]?.push(goal);
  return { ids: work.goals.map(({ goal }) => goal.id), lists, of };
}

/** The neighbours of each goal. */
type Joined = readonly (readonly number[])[];

interface Neighbours {
  readonly before: Joined;
  readonly after: Joined;
}

/** What a goal is joined to in columns before it and after it. */
function neighbours(plan: Plan, ids: readonly string[], of: Int32Array): Neighbours {
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const before: number[][] = ids.map(() => []);
  const after: number[][] = ids.map(() => []);
  const join = (from: number | undefined, to: number) => {
    if (from === undefined || at(of, from) >= at(of, to)) return;
    before[to]?.push(from);
    after[from]?.push(to);
  };
  for (const goal of plan.goals.values()) {
    const number = numbers.get(goal.id);
    if (number === undefined) continue;
    if (goal.parent_id !== null) join(numbers.get(goal.parent_id), number);
    for (const id of goal.dependencies) join(numbers.get(id), number);
  }
  return { before, after };
}

function sortColumns(lists: number[][], { before, after }: Neighbours, goals: number): void {
  const index = new Float64Array(goals);
  const middle = new Float64Array(goals);
  const number = (list: readonly number[]) => {
    let shiftTowards = 0.5;
    for (const goal of list) {
      index[goal] = shiftTowards / list.length;
      shiftTowards += 1;
    }
  };
  for (const list of lists) number(list);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const forward = sweep % 2 === 0;
    for (const list of forward ? lists : lists.toReversed()) {
      for (const goal of list) middle[goal] = mean((forward ? before : after)[goal], index, goal);
      list.sort((a, b) => at(middle, a) - at(middle, b));
      number(list);
    }
  }
}

/** The middle of what a goal is joined to; where that is nothing, its own. */
function mean(joined: readonly number[] = [], of: Float64Array, goal: number): number {
  if (joined.length === 0) return at(of, goal);
  let sum = 0;
  for (const each of joined) sum += at(of, each);
  return sum / joined.length;
}

/** Gives each goal of a column the middle of its neighbours, as near as the goals above it allow. */
function shiftTowards(lists: Joined, joined: Joined, y: Float64Array, heights: Float64Array): void {
  for (const list of lists) {
    const wanted = list.map((goal) => mean(joined[goal], y, goal));
    let bottom = Number.NEGATIVE_INFINITY;
    let pushed = 0;
    for (const [number, goal] of list.entries()) {
      const half = at(heights, goal) / 2;
      const middle = Math.max(wanted[number] ?? 0, bottom + half);
      pushed += middle - (wanted[number] ?? 0);
      y[goal] = middle;
      bottom = middle + half;
    }
    // What was pushed down as a whole goes up by half of that again, so that a column stays in the middle.
    const back = list.length === 0 ? 0 : pushed / list.length;
    for (const goal of list) y[goal] = at(y, goal) - back;
  }
}

function at(numbers: Int32Array | Float64Array, index: number): number {
  return numbers[index] ?? 0;
}
