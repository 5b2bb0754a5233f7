import {
  newGoal,
  byChildren,
  decide,
  follow,
  hasCircle,
  isLive,
  isOpen,
  mustStay,
  spendGoal,
  withAllBelow,
} from './format-reader-goals.js';

/** What docs/format.md says of replanning and editing, written from the page alone. */

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return */

/** Each changes the plan and returns it, or returns null and may have changed it: an event that is refused. */
export const EDITS: Record<string, (plan: Json, event: Json) => Json> = {
  goal_replanned(plan, event) {
    const goal = plan.goals[event.goal];
    const { at } = event;
    if (goal === undefined || goal.status === 'complete' || isLive(goal, at)) return null;
    if (event.remove.some((id: string) => !goal.child_ids.includes(id) || mustStay(plan, id, at, false)))
      return null;
    const keep: Json[] = event.keep ?? [];
    for (const { goal: id } of keep) {
      const kept = plan.goals[id];
      if (!goal.child_ids.includes(id) || event.remove.includes(id)) return null;
      if (kept.status === 'complete' || isLive(kept, at)) return null;
    }
    takeOut(plan, event.remove, at, goal.id);
    delete goal.failure;
    delete goal.claim;
    goal.reasoning = event.reasoning ?? goal.reasoning;
    for (const decision of event.decisions ?? []) decide(goal, decision, true);
    goal.updated_at = at;
    spendGoal(goal, event.usage);
    byChildren(plan, goal);
    for (const { goal: id, remove } of keep) {
      const kept = plan.goals[id];
      const left = kept.dependencies.filter((one: string) => !remove.includes(one));
      if (left.length < kept.dependencies.length || kept.status === 'failed') kept.updated_at = at;
      kept.dependencies = left;
      if (kept.status !== 'failed') continue;
      kept.status = kept.failure?.phase === 'work' ? 'atomic' : 'pending';
      if (kept.status === 'atomic') delete kept.failure;
    }
    if (!addGoals(plan, goal, event.sub_goals, undefined, at)) return null;
    for (const { goal: id, add } of keep) {
      const kept = plan.goals[id];
      if (add.some((one: string) => plan.goals[one] === undefined)) return null;
      const gained = [...new Set<string>(add)].filter((one) => !kept.dependencies.includes(one));
      if (gained.length > 0) kept.updated_at = at;
      kept.dependencies.push(...gained);
    }
    if (keep.some(({ add }) => add.length > 0) && hasCircle(plan)) return null;
    follow(plan, goal, at);
    return plan;
  },

  expansion_rolled_back(plan, event) {
    const goal = plan.goals[event.goal];
    const { at } = event;
    if (goal === undefined) return null;
    if (event.undivided === true) {
      if (goal.status !== 'atomic' || mustStay(plan, goal.id, at, false)) return null;
      delete goal.claim;
    } else if (goal.child_ids.length === 0) return null;
    if (goal.child_ids.some((id: string) => mustStay(plan, id, at, false))) return null;
    takeOut(plan, goal.child_ids, at, goal.id);
    goal.status = 'pending';
    goal.updated_at = at;
    follow(plan, goal, at);
    return plan;
  },

  goals_added(plan, event) {
    const parent = plan.goals[event.parent];
    if (parent === undefined || !takesGoals(parent, event.at)) return null;
    const isDivided = parent.child_ids.length > 0;
    const given = event.sub_goals
      .filter(({ id }: Json) => !isDivided || id !== event.own_work)
      .map((each: Json) => (each.id === event.own_work ? { ...each, ...workOf(parent) } : each));
    const own =
      isDivided || event.moves_work !== true
        ? undefined
        : given.find(({ id }: Json) => id === event.own_work);
    if (own !== undefined && parent.graph_node_id !== null) own.graph_node_id = parent.graph_node_id;
    if (!addGoals(plan, parent, given, event.at_index, event.at)) return null;
    if (own !== undefined) {
      for (const name of ['size', 'action_plans', 'touches', 'checks']) delete parent[name];
      parent.graph_node_id = null;
    }
    follow(plan, parent, event.at);
    return plan;
  },

  goal_edited(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal === undefined || goal.status === 'complete') return null;
    if (isLive(goal, event.at) && goal.claim.by !== event.by) return null;
    const before = goal.description;
    const { fields } = event;
    for (const name of [
      'description',
      'reasoning',
      'detail',
      'acceptance',
      'tags',
      'priority',
      'touches',
      'checks',
    ]) {
      if (fields[name] === undefined) continue;
      if (fields[name] === null && name !== 'reasoning') delete goal[name];
      else goal[name] = fields[name];
    }
    goal.updated_at = event.at;
    if (goal.id === plan.root_goal_id && plan.description === before) plan.description = goal.description;
    return plan;
  },

  decision_made(plan, event) {
    const goal = plan.goals[event.goal];
    const { what, choice, decided_by } = event;
    if (goal === undefined || (decided_by !== undefined && plan.goals[decided_by] === undefined)) return null;
    const decision = { what, choice, ...(decided_by === undefined ? {} : { decided_by }), confirmed: true };
    decide(goal, decision, false);
    goal.updated_at = event.at;
    return plan;
  },

  goal_moved(plan, event) {
    const goal = plan.goals[event.goal];
    const parent = plan.goals[event.parent];
    const { at } = event;
    if (goal === undefined || parent === undefined || goal.id === plan.root_goal_id) return null;
    const moving = withAllBelow(plan, goal.id);
    if (moving.includes(parent)) return null;
    const old = plan.goals[goal.parent_id];
    if (parent !== old && !takesGoals(parent, at)) return null;
    old.child_ids = old.child_ids.filter((id: string) => id !== goal.id);
    parent.child_ids.splice(event.at_index ?? parent.child_ids.length, 0, goal.id);
    goal.parent_id = parent.id;
    goal.updated_at = at;
    const deeper = parent.depth + 1 - goal.depth;
    for (const one of moving) {
      one.depth += deeper;
      plan.max_depth = Math.max(plan.max_depth, one.depth);
    }
    for (const one of [old, parent]) {
      byChildren(plan, one);
      one.updated_at = at;
    }
    if (hasCircle(plan)) return null;
    follow(plan, old, at);
    follow(plan, parent, at);
    return plan;
  },

  goal_removed(plan, event) {
    const goal = plan.goals[event.goal];
    const { at } = event;
    if (goal === undefined || goal.id === plan.root_goal_id) return null;
    if (mustStay(plan, goal.id, at, event.with_complete === true)) return null;
    const parent = plan.goals[goal.parent_id];
    takeOut(plan, [goal.id], at, undefined);
    byChildren(plan, parent);
    parent.updated_at = at;
    follow(plan, parent, at);
    return plan;
  },

  goals_merged(plan, event) {
    const ids = [event.goal, ...event.merged];
    const goals = ids.map((id) => plan.goals[id]);
    const { at } = event;
    if (new Set(ids).size < ids.length || goals.includes(undefined)) return null;
    const parent = plan.goals[goals[0].parent_id];
    if (parent === undefined) return null;
    for (const one of goals) {
      if (one.parent_id !== parent.id || one.child_ids.length > 0) return null;
      if (mustStay(plan, one.id, at, false)) return null;
    }
    const before = structuredClone(goals);
    takeOut(plan, event.merged, at, event.goal, true);
    const all = (name: string) => [...new Set(before.flatMap((one: Json) => one[name] ?? []))];
    const goal = goals[0];
    delete goal.failure;
    delete goal.claim;
    delete goal.size;
    goal.description = event.description;
    goal.status = before.some(isOpen) ? 'pending' : 'atomic';
    goal.dependencies = all('dependencies').filter((id) => !ids.includes(id));
    goal.tokens_used = before.reduce((sum: number, one: Json) => sum + one.tokens_used, 0);
    const details = before.flatMap((one: Json) => one.detail ?? []);
    if (details.length > 0) goal.detail = details.join('\n\n');
    const checks = before.flatMap((one: Json) => one.checks ?? []);
    if (checks.length > 0) goal.checks = checks;
    for (const name of ['acceptance', 'tags', 'action_plans', 'touches'])
      if (all(name).length > 0) goal[name] = all(name);
    goal.updated_at = at;
    if (hasCircle(plan)) return null;
    follow(plan, goal, at);
    return plan;
  },

  dependencies_changed(plan, event) {
    for (const { goal: id, add, remove } of event.changes) {
      const goal = plan.goals[id];
      if (goal === undefined || add.some((one: string) => plan.goals[one] === undefined)) return null;
      if (remove.some((one: string) => !goal.dependencies.includes(one))) return null;
      const gained = [...new Set<string>(add)].filter((one) => !goal.dependencies.includes(one));
      if (gained.length > 0 && goal.status === 'complete') return null;
      goal.dependencies = [...goal.dependencies.filter((one: string) => !remove.includes(one)), ...gained];
      goal.updated_at = event.at;
    }
    return hasCircle(plan) ? null : plan;
  },

  dependencies_linked(plan, event) {
    const changed = EDITS['dependencies_changed']?.(plan, event);
    if (changed === null) return null;
    const total = (name: string) =>
      event.changes.reduce((sum: number, change: Json) => sum + change[name].length, 0);
    changed.linked = {
      at: event.at,
      missing: event.missing,
      added: total('add'),
      replaced: total('remove'),
      chain: event.chain,
      can_start: event.can_start,
    };
    delete changed.link_left;
    return changed;
  },
};

