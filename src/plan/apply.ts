import {
  addUsage,
  goalOf,
  isWaiting,
  makePlan,
  NO_USAGE,
  planFromFile,
  putGoal,
  rootOf,
  tokensOf,
  removeGoal,
} from './plan.js';
import type { Plan } from './plan.js';
import type { EventStamp, NewGoal, PayloadOf, PlanEvent } from './events.js';
import { findCycle } from './dependencies.js';
import { rootGoalId } from './ids.js';
import { checkPlan } from './invariants.js';
import { isSameJson } from './changes.js';
import type { Goal, PlanFile, PlanHeader, PlanStatus, Usage, Warning } from './schema.js';

/** Warnings of each code that are kept in a plan; later ones are only counted. */
const MAX_WARNINGS_OF_A_CODE = 25;

/** What an event came to: the next plan, or the plan as it was and the reason. */
export interface Applied {
  readonly plan: Plan | null;
  /** Why the event was refused; null when it was accepted. */
  readonly refused: string | null;
}

type Refuse = (reason: string) => Applied;

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
  return applyToPlan(plan, event, refuse);
}

type ChangeEvent = Exclude<PlanEvent, PayloadOf<'plan_created' | 'plan_imported'>>;
function applyToPlan(plan: Plan, event: ChangeEvent, refuse: Refuse): Applied {
  switch (event.type) {
    case 'goal_expanded':
      return expandGoal(plan, event, refuse);
    case 'goal_failed':
      return failGoal(plan, event, refuse);
    case 'goal_completed':
      return completeGoal(plan, event, refuse);
    case 'goal_reopened':
      return reopenGoal(plan, event, refuse);
    case 'planning_started':
      return startPlanning(plan, event, refuse);
    case 'planning_ended':
      if (plan.header.run?.id !== event.run) return refuse('another process took over this planning');
      return accept(settle(spend(withoutRun(plan), event), event));
    case 'plan_paused':
      return pausePlan(plan, event, refuse);
    case 'change_undone':
      return undoChange(plan, event, refuse);
    case 'plan_restored':
      return restorePlan(plan, event, refuse);
  }
}

function accept(plan: Plan): Applied {
  return { plan, refused: null };
}

function createPlan(event: PayloadOf<'plan_created'> & EventStamp): Plan {
  const id = event.plan.id;
  const rootId = rootGoalId(id);
  const header: PlanHeader = {
    ...event.plan,
    root_goal_id: rootId,
    description: event.plan.description ?? event.root.description,
    status: 'in_progress',
    created_at: event.at,
    updated_at: event.at,
    total_tokens: 0,
    max_depth: 0,
    usage: NO_USAGE,
    paused_because: null,
    warnings: [],
  };
  const root = bornGoal(
    { id: rootId, atomic: null, reasoning: null, dependencies: [], ...event.root },
    null,
    event.at,
  );
  return addWarnings(makePlan(header, [root]), event.warnings);
}

function importPlan(event: PayloadOf<'plan_imported'> & EventStamp, refuse: Refuse): Applied {
  const problem = checkPlan(event.plan)[0];
  if (problem !== undefined)
    return refuse(`the imported plan is not valid: ${problem.message} at ${problem.path}`);
  return accept(planFromFile(event.plan));
}

function expandGoal(plan: Plan, event: PayloadOf<'goal_expanded'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (!isWaiting(goal)) return refuse(`goal ${goal.id} is ${goal.status} already`);
  if (event.atomic !== (event.sub_goals.length === 0)) {
    return refuse('an atomic goal has no sub-goals, any other has at least one');
  }
  const wrong = wrongSubGoals(plan, event.sub_goals);
  if (wrong !== null) return refuse(wrong);

  const { failure: _resolved, ...rest } = goal;
  const next: Goal = {
    ...rest,
    status: event.atomic ? 'atomic' : 'decomposing',
    reasoning: event.reasoning ?? goal.reasoning,
    child_ids: event.sub_goals.map((child) => child.id),
    updated_at: event.at,
  };
  let grown = putGoal(plan, withUsage(next, event.usage));
  for (const child of event.sub_goals) grown = putGoal(grown, bornGoal(child, goal, event.at));
  if (event.sub_goals.length > 0 && goal.depth + 1 > grown.header.max_depth) {
    grown = { ...grown, header: { ...grown.header, max_depth: goal.depth + 1 } };
  }
  grown = completeAncestors(grown, event.sub_goals[0]?.id, event.at);
  return accept(settle(spend(grown, event), event));
}

