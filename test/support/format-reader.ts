import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * A reader written from docs/format.md alone. It shares no code with the program on purpose: where the two
 * differ, the page or the program is wrong.
 */

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-argument, typescript/no-unsafe-call, typescript/no-unsafe-return */

/** The CRC-32 of bytes as eight hexadecimal digits. */
export function checksumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

/** The whole lines of a log whose checksum fits, as events in the order of the file. */
export function readEvents(bytes: Buffer): Json[] {
  const events: Json[] = [];
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    let line = bytes.subarray(start, end);
    if (line.at(-1) === 0x0d) line = line.subarray(0, -1);
    start = end + 1;
    const crc = /^,"crc":"([0-9a-f]{8})"\}$/.exec(line.subarray(-18).toString('latin1'))?.[1];
    if (crc !== undefined && checksumOf(line.subarray(0, -18)) === crc)
      events.push(JSON.parse(line.toString('utf8')));
  }
  return events;
}

/** Events in the order in which they are applied, each once. */
export function inOrder(events: readonly Json[]): Json[] {
  const clocks = new Map<string, number>();
  const placed = events.map((event, place) => {
    const clock = Math.max(event.clock, clocks.get(event.replica) ?? 0);
    clocks.set(event.replica, clock);
    return { event, clock, place };
  });
  placed.sort((a, b) => {
    if (a.clock !== b.clock) return a.clock - b.clock;
    if (a.event.replica !== b.event.replica) return a.event.replica < b.event.replica ? -1 : 1;
    return a.place - b.place;
  });
  const applied = new Set<string>();
  return placed
    .map(({ event }) => event)
    .filter(({ id }) => !applied.has(id) && applied.add(id) !== undefined);
}

/** The plan that a log comes to: its header, and `goals` by id. */
export function readPlan(path: string): Json {
  let plan: Json = null;
  for (const event of inOrder(readEvents(readFileSync(path)))) {
    const next = plan === null ? begin(event) : applied(structuredClone(plan), event);
    if (next !== null) plan = next;
  }
  return plan;
}

function begin(event: Json): Json {
  if (event.type === 'plan_imported') {
    const { log: _log, crc: _crc, ...plan } = event.plan;
    return plan;
  }
  if (event.type !== 'plan_created') return null;
  const root = `${event.plan.id}-root`;
  const plan: Json = {
    ...event.plan,
    root_goal_id: root,
    description: event.plan.description ?? event.root.description,
    status: 'in_progress',
    created_at: event.at,
    updated_at: event.at,
    total_tokens: 0,
    max_depth: 0,
    usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    paused_because: null,
    warnings: [],
    goals: {},
  };
  warn(plan, event);
  plan.goals[root] = born(
    { id: root, atomic: null, reasoning: null, dependencies: [], ...event.root },
    null,
    event.at,
  );
  return plan;
}

