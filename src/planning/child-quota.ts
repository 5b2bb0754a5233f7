import { isWaiting } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Settings } from '../plan/schema.js';
import type { OpenGoal, Precedence } from './frontier.js';

/** The usual limit of sub-goals, and that of a root where nobody set one. */
export const USUAL_CHILDREN = 7;
const ROOT_CHILDREN = 10;

type Limit = Pick<Settings, 'max_children' | 'given'>;

/** Returns the most sub-goals that a goal at a depth may get: the number that somebody set, also at the root. */
export function childLimit(depth: number, { max_children, given = [] }: Limit): number {
  const isUsual = max_children === USUAL_CHILDREN && !given.includes('max_children');
  return depth === 0 && isUsual ? ROOT_CHILDREN : max_children;
}

/** A plan while it grows. */
export interface Growing {
  readonly plan: Plan;
  readonly settings: Settings;
  /** Goals that are being expanded, or whose sub-goals are not in the plan yet. */
  readonly growing: readonly OpenGoal[];
  readonly precedence: Precedence;
}

/**
 * How many sub-goals the goal at `place` may get now, or `wait` until calls in flight have come back.
 *
 * The limit of goals must cut the same tree whichever reply comes first: the one that asking goal by goal
 * in order would give. So a goal is begun early only when there is room for it even if everything before
 * it in that order grows as much as it can; near the limit, goals wait for those before them.
 */
export function childQuota(openGoal: OpenGoal, context: Growing): number | 'wait' {
  const { plan, settings, growing, precedence } = context;
  const room = Math.max(0, settings.max_goals - plan.counts.total);
  const most = childLimit(openGoal.path.length, settings);
  if (growing.length === 0) return Math.min(most, room);
  // Whatever comes before it leaves no more room than there is now.
  if (room < leastRoom(settings)) return room;
  let reserved = 0;
  for (const other of growing) {
    reserved +=
      precedence(other, openGoal) < 0 ? growthBefore(other, openGoal, settings) : settings.max_children;
  }
  return room - reserved >= most ? most : 'wait';
}

/** The least child quota: with less room than this a goal is atomic, for one sub-goal would be the goal itself. */
export function leastRoom({ max_children }: Pick<Settings, 'max_children'>): number {
  return Math.min(2, max_children);
}

/**
 * Whether no child quota is near, as the limit of goals is so far away that a goal may be asked about at once, even
 * if every other that waits on its level or above comes before it. Tells that without the places of goals, which
 * take long to find in a large plan.
 */
export function hasAmpleRoom(plan: Plan, { depth }: Pick<Goal, 'depth'>, settings: Settings): boolean {
  let room = settings.max_goals - plan.counts.total - childLimit(depth, settings);
  for (const goal of plan.goals.values()) {
    if (!isWaiting(goal) || (goal.depth > depth && settings.order !== 'depth')) continue;
    room -= growthTo(goal.depth, depth, settings);
    if (room < 0) return false;
  }
  return true;
}

/**
 * The most goals that can come of `earlier` before the turn of `place`. In breadth-first order those are
 * its levels down to just below `place`; in depth-first order it would be its whole subtree, which would
 * rarely leave room, so there only its own children are reserved.
 */
function growthBefore(earlier: OpenGoal, openGoal: OpenGoal, settings: Settings): number {
  return growthTo(earlier.path.length, openGoal.path.length, settings);
}

function growthTo(earlierDepth: number, depth: number, settings: Settings): number {
  if (settings.order === 'depth') return childLimit(earlierDepth, settings);
  const levels = Math.min(depth + 1, settings.max_depth) - earlierDepth;
  let growth = 0;
  let width = 1;
  for (let level = 0; level < Math.max(1, levels); level += 1) {
    width *= childLimit(earlierDepth + level, settings);
    growth += width;
  }
  return growth;
}
