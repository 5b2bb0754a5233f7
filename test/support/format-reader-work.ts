import {
  newGoal,
  completeAbove,
  decide,
  goalsAbove,
  hasCircle,
  isLive,
  isOpen,
  openAbove,
  spendGoal,
  standsAgainst,
} from './format-reader-goals.js';

/** What docs/format.md says of planning goals and working on them, written from the page alone. */

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return */

/** Each changes the plan and returns it, or returns null and may have changed it: an event that is refused. */
export const WORK: Record<string, (plan: Json, event: Json) => Json> = {
  goal_expanded(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal === undefined || !isOpen(goal)) return null;
    if (event.atomic !== (event.sub_goals.length === 0)) return null;
    const ids = new Set(event.sub_goals.map(({ id }: Json) => id));
    if (ids.size < event.sub_goals.length) return null;
    for (const { id, dependencies } of event.sub_goals) {
      if (!id.startsWith(`${plan.id}-`) || plan.goals[id] !== undefined) return null;
      if (dependencies.some((other: string) => !ids.has(other))) return null;
    }
    delete goal.failure;
    goal.status = event.atomic ? 'atomic' : 'decomposing';
    goal.reasoning = event.reasoning ?? goal.reasoning;
    goal.child_ids = [...ids];
    goal.updated_at = event.at;
    for (const decision of event.decisions ?? []) decide(goal, decision, true);
    spendGoal(goal, event.usage);
    for (const child of event.sub_goals) plan.goals[child.id] = newGoal(child, goal, event.at);
    if (hasCircle(plan)) return null;
    if (ids.size > 0) plan.max_depth = Math.max(plan.max_depth, goal.depth + 1);
    if (ids.size > 0) completeAbove(plan, plan.goals[event.sub_goals[0].id], event.at);
    return plan;
  },

  goal_failed(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal === undefined) return null;
    if (event.phase === 'planning' ? !isOpen(goal) : goal.status !== 'atomic') return null;
    if (event.phase === 'work' && standsAgainst(goal, event)) return null;
    delete goal.claim;
    goal.status = 'failed';
    const { reason, code, phase, at } = event;
    goal.failure = { reason, ...(code === undefined ? {} : { code }), phase, at };
    goal.updated_at = event.at;
    spendGoal(goal, event.usage);
    return plan;
  },

  goal_completed(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal?.status !== 'atomic' || standsAgainst(goal, event)) return null;
    delete goal.claim;
    goal.status = 'complete';
    goal.digest = event.digest ?? goal.digest;
    goal.updated_at = event.at;
    completeAbove(plan, goal, event.at);
    return plan;
  },

  goal_digested(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal?.status !== 'complete') return null;
    goal.digest = event.digest;
    goal.updated_at = event.at;
    spendGoal(goal, event.usage);
    return plan;
  },

  goal_reopened(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal === undefined || goal.child_ids.length > 0) return null;
    if (goal.status !== 'complete' && goal.status !== 'failed') return null;
    if (goal.status === 'failed' && goal.failure?.phase !== 'work') goal.status = 'pending';
    else {
      goal.status = 'atomic';
      goal.digest = null;
      delete goal.failure;
    }
    goal.updated_at = event.at;
    openAbove(plan, goal, event.at);
    return plan;
  },

  goal_claimed(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal?.status !== 'atomic' || isLive(goal, event.at)) return null;
    const line = [goal, ...goalsAbove(plan, goal)];
    for (const { on_hold: hold } of line)
      if (hold !== undefined && (hold.until === undefined || Date.parse(hold.until) > Date.parse(event.at)))
        return null;
    const needed = line.flatMap(({ dependencies }) => dependencies);
    if (needed.some((id) => plan.goals[id].status !== 'complete')) return null;
    const { by, at, expires_at, token } = event;
    goal.claim = { by, since: at, expires_at, token };
    goal.updated_at = at;
    return plan;
  },

  goal_put_on_hold(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal === undefined || goal.status === 'complete') return null;
    if (isLive(goal, event.at) && goal.claim.by !== event.by) return null;
    const { reason, until } = event;
    goal.on_hold = until === undefined ? { reason } : { reason, until };
    delete goal.claim;
    goal.updated_at = event.at;
    return plan;
  },

  goal_hold_ended(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal?.on_hold === undefined) return null;
    delete goal.on_hold;
    goal.updated_at = event.at;
    return plan;
  },

  claim_renewed(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal?.claim?.token !== event.token || goal?.claim === undefined) return null;
    goal.claim.expires_at = event.expires_at;
    goal.updated_at = event.at;
    return plan;
  },

  claim_released(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal?.claim === undefined) return null;
    if (event.forced !== true && standsAgainst(goal, event)) return null;
    delete goal.claim;
    goal.updated_at = event.at;
    return plan;
  },
};