/** The next state, or null when the event is refused. What it refuses is what the example and the tests hold. */
function applied(plan: Json, event: Json): Json {
  const goal = plan.goals[event.goal];
  switch (event.type) {
    case 'goal_expanded': {
      if (goal === undefined || !isOpen(goal)) return null;
      if (event.atomic !== (event.sub_goals.length === 0)) return null;
      const ids = new Set(event.sub_goals.map(({ id }: Json) => id));
      if (ids.size < event.sub_goals.length) return null;
      for (const { id, dependencies } of event.sub_goals) {
        if (!id.startsWith(`${plan.id}-`) || plan.goals[id] !== undefined) return null;
        if (dependencies.some((other: string) => !ids.has(other))) return null;
      }
      if (hasCycle(event.sub_goals)) return null;
      delete goal.failure;
      goal.status = event.atomic ? 'atomic' : 'decomposing';
      goal.reasoning = event.reasoning ?? goal.reasoning;
      goal.child_ids = [...ids];
      goal.updated_at = event.at;
      spendGoal(goal, event.usage);
      for (const child of event.sub_goals) plan.goals[child.id] = born(child, goal, event.at);
      if (ids.size > 0) plan.max_depth = Math.max(plan.max_depth, goal.depth + 1);
      if (ids.size > 0) completeAbove(plan, event.sub_goals[0].id, event.at);
      break;
    }
    case 'goal_failed':
      if (goal === undefined) return null;
      if (event.phase === 'planning' ? !isOpen(goal) : goal.status !== 'atomic') return null;
      goal.status = 'failed';
      goal.failure = {
        reason: event.reason,
        ...(event.code === undefined ? {} : { code: event.code }),
        phase: event.phase,
        at: event.at,
      };
      goal.updated_at = event.at;
      spendGoal(goal, event.usage);
      break;
    case 'goal_completed':
      if (goal?.status !== 'atomic') return null;
      goal.status = 'complete';
      goal.digest = event.digest ?? goal.digest;
      goal.updated_at = event.at;
      completeAbove(plan, goal.id, event.at);
      break;
    case 'goal_reopened':
      if (goal === undefined || goal.child_ids.length > 0) return null;
      if (goal.status !== 'complete' && goal.status !== 'failed') return null;
      goal.status = goal.status === 'failed' && goal.failure?.phase !== 'work' ? 'pending' : 'atomic';
      delete goal.failure;
      goal.updated_at = event.at;
      for (let above = plan.goals[goal.parent_id]; above?.status === 'complete';) {
        above.status = 'decomposing';
        above.updated_at = event.at;
        above = plan.goals[above.parent_id];
      }
      break;
    case 'planning_started':
      if ((plan.run?.id ?? null) !== event.replaces) return null;
      plan.run = event.run;
      plan.settings = event.settings ?? plan.settings;
      plan.paused_because = null;
      break;
    case 'planning_ended':
      if (plan.run?.id !== event.run) return null;
      delete plan.run;
      break;
    case 'plan_paused':
      if (event.run === undefined) {
        if (!Object.values(plan.goals).some(isOpen)) return null;
      } else if (plan.run?.id !== event.run) return null;
      else delete plan.run;
      plan.paused_because = event.because;
      break;
    case 'change_undone':
      for (const { goal: id, after } of event.changes) {
        if (!sameJson(plan.goals[id] ?? null, after)) return null;
      }
      for (const { goal: id, before } of event.changes) {
        if (before === null) delete plan.goals[id];
        else plan.goals[id] = before;
      }
      break;
    case 'plan_restored':
      if (event.plan.id !== plan.id) return null;
      return settled(begin({ ...event, type: 'plan_imported' }), event.at);
    default:
      return null;
  }
  if (event.type !== 'goal_completed' && event.type !== 'goal_reopened') {
    warn(plan, event);
    if (event.usage !== undefined) {
      plan.usage = added(plan.usage, event.usage);
      plan.total_tokens += event.usage.input_tokens + event.usage.output_tokens;
    }
  }
  return settled(plan, event.at);
}

function born(given: Json, parent: Json, at: string): Json {
  const { atomic, complete, id, description, reasoning, dependencies, ...rest } = given;
  return {
    id,
    description,
    status: complete === true ? 'complete' : atomic === true ? 'atomic' : 'pending',
    parent_id: parent === null ? null : parent.id,
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

function isOpen(goal: Json): boolean {
  return goal.status === 'pending' || (goal.status === 'decomposing' && goal.child_ids.length === 0);
}

function completeAbove(plan: Json, id: string, at: string): void {
  for (let above = plan.goals[plan.goals[id].parent_id]; above !== undefined;) {
    if (!above.child_ids.every((child: string) => plan.goals[child].status === 'complete')) return;
    above.status = 'complete';
    above.updated_at = at;
    above = plan.goals[above.parent_id];
  }
}

function hasCycle(subGoals: readonly Json[]): boolean {
  let left = subGoals;
  for (;;) {
    const waiting = left.filter(({ dependencies }) =>
      dependencies.some((id: string) => left.some((other) => other.id === id)),
    );
    if (waiting.length === left.length) return left.length > 0;
    left = waiting;
  }
}

function spendGoal(goal: Json, usage: Json): void {
  if (usage === undefined || usage.calls === 0) return;
  goal.tokens_used += usage.input_tokens + usage.output_tokens;
  goal.usage = added(goal.usage, usage);
}

function added(a: Json = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 }, b: Json): Json {
  const seconds = Math.round(((a.seconds ?? 0) + (b.seconds ?? 0)) * 1000) / 1000;
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
    ...(seconds > 0 ? { seconds } : {}),
  };
}

function warn(plan: Json, event: Json): void {
  for (const warning of event.warnings ?? []) {
    const same = (plan.warnings ?? []).filter(({ code }: Json) => code === warning.code);
    if (same.length < 25) plan.warnings = [...(plan.warnings ?? []), warning];
    else plan.warnings_dropped = (plan.warnings_dropped ?? 0) + 1;
  }
}

function settled(plan: Json, at: string): Json {
  const open = Object.values(plan.goals).some(isOpen);
  if (!open) {
    plan.status = plan.goals[plan.root_goal_id].status === 'failed' ? 'failed' : 'complete';
    plan.paused_because = null;
  } else plan.status = (plan.paused_because ?? null) === null ? 'in_progress' : 'paused';
  plan.updated_at = at;
  return plan;
}

function sameJson(a: Json, b: Json): boolean {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