function failGoal(plan: Plan, event: PayloadOf<'goal_failed'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  const fits = event.phase === 'planning' ? isWaiting(goal) : goal.status === 'atomic';
  if (!fits) return refuse(`goal ${goal.id} is ${goal.status} already`);
  const failure = {
    reason: event.reason,
    ...(event.code === undefined ? {} : { code: event.code }),
    phase: event.phase,
    at: event.at,
  };
  const failed: Goal = { ...goal, status: 'failed', failure, updated_at: event.at };
  return accept(settle(spend(putGoal(plan, withUsage(failed, event.usage)), event), event));
}

function completeGoal(plan: Plan, event: PayloadOf<'goal_completed'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.status !== 'atomic')
    return refuse(`goal ${goal.id} is ${goal.status}; only an atomic goal can be completed`);
  const done: Goal = {
    ...goal,
    status: 'complete',
    digest: event.digest ?? goal.digest,
    updated_at: event.at,
  };
  return accept(settle(completeAncestors(putGoal(plan, done), goal.id, event.at), event));
}

function reopenGoal(plan: Plan, event: PayloadOf<'goal_reopened'> & EventStamp, refuse: Refuse): Applied {
  const goal = plan.goals.get(event.goal);
  if (goal === undefined) return refuse(`there is no goal ${event.goal}`);
  if (goal.child_ids.length > 0) return refuse(`goal ${goal.id} has sub-goals; reopen one of those`);
  if (goal.status !== 'complete' && goal.status !== 'failed')
    return refuse(`goal ${goal.id} is ${goal.status}, not finished`);
  const { failure, ...rest } = goal;
  const toPlan = goal.status === 'failed' && failure?.phase !== 'work';
  // What went wrong when it was expanded is told when it is asked about again.
  const reopened: Goal = toPlan ? { ...goal, status: 'pending' } : { ...rest, status: 'atomic' };
  const next = putGoal(plan, { ...reopened, updated_at: event.at });
  return accept(settle(reopenAncestors(next, goal, event.at), event));
}

function startPlanning(
  plan: Plan,
  event: PayloadOf<'planning_started'> & EventStamp,
  refuse: Refuse,
): Applied {
  if ((plan.header.run?.id ?? null) !== event.replaces)
    return refuse('another process started to plan first');
  const settings = event.settings ?? plan.header.settings;
  const header: PlanHeader = {
    ...plan.header,
    ...(settings === undefined ? {} : { settings }),
    paused_because: null,
    run: event.run,
  };
  return accept(settle({ ...plan, header }, event));
}

function pausePlan(plan: Plan, event: PayloadOf<'plan_paused'> & EventStamp, refuse: Refuse): Applied {
  if (event.run !== undefined && plan.header.run?.id !== event.run)
    return refuse('another process took over this planning');
  if (event.run === undefined && plan.counts.pending === 0)
    return refuse(`the plan is ${plan.header.status}; nothing is left to plan`);
  const ended = event.run === undefined ? plan : withoutRun(plan);
  const paused: Plan = { ...ended, header: { ...ended.header, paused_because: event.because } };
  return accept(settle(spend(paused, event), event));
}

/** Puts goals back as they were, unless one of them has changed since or others have come to need it. */
function undoChange(plan: Plan, event: PayloadOf<'change_undone'> & EventStamp, refuse: Refuse): Applied {
  const changed = event.changes.find(({ goal, after }) => !isSameJson(plan.goals.get(goal) ?? null, after));
  if (changed !== undefined) return refuse(`goal ${changed.goal} has changed since`);
  const back = event.changes.reduce(
    (next, { goal, before }) => (before === null ? removeGoal(next, goal) : putGoal(next, before)),
    plan,
  );
  const problem = back.goals.has(plan.header.root_goal_id) ? checkPlan(linkedFile(back))[0] : undefined;
  if (problem !== undefined) return refuse(`undoing it would break the plan: ${problem.message}`);
  return accept(settle(back, event));
}

/** Takes the state of a plan file as it is; what was spent is never less than it was. */
function restorePlan(plan: Plan, event: PayloadOf<'plan_restored'> & EventStamp, refuse: Refuse): Applied {
  if (event.plan.id !== plan.header.id) return refuse(`that is plan ${event.plan.id}`);
  const problem = checkPlan(event.plan)[0];
  if (problem !== undefined)
    return refuse(`the plan file is not valid: ${problem.message} at ${problem.path}`);
  return accept(settle(planFromFile(event.plan), event));
}

// ---- what the cases share

/** A plan as a file for checking alone: every goal, whether it hangs on the root or not. */
function linkedFile(plan: Plan): PlanFile {
  return { ...plan.header, goals: Object.fromEntries(plan.goals) };
}

