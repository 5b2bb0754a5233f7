import type { Plan } from '../plan.js';
import { ancestors } from '../tree.js';
import type { NumberedGoal } from '../tree.js';
import type { Goal } from '../schema.js';
import { longestChain, waveNumbers } from './work-analysis.js';
import { at, workOrder } from './work-order.js';
import type { WorkOrder } from './work-order.js';

/**
 * A cycle of goals that wait for each other, each for the next, first goal repeated at the end, or null. A
 * goal waits for what it and the goals above it depend on, and to wait for a goal is to wait for all below it.
 */
export function findDependencyCycle(plan: Plan): readonly string[] | null {
  // The way around it is looked for only where there is one.
  if (workOrder(plan, 'every').order.length === 2 * plan.goals.size) return null;
  return findCycleThrough(plan, [...plan.goals.keys()]);
}

/**
 * Finds a cycle of dependencies that some goals are on, first goal repeated at the end, or null. Walks only what
 * comes before those goals, so that a change of a large plan is checked at the cost of what it touches. In a plan
 * that had no cycle, every new one leads through a goal that gained a dependency, a parent or a child.
 * @returns the ends of the dependencies on the shortest way around; of a goal and its parents only those
 */
export function findCycleThrough(plan: Plan, goals: readonly string[]): readonly string[] | null {
  const before = (node: string) => nodesBefore(plan, node);
  const found = findCycle(
    goals.flatMap((id) => [endOf(id), startOf(id)]),
    before,
  );
  if (found === null) return null;
  const onCycle = new Set(found);
  // A dependency leads from the start of a goal: the way around is told from there.
  const first = goals.map(startOf).find((node) => onCycle.has(node)) ?? found[0] ?? '';
  return endsOfDependencies(shortestCycle(first, before) ?? found);
}

/** The shortest way from a node back to it, the node at both ends; null where none leads back. */
function shortestCycle(origin: string, next: (node: string) => readonly string[]): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  const open = [origin];
  // What is appended meanwhile is walked too.
  for (const node of open) {
    for (const neighbor of next(node)) {
      if (neighbor === origin) return [...wayTo(node, cameFrom), origin];
      if (cameFrom.has(neighbor)) continue;
      cameFrom.set(neighbor, node);
      open.push(neighbor);
    }
  }
  return null;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way: string[] = [];
  for (let node: string | undefined = end; node !== undefined; node = cameFrom.get(node)) way.push(node);
  return way.toReversed();
}

/** The goals at both ends of each dependency of a cycle, the first one repeated at the end. */
function endsOfDependencies(cycle: readonly string[]): readonly string[] {
  const around = cycle.slice(0, -1);
  const ends = around.flatMap((node, index) => {
    const next = around[(index + 1) % around.length] ?? node;
    const isDependency = isStart(node) && !isStart(next);
    return isDependency ? [goalOfNode(node), goalOfNode(next)] : [];
  });
  const goals = ends.filter((id, index) => id !== ends[index - 1]);
  const [first] = goals;
  return first === undefined || (goals.length > 1 && goals.at(-1) === first) ? goals : [...goals, first];
}

/**
 * The dependencies of a goal: every goal which must be complete before it can start, whether that is said of it,
 * inherited or follows.
 */
export function goalsBefore(plan: Plan, goal: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [startOf(goal)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const before of nodesBefore(plan, node)) {
      if (seen.has(before)) continue;
      seen.add(before);
      open.push(before);
    }
  }
  return new Set([...seen].filter((node) => node === endOf(goalOfNode(node))).map(goalOfNode));
}

/** The incomplete goals that a goal waits for: its own dependencies, then those of the goals above it. */
export function waitingFor(plan: Plan, goal: Goal): readonly string[] {
  const all = [goal, ...ancestors(plan, goal).toReversed()].flatMap(({ dependencies }) => dependencies);
  return [...new Set(all)].filter((id) => plan.goals.get(id)?.status !== 'complete');
}

/**
 * The waves that dependencies leave: unfinished leaves, each wave depth-first. All of a wave can be done in
 * parallel once those before are done.
 * @param isHeld 1 for each goal that is in none, because it is on hold or behind one that is (see `heldWork`)
 */
export function waves(
  plan: Plan,
  work: WorkOrder = workOrder(plan),
  isHeld?: Uint8Array,
): readonly (readonly NumberedGoal[])[] {
  const numbers = waveNumbers(work);
  const found: NumberedGoal[][] = [];
  for (const [goalIndex, goal] of work.goals.entries()) {
    const wave = at(numbers, goalIndex);
    if (wave > 0 && isHeld?.[goalIndex] !== 1) (found[wave - 1] ??= []).push(goal);
  }
  return found;
}

/**
 * The critical path through the dependencies: the longest chain of unfinished leaves that must follow each other,
 * in order; every leaf counts 1.
 */
export function criticalPath(plan: Plan, work: WorkOrder = workOrder(plan)): readonly string[] {
  return longestChain(work).flatMap((goalIndex) => work.goals[goalIndex]?.goal.id ?? []);
}

/**
 * Finds a cycle of dependencies in any directed graph, as the path around it with its first node repeated, or
 * null. Iterative, so that a chain of any length is walked.
 */
export function findCycle(
  nodes: readonly string[],
  next: (node: string) => readonly string[],
): readonly string[] | null {
  const finished = new Set<string>();
  for (const origin of nodes) {
    if (finished.has(origin)) continue;
    const path: { readonly node: string; readonly neighbors: Iterator<string> }[] = [];
    const onPath = new Set<string>();
    const enter = (node: string) => {
      onPath.add(node);
      path.push({ node, neighbors: next(node)[Symbol.iterator]() });
    };
    enter(origin);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const step = top.neighbors.next();
      if (step.done === true) {
        finished.add(top.node);
        onPath.delete(top.node);
        path.pop();
      } else if (onPath.has(step.value)) {
        const start = path.findIndex(({ node }) => node === step.value);
        return [...path.slice(start).map(({ node }) => node), step.value];
      } else if (!finished.has(step.value)) {
        enter(step.value);
      }
    }
  }
  return null;
}

/** The arrows that lead to a node of the graph that {@link WorkOrder} describes, without making the graph. */
function nodesBefore(plan: Plan, node: string): readonly string[] {
  const goal = plan.goals.get(goalOfNode(node));
  if (goal === undefined) return [];
  if (node === endOf(goal.id)) {
    return goal.child_ids.length === 0 ? [startOf(goal.id)] : goal.child_ids.map((child) => endOf(child));
  }
  const needed = goal.dependencies.map((dependency) => endOf(dependency));
  return goal.parent_id === null ? needed : [startOf(goal.parent_id), ...needed];
}

const startOf = (id: string) => `>${id}`;
const endOf = (id: string) => `<${id}`;
const isStart = (node: string) => node.startsWith('>');
const goalOfNode = (node: string) => node.slice(1);
