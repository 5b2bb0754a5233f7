import { isWaiting } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import { depthFirst } from '../plan/tree.js';

/** A goal that waits to be expanded, and its path in the tree: child indices from the root. */
export interface OpenGoal {
  readonly goalId: string;
  readonly path: readonly number[];
}

/** The goals that wait, first to be expanded first. */
export interface Frontier {
  readonly size: number;
  peek(): OpenGoal | undefined;
  take(): OpenGoal | undefined;
  add(openGoal: OpenGoal): void;
}

/** Which of two goals is expanded first: negative when `a` is. */
export type Precedence = (a: OpenGoal, b: OpenGoal) => number;

/** Level by level, each from left to right. */
export const frontierBreadthFirst: Precedence = (a, b) => a.path.length - b.path.length || leftToRight(a, b);

/** A goal's whole subtree before its next sibling. */
export const frontierDepthFirst: Precedence = (a, b) => leftToRight(a, b);

/** The waiting goals of a plan that `isOpen` lets through. */
export function frontierOf(
  plan: Plan,
  precedence: Precedence,
  isOpen: (goalId: string) => boolean = () => true,
): Frontier {
  const frontier = createFrontier(precedence);
  for (const openGoal of goalsOfFrontier(plan)) if (isOpen(openGoal.goalId)) frontier.add(openGoal);
  return frontier;
}

/** The goals of a plan that wait to be expanded, in the order of the tree. */
export function* goalsOfFrontier(plan: Plan): Generator<OpenGoal> {
  for (const { goal, number } of depthFirst(plan)) {
    if (!isWaiting(goal)) continue;
    yield {
      goalId: goal.id,
      path: number === '' ? [] : number.split('.').map((part) => Number(part) - 1),
    };
  }
}

/** An empty frontier: a binary heap, so that a plan of any width costs little a goal. */
function createFrontier(precedence: Precedence): Frontier {
  const heap: OpenGoal[] = [];
  const before = (a: OpenGoal | undefined, b: OpenGoal | undefined) =>
    a !== undefined && b !== undefined && precedence(a, b) < 0;
  const swap = (a: number, b: number) => {
    const [first, second] = [heap[a], heap[b]];
    if (first !== undefined && second !== undefined) [heap[a], heap[b]] = [second, first];
  };

  return {
    get size() {
      return heap.length;
    },
    peek: () => heap[0],
    take() {
      swap(0, heap.length - 1);
      const first = heap.pop();
      for (let at = 0; ;) {
        const left = 2 * at + 1;
        const least = before(heap[left + 1], heap[left]) ? left + 1 : left;
        if (!before(heap[least], heap[at])) return first;
        swap(at, least);
        at = least;
      }
    },
    add(openGoal) {
      heap.push(openGoal);
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (!before(heap[at], heap[parent])) return;
        swap(at, parent);
        at = parent;
      }
    },
  };
}

function leftToRight(a: OpenGoal, b: OpenGoal): number {
  const shared = Math.min(a.path.length, b.path.length);
  for (let level = 0; level < shared; level += 1) {
    const difference = (a.path[level] ?? 0) - (b.path[level] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.path.length - b.path.length;
}