/** Why these sub-goals cannot be added, or null. They may depend on each other only, and in no circle. */
function wrongSubGoals(plan: Plan, subGoals: readonly NewGoal[]): string | null {
  const siblings = new Set<string>();
  for (const { id } of subGoals) {
    if (!id.startsWith(`${plan.header.id}-`)) return `goal ${id} does not belong to plan ${plan.header.id}`;
    if (plan.goals.has(id) || siblings.has(id)) return `there is a goal ${id} already`;
    siblings.add(id);
  }
  for (const { id, dependencies } of subGoals) {
    const stranger = dependencies.find((dependency) => !siblings.has(dependency));
    if (stranger !== undefined) return `goal ${id} depends on ${stranger}, which is not a sibling`;
  }
  const edges = new Map(subGoals.map((child) => [child.id, child.dependencies]));
  const cycle = findCycle([...siblings], (id) => edges.get(id) ?? []);
  return cycle === null ? null : `the dependencies form a cycle: ${cycle.join(' → ')}`;
}

function bornGoal(born: NewGoal, parent: Goal | null, at: string): Goal {
  const { atomic, complete, id, description, reasoning, dependencies, ...rest } = born;
  return {
    id,
    description,
    status: complete === true ? 'complete' : atomic === true ? 'atomic' : 'pending',
    parent_id: parent?.id ?? null,
    child_ids: [],
    depth: parent === null ? 0 : parent.depth + 1,
    created_at: at,
    updated_at: at,
    reasoning,
    digest: null,
    tokens_used: 0,
    dependencies: [...new Set(dependencies)],
    graph_node_id: null,
    ...rest,
  };
}

function withUsage(goal: Goal, usage: Usage | undefined): Goal {
  if (usage === undefined || usage.calls === 0) return goal;
  return {
    ...goal,
    tokens_used: goal.tokens_used + tokensOf(usage),
    usage: addUsage(goal.usage ?? NO_USAGE, usage),
  };
}

/** Adds what an event cost and what it warns of. */
function spend(plan: Plan, event: { usage?: Usage | undefined; warnings?: Warning[] | undefined }): Plan {
  const warned = addWarnings(plan, event.warnings);
  if (event.usage === undefined) return warned;
  const header: PlanHeader = {
    ...warned.header,
    usage: addUsage(warned.header.usage ?? NO_USAGE, event.usage),
    total_tokens: warned.header.total_tokens + tokensOf(event.usage),
  };
  return { ...warned, header };
}

function addWarnings(plan: Plan, warnings: readonly Warning[] | undefined): Plan {
  if (warnings === undefined || warnings.length === 0) return plan;
  const kept = [...(plan.header.warnings ?? [])];
  let dropped = plan.header.warnings_dropped ?? 0;
  for (const warning of warnings) {
    if (kept.filter(({ code }) => code === warning.code).length < MAX_WARNINGS_OF_A_CODE) kept.push(warning);
    else dropped += 1;
  }
  const header: PlanHeader = {
    ...plan.header,
    warnings: kept,
    ...(dropped > 0 ? { warnings_dropped: dropped } : {}),
  };
  return { ...plan, header };
}

function withoutRun(plan: Plan): Plan {
  const { run: _ended, ...header } = plan.header;
  return { ...plan, header };
}

/** From the parent of `goalId` upward: a composite whose children are all complete is complete. */
function completeAncestors(plan: Plan, goalId: string | undefined, at: string): Plan {
  let next = plan;
  let id = goalId === undefined ? null : goalOf(plan, goalId).parent_id;
  while (id !== null) {
    const parent = goalOf(next, id);
    if (!parent.child_ids.every((child) => goalOf(next, child).status === 'complete')) break;
    next = putGoal(next, { ...parent, status: 'complete', updated_at: at });
    id = parent.parent_id;
  }
  return next;
}

function reopenAncestors(plan: Plan, goal: Goal, at: string): Plan {
  let next = plan;
  let id = goal.parent_id;
  while (id !== null) {
    const parent = goalOf(next, id);
    if (parent.status !== 'complete') break;
    next = putGoal(next, { ...parent, status: 'decomposing', updated_at: at });
    id = parent.parent_id;
  }
  return next;
}

/** The plan's own status, which follows from its goals and from whether it is paused. */
function settle(plan: Plan, event: EventStamp): Plan {
  const done = plan.counts.pending === 0;
  const status: PlanStatus = done
    ? rootOf(plan).status === 'failed'
      ? 'failed'
      : 'complete'
    : (plan.header.paused_because ?? null) === null
      ? 'in_progress'
      : 'paused';
  const header: PlanHeader = { ...plan.header, status, updated_at: event.at };
  if (done) header.paused_because = null;
  return { ...plan, header };
}