/** Whether goals may be added below a goal. */
function takesGoals(parent: Json, at: string): boolean {
  return parent.child_ids.length > 0 || (parent.status !== 'complete' && !isLive(parent, at));
}

/** Adds goals below a parent, or says that it is refused. */
/** What a goal says of its work. */
function workOf(goal: Json): Json {
  const members = [
    'description',
    'detail',
    'acceptance',
    'size',
    'tags',
    'action_plans',
    'touches',
    'checks',
  ];
  return Object.fromEntries(
    members.filter((name) => goal[name] !== undefined).map((name) => [name, goal[name]]),
  );
}

function addGoals(plan: Json, parent: Json, given: Json[], place: number | undefined, at: string): boolean {
  if (given.length === 0) return true;
  const ids = given.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return false;
  if (ids.some((id) => !id.startsWith(`${plan.id}-`) || plan.goals[id] !== undefined)) return false;
  for (const one of given) plan.goals[one.id] = newGoal(one, parent, at);
  if (given.some((one) => one.dependencies.some((id: string) => plan.goals[id] === undefined))) return false;
  parent.child_ids.splice(place ?? parent.child_ids.length, 0, ...ids);
  parent.updated_at = at;
  byChildren(plan, parent);
  plan.max_depth = Math.max(plan.max_depth, parent.depth + 1);
  return !hasCircle(plan);
}

