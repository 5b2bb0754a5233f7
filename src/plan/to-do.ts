import { goalOf, rootOf } from './plan.js';
import type { Plan } from './plan.js';
import type { Goal } from './schema.js';

/** A goal that cannot start, and the incomplete goals it waits for. */
interface BlockedGoal {
  readonly goal: Goal;
  readonly waitingFor: readonly string[];
}

/** The unfinished atomic goals: those whose own and inherited dependencies are complete, and those that wait. Depth-first order. */
export function goalsToDo(plan: Plan): {
  readonly ready: readonly Goal[];
  readonly blocked: readonly BlockedGoal[];
} {
  const ready: Goal[] = [];
  const blocked: BlockedGoal[] = [];
  const stack: { readonly goal: Goal; readonly above: readonly string[] }[] = [
    { goal: rootOf(plan), above: [] },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { goal } = top;
    const waitingFor = withOwn(plan, goal, top.above);
    for (const id of goal.child_ids.toReversed()) stack.push({ goal: goalOf(plan, id), above: waitingFor });
    if (goal.child_ids.length > 0 || goal.status !== 'atomic') continue;
    if (waitingFor.length === 0) ready.push(goal);
    else blocked.push({ goal, waitingFor });
  }
  return { ready, blocked };
}

/** What a goal waits for: its own dependencies, then those of the goals above it. */
function withOwn(plan: Plan, goal: Goal, above: readonly string[]): readonly string[] {
  if (goal.dependencies.length === 0) return above;
  const own = goal.dependencies.filter((id) => plan.goals.get(id)?.status !== 'complete');
  if (own.length === 0) return above;
  return own.length === 1 && above.length === 0 ? own : [...new Set([...own, ...above])];
}
