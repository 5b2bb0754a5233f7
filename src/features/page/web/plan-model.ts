import { planOfGoals } from '../../../plan/make-plan.js';
import type { Plan } from '../../../plan/plan.js';
import { goalStates } from '../../../plan/readiness/goal-state.js';
import type { GoalState } from '../../../plan/readiness/goal-state.js';
import type { Goal } from '../../../plan/schema.js';
import { depthFirst } from '../../../plan/tree.js';
import type { FeedEntry, PlanLine, ShownGoal, ShownHeader } from './wire.js';

/** A plan as the page knows it. */
export interface PlanModel {
  readonly header: ShownHeader;
  readonly archived: boolean;
  readonly plan: Plan;
  /** Goals depth-first with their numbers. */
  readonly order: readonly { readonly goal: Goal; readonly number: string }[];
  readonly numbers: ReadonlyMap<string, string>;
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  /** The last entries of the log, the newest first. */
  readonly feed: readonly FeedEntry[];
}

const FEED_LENGTH = 30;

/** What the page knows after one more line of the stream; null where it knows nothing yet. */
export function planModelWithLine(known: PlanModel | null, line: PlanLine): PlanModel | null {
  if (line.type === 'gone') return known;
  const before = line.type === 'whole' ? null : known;
  const header = line.header ?? before?.header;
  if (header === undefined || (line.type === 'changed' && before === null)) return known;
  const goals = new Map<string, Goal>(before?.plan.goals);
  for (const goal of line.goals) goals.set(goal.id, goalOfWire(goal));
  for (const id of line.gone) goals.delete(id);
  const plan = planOfGoals(planHeader(header), goals);
  const order = [...depthFirst(plan)];
  return {
    header,
    archived: line.archived ?? before?.archived ?? false,
    plan,
    order,
    numbers: new Map(order.map(({ goal, number }) => [goal.id, number])),
    dependents: dependentsOf(goals.values()),
    feed: [...line.log.toReversed(), ...(before?.feed ?? [])].slice(0, FEED_LENGTH),
  };
}

/** The state of each goal of the plan that the page knows at a moment, in milliseconds since 1970. */
export function goalStatesAt({ plan }: PlanModel, now: number): ReadonlyMap<string, GoalState> {
  const stateOf = goalStates(plan, new Date(now).toISOString());
  return new Map(Array.from(plan.goals.values(), (goal) => [goal.id, stateOf(goal)]));
}

/** The goals of the plan model around one: what it waits for and what waits for it, so many steps far. */
export function neighbourhood(
  { plan, dependents }: PlanModel,
  id: string,
  steps: number,
): ReadonlySet<string> {
  const found = new Set([id]);
  const walk = (next: (goal: string) => readonly string[]) => {
    let edge: readonly string[] = [id];
    for (let step = 0; step < steps; step += 1) {
      edge = edge.flatMap(next).filter((each) => plan.goals.has(each));
      for (const each of edge) found.add(each);
    }
  };
  walk((goal) => plan.goals.get(goal)?.dependencies ?? []);
  walk((goal) => dependents.get(goal) ?? []);
  return found;
}

/** Returns what depends on each of some goals. */
export function dependentsOf(goals: Iterable<Goal>): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const { id, dependencies } of goals)
    for (const needed of dependencies) {
      const known = dependents.get(needed);
      if (known === undefined) dependents.set(needed, [id]);
      else known.push(id);
    }
  return dependents;
}

function goalOfWire({ claim, failure, tags, ...goal }: ShownGoal): Goal {
  return {
    ...goal,
    created_at: goal.updated_at,
    reasoning: null,
    digest: null,
    tokens_used: 0,
    graph_node_id: null,
    ...(claim === undefined ? {} : { claim: { ...claim, token: '' } }),
    ...(failure === undefined ? {} : { failure: { ...failure, at: goal.updated_at } }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  };
}

function planHeader({ id, root_goal_id, status, created_at, updated_at, ...header }: ShownHeader) {
  const { total_tokens, max_depth } = header;
  return { id, root_goal_id, status, created_at, updated_at, total_tokens, max_depth };
}
