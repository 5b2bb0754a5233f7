import { goalOf, rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal } from '../schema.js';
import { ownHold } from './holds.js';
import type { HoldAbove } from './holds.js';

/** A goal that cannot start, and the incomplete goals it waits for. */
interface BlockedGoal {
  readonly goal: Goal;
  readonly waitingFor: readonly string[];
}

/** A goal that is on hold, by itself or by a goal above it. */
interface HeldGoal {
  readonly goal: Goal;
  readonly by: HoldAbove;
}

/**
 * The unfinished atomic goals at a moment, an ISO 8601 time: those whose own and inherited dependencies are complete, those
 * that wait, and those on hold, which are in neither. Depth-first order.
 */
export function openWork(
  plan: Plan,
  at: string,
): {
  readonly ready: readonly Goal[];
  readonly blocked: readonly BlockedGoal[];
  readonly held: readonly HeldGoal[];
} {
  const ready: Goal[] = [];
  const blocked: BlockedGoal[] = [];
  const held: HeldGoal[] = [];
  const stack: Open[] = [{ goal: rootOf(plan), above: [], hold: null }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { goal } = top;
    const waitingFor = withOwn(plan, goal, top.above);
    const own = goal.on_hold === undefined ? null : ownHold(goal, at);
    const hold = own === null ? top.hold : { goal: goal.id, hold: own };
    for (let index = goal.child_ids.length - 1; index >= 0; index -= 1)
      stack.push({ goal: goalOf(plan, goal.child_ids[index] ?? ''), above: waitingFor, hold });
    if (goal.child_ids.length > 0 || goal.status !== 'atomic') continue;
    if (hold !== null) held.push({ goal, by: hold });
    else if (waitingFor.length === 0) ready.push(goal);
    else blocked.push({ goal, waitingFor });
  }
  return { ready, blocked, held };
}

/** A goal that is still to be looked at, with what those above it wait for and are on hold by. */
interface Open {
  readonly goal: Goal;
  readonly above: readonly string[];
  readonly hold: HoldAbove | null;
}

/** Lists up to this length are searched; a set would be dearer to make. */
const SHORT = 16;

/** What a goal waits for: its own dependencies, then those of the goals above it, each once. */
function withOwn(plan: Plan, goal: Goal, above: readonly string[]): readonly string[] {
  const { dependencies } = goal;
  const own: string[] = [];
  for (let index = 0; index < dependencies.length; index += 1) {
    const id = dependencies[index] ?? '';
    if (plan.goals.get(id)?.status !== 'complete') own.push(id);
  }
  if (own.length === 0) return above;
  if (own.length + above.length > SHORT) return [...new Set([...own, ...above])];
  const all: string[] = [];
  for (let index = 0; index < own.length; index += 1) addOnce(all, own[index] ?? '', index);
  // Of those above each is there once already.
  const mine = all.length;
  for (let index = 0; index < above.length; index += 1) addOnce(all, above[index] ?? '', mine);
  return all;
}

/** Adds an id to a list unless it is among the first so many. */
function addOnce(list: string[], id: string, first: number): void {
  for (let index = 0; index < first; index += 1) if (list[index] === id) return;
  list.push(id);
}
