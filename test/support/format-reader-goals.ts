/** The parts of docs/format.md that its events share, written from the page alone (see format-reader.ts). */

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return */

/** What a goal has and is not made with. */
const NOT_BROUGHT = (
  'status parent_id child_ids depth created_at updated_at digest tokens_used graph_node_id ' +
  'atomic complete claim failure usage decisions'
).split(' ');

export function newGoal(given: Json, parent: Json, at: string): Json {
  const brought = Object.fromEntries(Object.entries(given).filter(([name]) => !NOT_BROUGHT.includes(name)));
  return {
    ...brought,
    status: given.complete === true ? 'complete' : given.atomic === true ? 'atomic' : 'pending',
    parent_id: parent === null ? null : parent.id,
    child_ids: [],
    depth: parent === null ? 0 : parent.depth + 1,
    created_at: at,
    updated_at: at,
    digest: null,
    tokens_used: 0,
    dependencies: [...new Set(given.dependencies)],
    graph_node_id: null,
  };
}

export function isOpen(goal: Json): boolean {
  return goal.status === 'pending' || (goal.status === 'decomposing' && goal.child_ids.length === 0);
}

export function goalsAbove(plan: Json, goal: Json): Json[] {
  const parent = plan.goals[goal.parent_id];
  return parent === undefined ? [] : [parent, ...goalsAbove(plan, parent)];
}

/** A goal and all below it. */
export function withAllBelow(plan: Json, id: string): Json[] {
  const goal = plan.goals[id];
  return [goal, ...goal.child_ids.flatMap((child: string) => withAllBelow(plan, child))];
}

export function completeAbove(plan: Json, goal: Json, at: string): void {
  for (const above of goalsAbove(plan, goal)) {
    if (!above.child_ids.every((child: string) => plan.goals[child].status === 'complete')) return;
    above.status = 'complete';
    above.updated_at = at;
  }
}

export function openAbove(plan: Json, goal: Json, at: string): void {
  for (const above of goalsAbove(plan, goal)) {
    if (above.status !== 'complete') return;
    above.status = 'decomposing';
    above.digest = null;
    above.updated_at = at;
  }
}

/** The goals above follow. */
export function follow(plan: Json, goal: Json, at: string): void {
  if (goal.status === 'complete') completeAbove(plan, goal, at);
  else openAbove(plan, goal, at);
}

/** A goal whose children changed. */
export function byChildren(plan: Json, goal: Json): void {
  delete goal.failure;
  delete goal.claim;
  const children = goal.child_ids.map((id: string) => plan.goals[id]);
  const done = children.every(({ status }: Json) => status === 'complete');
  goal.status = children.length === 0 ? 'atomic' : done ? 'complete' : 'decomposing';
  if (goal.status !== 'complete') goal.digest = null;
}

export function isLive(goal: Json, at: string): boolean {
  return goal.claim !== undefined && new Date(goal.claim.expires_at) > new Date(at);
}

/** Whether a claim stands against an event. */
export function standsAgainst(goal: Json, { token, by, at }: Json): boolean {
  if (token !== undefined) return goal.claim?.token !== token;
  return isLive(goal, at) && goal.claim.by !== by;
}

export function mustStay(plan: Json, id: string, at: string, finishedToo: boolean): boolean {
  return withAllBelow(plan, id).some(
    (goal) => (goal.status === 'complete' && !finishedToo) || isLive(goal, at),
  );
}

export function spendGoal(goal: Json, usage: Json): void {
  if (usage === undefined || usage.calls === 0) return;
  goal.tokens_used += usage.input_tokens + usage.output_tokens;
  goal.usage = added(goal.usage, usage);
}

export function added(a: Json = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 }, b: Json): Json {
  const estimated = (a.estimated_calls ?? 0) + (b.estimated_calls ?? 0);
  const seconds = Math.round(((a.seconds ?? 0) + (b.seconds ?? 0)) * 1000) / 1000;
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
    ...(seconds > 0 ? { seconds } : {}),
    ...(estimated > 0 ? { estimated_calls: estimated } : {}),
  };
}

/**
 * Whether goals wait for each other in a circle, found leaf by leaf: a leaf waits for all leaves of what it and
 * the goals above it depend on.
 */
export function hasCircle(plan: Json): boolean {
  const all: Json[] = Object.values(plan.goals);
  const leavesOf = (id: string): string[] =>
    plan.goals[id] === undefined
      ? []
      : withAllBelow(plan, id)
          .filter(({ child_ids }) => child_ids.length === 0)
          .map((goal) => goal.id);
  const waits = new Map<string, Set<string>>(
    all
      .filter(({ child_ids }) => child_ids.length === 0)
      .map((leaf) => [
        leaf.id,
        new Set(
          [leaf, ...goalsAbove(plan, leaf)].flatMap(({ dependencies }) => dependencies.flatMap(leavesOf)),
        ),
      ]),
  );
  for (;;) {
    const free = [...waits].filter(([, others]) => [...others].every((other) => !waits.has(other)));
    if (free.length === 0) return waits.size > 0;
    for (const [id] of free) waits.delete(id);
  }
}

/** Whether a plan file is valid, as far as its schema does not say it. */
export function isValid(plan: Json): boolean {
  const { goals } = plan;
  const root = goals[plan.root_goal_id];
  if (root === undefined || root.parent_id !== null || root.depth !== 0) return false;
  for (const [id, goal] of Object.entries<Json>(goals)) {
    if (goal.id !== id || !id.startsWith(`${plan.id}-`)) return false;
    if (new Set(goal.child_ids).size < goal.child_ids.length) return false;
    if (goal.child_ids.some((child: string) => goals[child]?.parent_id !== id)) return false;
    if (goal.dependencies.some((other: string) => goals[other] === undefined)) return false;
    if (id === root.id) continue;
    const parent = goals[goal.parent_id];
    if (parent === undefined || !parent.child_ids.includes(id) || goal.depth !== parent.depth + 1)
      return false;
  }
  if (withAllBelow(plan, root.id).length < Object.keys(goals).length) return false;
  for (const goal of Object.values<Json>(goals)) {
    const near = new Set([...goalsAbove(plan, goal), ...withAllBelow(plan, goal.id)].map(({ id }) => id));
    if (goal.dependencies.some((other: string) => near.has(other))) return false;
    if (goal.child_ids.length === 0) continue;
    if (goal.status === 'pending' || goal.status === 'atomic') return false;
    if (goal.status === 'complete' && goal.child_ids.some((id: string) => goals[id].status !== 'complete'))
      return false;
  }
  return !hasCircle(plan);
}

/** Writes a decision in the place of one about the same matter; one that somebody made stays if `keep` says so. */
export function decide(goal: Json, decision: Json, keep: boolean): void {
  const matterOf = ({ what }: Json) => what.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const decisions: Json[] = [...(goal.decisions ?? [])];
  const place = decisions.findIndex((one) => matterOf(one) === matterOf(decision));
  if (place >= 0 && keep && decisions[place].confirmed === true) return;
  if (place < 0) decisions.push(decision);
  else decisions[place] = decision;
  goal.decisions = decisions;
}
