import { addSpentUsage, linkActionPlan } from './apply/acting.js';
import { accept } from './apply/applied.js';
import type { Applied, Refuse } from './apply/applied.js';
import { archivePlan, unarchivePlan } from './apply/archiving.js';
import { changeDependencies, editGoal } from './apply/editing.js';
import { expandGoal } from './apply/expanding.js';
import { createPlan, importPlan, restorePlan, undoChange } from './apply/making.js';
import { endPlanning, pausePlan, startPlanning } from './apply/planning.js';
import {
  addGoals,
  mergeGoals,
  moveGoal,
  removeGoals,
  replanGoal,
  rollBackExpansion,
} from './apply/restructuring.js';
import {
  claimGoal,
  completeGoal,
  digestGoal,
  failGoal,
  releaseClaim,
  renewClaim,
  reopenGoal,
} from './apply/working.js';
import type { EventStamp, EventType, PayloadOf, PlanEvent } from './events.js';
import type { Plan } from './plan.js';

/**
 * The one way a plan changes: pure, total and deterministic. Everybody who applies the same events in
 * the same order to `null` has the same plan. It never throws for a valid event, whatever the plan.
 *
 * @param plan the state before, or null before the event that makes the plan
 */
export function apply(plan: Plan | null, event: PlanEvent): Applied {
  const refuse = (reason: string): Applied => ({ plan, refused: reason });

  if (event.type === 'plan_created' || event.type === 'plan_imported') {
    if (plan !== null) return refuse('the plan exists already');
    return event.type === 'plan_created' ? accept(createPlan(event)) : importPlan(event, refuse);
  }
  if (plan === null) return refuse('no plan has been made yet');
  return changePlan(plan, event, refuse);
}

type ChangeType = Exclude<EventType, 'plan_created' | 'plan_imported'>;
type EventOf<Type extends ChangeType> = {
  [Each in Type]: PayloadOf<Each> & EventStamp & { readonly type: Each };
}[Type];

function changePlan<Type extends ChangeType>(plan: Plan, event: EventOf<Type>, refuse: Refuse): Applied {
  return CHANGES[event.type](plan, event, refuse);
}

/** What each event does to a plan. */
const CHANGES: {
  readonly [Type in ChangeType]: (plan: Plan, event: EventOf<Type>, refuse: Refuse) => Applied;
} = {
  goal_expanded: expandGoal,
  goal_failed: failGoal,
  goal_completed: completeGoal,
  goal_digested: digestGoal,
  goal_reopened: reopenGoal,
  goal_claimed: claimGoal,
  claim_renewed: renewClaim,
  claim_released: releaseClaim,
  goal_replanned: replanGoal,
  expansion_rolled_back: rollBackExpansion,
  goals_added: addGoals,
  goal_edited: editGoal,
  goal_moved: moveGoal,
  goal_removed: removeGoals,
  goals_merged: mergeGoals,
  dependencies_changed: changeDependencies,
  planning_started: startPlanning,
  planning_ended: endPlanning,
  plan_paused: pausePlan,
  plan_archived: archivePlan,
  plan_unarchived: unarchivePlan,
  action_plan_linked: linkActionPlan,
  usage_added: addSpentUsage,
  change_undone: undoChange,
  plan_restored: restorePlan,
};
