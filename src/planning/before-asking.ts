import type { PayloadOf } from '../plan/events.js';
import type { Goal } from '../plan/schema.js';
import { childQuota, leastRoom } from './child-quota.js';
import type { Growing } from './child-quota.js';
import type { OpenGoal } from './frontier.js';
import { assumedAtomic } from './planner-events.js';
import { quantityOf } from '../kernel/text/quantity-of.js';

/** What is to be done with a goal whose turn it is. */
type Verdict =
  /** It is asked about, and may get so many sub-goals. */
  | { readonly kind: 'ask'; readonly maxChildren: number }
  /** A limit says that it is atomic. */
  | { readonly kind: 'atomic'; readonly event: PayloadOf<'goal_expanded'> }
  /** The limit of goals is near: others must come back first. */
  | { readonly kind: 'wait' };

/** Decides whether a waiting goal is asked about, by the limits of depth and of goals. */
export function beforeAsking(goal: Goal, openGoal: OpenGoal, context: Growing): Verdict {
  const { max_depth, max_goals } = context.settings;
  const atomic = (code: string, why: string): Verdict => ({
    kind: 'atomic',
    event: assumedAtomic(goal, code, why),
  });
  if (goal.depth >= max_depth) return atomic('max_depth', `the depth limit of ${max_depth} was reached`);
  const room = childQuota(openGoal, context);
  if (room === 'wait') return { kind: 'wait' };
  return room >= leastRoom(context.settings)
    ? { kind: 'ask', maxChildren: room }
    : atomic('max_goals', `the limit of ${quantityOf(max_goals, 'goal')} was reached`);
}
