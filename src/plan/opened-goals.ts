import type { NewGoal } from './events/new-goal.js';
import type { PlanEvent } from './events.js';
import type { Plan } from './plan.js';

/** A goal that waits to be expanded, and how deep it lies. */
interface OpenedGoal {
  readonly goal: string;
  readonly depth: number;
}

/**
 * The goals that wait because of an event, as far as they are known before it is applied; others are found when somebody
 * looks through the plan. Every event is named here, so that the compiler asks for a new one.
 * @param plan as it was before
 */
export function openedGoals(event: PlanEvent, plan: Plan): readonly OpenedGoal[] {
  switch (event.type) {
    case 'goal_expanded':
    case 'goal_replanned':
      return below(event.sub_goals, event.goal, plan);
    case 'goals_added':
      return below(event.sub_goals, event.parent, plan);
    case 'goal_reopened':
    case 'expansion_rolled_back':
      return [{ goal: event.goal, depth: depthOf(event.goal, plan) }];
    // May open some, which only the plan as it is then tells.
    case 'plan_created':
    case 'plan_imported':
    case 'goal_edited':
    case 'goal_moved':
    case 'goals_merged':
    case 'planning_started':
    case 'plan_unarchived':
    case 'change_undone':
    case 'plan_restored':
    case 'damage_accepted':
      return [];
    // Open none.
    case 'goal_failed':
    case 'goal_completed':
    case 'goal_digested':
    case 'goal_claimed':
    case 'claim_renewed':
    case 'claim_released':
    case 'goal_removed':
    case 'dependencies_changed':
    case 'planning_estimated':
    case 'planning_ended':
    case 'plan_paused':
    case 'plan_archived':
    case 'action_plan_linked':
    case 'action_plan_run':
    case 'usage_added':
      return [];
  }
}

/** When a goal of a depth is taken, those of a lower turn first: level by level, or the deepest first. */
export function goalTurn({ header }: Plan, depth: number): number {
  return header.settings?.order === 'depth' ? Math.max(0, header.settings.max_depth - depth) : depth;
}

function below(goals: readonly NewGoal[], parent: string, plan: Plan): readonly OpenedGoal[] {
  const depth = depthOf(parent, plan) + 1;
  return goals.filter(({ atomic }) => atomic !== true).map(({ id }) => ({ goal: id, depth }));
}

function depthOf(goal: string, plan: Plan): number {
  return plan.goals.get(goal)?.depth ?? 0;
}
