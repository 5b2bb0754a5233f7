import { priorityInWords, PRIORITIES, USUAL_PRIORITY } from '../../../../plan/readiness/priorities.js';
import type { GoalState } from '../../../../plan/readiness/goal-state.js';
import type { Goal } from '../../../../plan/schema.js';
import type { PlanModel } from '../plan-model.js';
import { LANES } from '../acting/goal-moves.js';
import type { Lane } from '../acting/goal-moves.js';
import { search } from './tree-rows.js';

/** A goal on the board. */
export interface BoardCard {
  readonly goal: Goal;
  readonly number: string;
  readonly state: GoalState;
  /** The goal above, of which it is a part. */
  readonly part: string;
  readonly priority: number;
  /** The numbers of the first goals that it waits for, by its own or by way of a goal above: one more than is shown. */
  readonly after: readonly string[];
}

/** What of the board is shown; each choice is a word, or the first of its choices for everything. */
export interface BoardFilter {
  readonly text: string;
  readonly tag: string;
  readonly priority: string;
  readonly who: string;
}

export const ANY = { text: '', tag: 'any tag', priority: 'any priority', who: 'anybody' } as const;
/** Whose goals those are that nobody has claimed. */
const NOBODY = 'nobody';

/** As many goals as a card says that it waits for. */
export const MOST_BLOCKERS = 5;

/** Warnings that ask a person to look at a goal. */
const REVIEWED: ReadonlySet<string> = new Set(['needs_review', 'refused', 'no_method', 'max_depth']);

/** The cards of each lane: the goals that are to be done, and those that failed, as the filter wants them. */
export function cardsOfLanes(
  model: PlanModel,
  states: ReadonlyMap<string, GoalState>,
  filter: BoardFilter,
): ReadonlyMap<Lane, readonly BoardCard[]> {
  const marked = new Set(
    (model.header.warnings ?? []).filter(({ code }) => REVIEWED.has(code)).map(({ goal_id }) => goal_id),
  );
  const found = new Map<Lane, BoardCard[]>(LANES.map(([lane]) => [lane, []]));
  const priorities = new Map<string, number>();
  const blockers = new Map<string, readonly string[]>();
  const isFound = search(filter.text);
  for (const each of model.order) {
    const { goal, number } = each;
    const state = states.get(goal.id) ?? 'to_plan';
    const priority = goal.priority ?? priorities.get(goal.parent_id ?? '') ?? USUAL_PRIORITY;
    priorities.set(goal.id, priority);
    // A goal without any of its own waits for those of the goal above.
    const own = firstBlockers(model, goal);
    blockers.set(goal.id, own.length > 0 ? own : (blockers.get(goal.parent_id ?? '') ?? []));
    if (goal.child_ids.length > 0 && state !== 'failed') continue;
    const part = model.plan.goals.get(goal.parent_id ?? '')?.description ?? '';
    const after = state === 'waiting' ? (blockers.get(goal.id) ?? []) : [];
    const card = { goal, number, state, part, priority, after };
    if (fits(card, filter) && isFound(each)) found.get(laneOf(state, marked.has(goal.id)))?.push(card);
  }
  for (const cards of found.values()) cards.sort((one, other) => one.priority - other.priority);
  return found;
}

/** The numbers of the first unfinished goals that a goal itself waits for, one more than is shown. */
function firstBlockers({ plan, numbers }: PlanModel, { dependencies }: Goal): readonly string[] {
  const found: string[] = [];
  for (const id of dependencies) {
    if (plan.goals.get(id)?.status === 'complete') continue;
    found.push(numbers.get(id) ?? '');
    if (found.length > MOST_BLOCKERS) break;
  }
  return found;
}

/** What can be chosen of a plan, each with everything first. */
export function choicesOf({ order }: PlanModel) {
  const tags = new Set(order.flatMap(({ goal }) => goal.tags ?? []));
  const people = new Set(order.flatMap(({ goal }) => goal.claim?.by ?? []));
  return {
    tag: [ANY.tag, ...[...tags].sort()],
    priority: [ANY.priority, ...PRIORITIES],
    who: [ANY.who, NOBODY, ...[...people].sort()],
  };
}

function fits({ goal, state, priority }: BoardCard, filter: BoardFilter): boolean {
  const by = state === 'claimed' ? (goal.claim?.by ?? NOBODY) : NOBODY;
  return (
    (filter.tag === ANY.tag || goal.tags?.includes(filter.tag) === true) &&
    (filter.priority === ANY.priority || priorityInWords(priority) === filter.priority) &&
    (filter.who === ANY.who || by === filter.who)
  );
}

function laneOf(state: GoalState, isMarked: boolean): Lane {
  if (state === 'failed') return 'review';
  if (state === 'done' || state === 'claimed' || state === 'on_hold') return state;
  if (isMarked) return 'review';
  return state === 'ready' ? 'ready' : 'waiting';
}