function takeOut(plan: Json, ids: string[], at: string, standIn: string | undefined, always = false): void {
  const gone = new Map<string, Json>();
  for (const id of ids) for (const goal of withAllBelow(plan, id)) gone.set(goal.id, goal);
  for (const id of ids) {
    const parent = plan.goals[gone.get(id).parent_id];
    parent.child_ids = parent.child_ids.filter((child: string) => child !== id);
    parent.updated_at = at;
  }
  for (const id of gone.keys()) delete plan.goals[id];
  const bereft = Object.values<Json>(plan.goals)
    .filter(({ dependencies }) => dependencies.some((id: string) => gone.has(id)))
    .map((goal) => ({ goal, kept: goal.dependencies.filter((id: string) => !gone.has(id)) }));
  for (const { goal, kept } of bereft) {
    const lost: string[] = goal.dependencies.filter((id: string) => gone.has(id));
    goal.dependencies = [...new Set([...kept, ...lost.flatMap((id) => replacements(id, gone))])];
    goal.updated_at = at;
  }
  if (standIn === undefined) return;
  bereft.sort((a, b) => (a.goal.id < b.goal.id ? -1 : 1));
  for (const { goal, kept } of bereft) {
    if (goal.id === standIn) continue;
    const fallback = goal.dependencies;
    goal.dependencies = [...new Set([...kept, standIn])];
    if (!always && hasCircle(plan)) goal.dependencies = fallback;
  }
}

function replacements(id: string, gone: ReadonlyMap<string, Json>): string[] {
  const list = [id];
  const seen = new Set<string>();
  const found: string[] = [];
  for (let last = list.pop(); last !== undefined; last = list.pop()) {
    const goal = gone.get(last);
    if (goal === undefined) found.push(last);
    else if (!seen.has(last)) {
      seen.add(last);
      list.push(...goal.dependencies);
      if (gone.has(goal.parent_id)) list.push(goal.parent_id);
    }
  }
  return found;
}
