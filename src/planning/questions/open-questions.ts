import type { PayloadOf } from '../../plan/events.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal, Settings } from '../../plan/schema.js';
import { childLimit, leastRoom } from '../child-quota.js';
import { frontierBreadthFirst, frontierDepthFirst, frontierOf } from '../frontier.js';
import { assumedAtomic } from '../planner-events.js';
import { quantityOf } from '../../kernel/text/quantity-of.js';

/** A goal that waits to be expanded, and how many sub-goals it may get. */
export interface OpenQuestion {
  readonly goal: Goal;
  /** As the plan is now; what others are answered takes from the room as well. */
  readonly maxChildren: number;
}

/** The questions of a plan, first to be asked first. */
export interface OpenQuestions {
  readonly questions: readonly OpenQuestion[];
  /** What becomes of the waiting goals that nobody is asked about, because a limit is reached. */
  readonly taken: readonly PayloadOf<'goal_expanded'>[];
}

/** Lists what a plan has to ask: its waiting goals, in the order in which they are to be expanded, within its limits. */
export function openQuestions(
  plan: Plan,
  settings: Pick<Settings, 'order' | 'max_depth' | 'max_children' | 'max_goals' | 'given'>,
): OpenQuestions {
  const { max_depth, max_goals } = settings;
  const room = Math.max(0, max_goals - plan.counts.total);
  const frontier = frontierOf(plan, settings.order === 'depth' ? frontierDepthFirst : frontierBreadthFirst);
  const questions: OpenQuestion[] = [];
  const taken: PayloadOf<'goal_expanded'>[] = [];
  for (let openGoal = frontier.take(); openGoal !== undefined; openGoal = frontier.take()) {
    const goal = goalOf(plan, openGoal.goalId);
    if (goal.depth >= max_depth)
      taken.push(assumedAtomic(goal, 'max_depth', `the depth limit of ${max_depth} was reached`));
    else if (room < leastRoom(settings))
      taken.push(
        assumedAtomic(goal, 'max_goals', `the limit of ${quantityOf(max_goals, 'goal')} was reached`),
      );
    else questions.push({ goal, maxChildren: Math.min(childLimit(goal.depth, settings), room) });
  }
  return { questions, taken };
}
