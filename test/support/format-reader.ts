import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import { EDITS } from './format-reader-edits.js';
import { added, newGoal, follow, isOpen, isValid, spendGoal } from './format-reader-goals.js';
import { WORK } from './format-reader-work.js';

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

/** The first state, or null when the event is refused. */
export function begin(event: Json): Json {
  if (event.type === 'plan_imported') {
    const { log: _log, crc: _crc, ...plan } = structuredClone(event.plan);
    return isValid(plan) ? plan : null;
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
  plan.goals[root] = newGoal(
    { ...event.root, id: root, atomic: null, reasoning: null, dependencies: [] },
    null,
    event.at,
  );
  return plan;
}

/** The next state, or null when the event is refused. It may change the state it is given. */
export function applied(plan: Json, event: Json): Json {
  const change = CHANGES[event.type];
  if (change === undefined) return null;
  const next = change(plan, event);
  if (next === null) return null;
  if (SPENDING.has(event.type)) {
    warn(next, event);
    if (event.usage !== undefined) {
      next.usage = added(next.usage, event.usage);
      const begun = event.usage.begun ?? [];
      next.calls = (next.calls ?? []).filter(({ id }: Json) => begun.includes(id) === false);
      if (next.calls.length === 0) delete next.calls;
      next.total_tokens += event.usage.input_tokens + event.usage.output_tokens;
    }
  }
  return settled(next, event.at);
}

const SPENDING = new Set([
  'goal_expanded',
  'goal_failed',
  'goal_digested',
  'goal_replanned',
  'planning_ended',
  'plan_paused',
  'action_plan_linked',
  'usage_added',
  'dependencies_linked',
]);

const CHANGES: Record<string, (plan: Json, event: Json) => Json> = {
  ...WORK,
  ...EDITS,
  planning_started(plan, event) {
    if ((plan.run?.id ?? null) !== event.replaces) return null;
    plan.run = event.run;
    plan.settings = event.settings ?? plan.settings;
    if (plan.settings === undefined) delete plan.settings;
    plan.paused_because = null;
    return plan;
  },
  planning_estimated(plan, event) {
    if (plan.run?.id !== event.run || plan.settings === undefined) return null;
    plan.settings = { ...plan.settings, estimate: event.estimate };
    return plan;
  },
  planning_ended(plan, event) {
    if (plan.run?.id !== event.run) return null;
    delete plan.run;
    if ((plan.paused_because ?? null) === null && !Object.values(plan.goals).some(isOpen))
      delete plan.link_left;
    return plan;
  },
  plan_paused(plan, event) {
    if (event.run === undefined) {
      if (event.left === undefined && !Object.values(plan.goals).some(isOpen)) return null;
    } else if (plan.run?.id !== event.run) return null;
    else delete plan.run;
    plan.paused_because = event.because;
    if (event.left !== undefined) plan.link_left = true;
    return plan;
  },
  plan_archived(plan, event) {
    if (typeof plan.archived_at === 'string') return null;
    plan.archived_at = event.at;
    return plan;
  },
  plan_unarchived(plan) {
    if (plan.archived_at === null) return null;
    plan.archived_at = null;
    return plan;
  },
  damage_accepted(plan, event) {
    const marks = event.damage.map(({ mark }: Json) => mark);
    plan.accepted_damage = [...new Set([...(plan.accepted_damage ?? []), ...marks])];
    return plan;
  },
  action_plan_run(plan, event) {
    return plan.goals[event.goal] === undefined ? null : plan;
  },
  work_attempted(plan, event) {
    return plan.goals[event.goal] === undefined ? null : plan;
  },
  action_plan_linked(plan, event) {
    const goal = plan.goals[event.goal];
    if (goal === undefined || goal.child_ids.length > 0 || isOpen(goal)) return null;
    if (goal.action_plans?.includes(event.action_plan) === true) return null;
    goal.action_plans = [...(goal.action_plans ?? []), event.action_plan];
    goal.updated_at = event.at;
    spendGoal(goal, event.usage);
    return plan;
  },
  call_begun(plan, { call: id, caller, at, usage, ended }) {
    const call = { id, caller, at, usage, ...(ended === undefined ? {} : { ended }) };
    const calls = plan.calls ?? [];
    const place = calls.findIndex((one: Json) => one.id === id);
    if (place >= 0) calls[place] = call;
    else if (ended !== true) plan.calls = [...calls, call];
    if (plan.calls?.length > 2000) {
      const { usage: first, ended: isKnown } = plan.calls.shift();
      plan.usage = added(plan.usage, isKnown === true ? first : { ...first, estimated_calls: first.calls });
      plan.total_tokens += first.input_tokens + first.output_tokens;
    }
    return plan;
  },
  usage_added(plan, event) {
    const isBegun = (plan.calls ?? []).some(({ id }: Json) => event.usage.begun?.includes(id) === true);
    if (event.lost === true && !isBegun) return null;
    const goal = plan.goals[event.goal];
    if (goal !== undefined && event.usage.calls !== 0) {
      spendGoal(goal, event.usage);
      goal.updated_at = event.at;
    }
    return plan;
  },
  change_undone(plan, event) {
    const root = plan.goals[plan.root_goal_id].description;
    for (const { goal: id, before, after } of event.changes) {
      if (!sameJson(plan.goals[id] ?? null, after)) return null;
      if (before !== null && before.id !== id) return null;
    }
    for (const { goal: id, before } of event.changes) {
      if (before === null) delete plan.goals[id];
      else plan.goals[id] = before;
    }
    if (!isValid(plan)) return null;
    if (plan.description === root) plan.description = plan.goals[plan.root_goal_id].description;
    const { linked } = event;
    if (linked !== undefined && sameJson(plan.linked ?? null, linked.after)) {
      if (linked.before === null) delete plan.linked;
      else plan.linked = linked.before;
    }
    return plan;
  },
  plan_restored(plan, event) {
    if (event.plan.id !== plan.id) return null;
    if (event.only === undefined) return begin({ ...event, type: 'plan_imported' });
    return isValid(event.plan) ? restored(plan, event) : null;
  },
};

/** The types of events that this reader knows. */
export const TYPES_READ: readonly string[] = ['plan_created', 'plan_imported', ...Object.keys(CHANGES)];

function restored(plan: Json, { plan: file, only, at }: Json): Json {
  const take = (from: Json, to: Json, names: readonly string[], never: readonly string[]) => {
    for (const name of names.filter((one) => !never.includes(one))) {
      if (Object.hasOwn(from, name)) to[name] = from[name];
      else delete to[name];
    }
  };
  take(file, plan, only.header, ['id', 'root_goal_id', 'goals', 'log', 'crc', '__proto__']);
  for (const [id, names] of Object.entries<Json>(only.goals)) {
    if (!Object.hasOwn(file.goals, id)) delete plan.goals[id];
    else if (plan.goals[id] === undefined) plan.goals[id] = file.goals[id];
    else take(file.goals[id], plan.goals[id], names, ['id', '__proto__']);
  }
  if (!isValid(plan)) return null;
  for (const id of Object.keys(only.goals))
    if (plan.goals[id] !== undefined) follow(plan, plan.goals[id], at);
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

function settled(plan: Json, at: string): Json {
  const leaves = Object.values(plan.goals).filter(
    ({ child_ids, status, failure }: Json) =>
      child_ids.length === 0 &&
      (['atomic', 'complete'].includes(status) || (status === 'failed' && failure?.phase === 'work')),
  );
  const rests =
    plan.link_left === true &&
    (plan.paused_because ?? null) !== null &&
    leaves.length > 1 &&
    leaves.some(({ status }: Json) => status !== 'complete');
  const open = rests || Object.values(plan.goals).some(isOpen);
  if (!open) {
    plan.status = plan.goals[plan.root_goal_id].status === 'failed' ? 'failed' : 'complete';
    plan.paused_because = null;
  } else plan.status = (plan.paused_because ?? null) === null ? 'in_progress' : 'paused';
  plan.updated_at = at;
  return plan;
}

function warn(plan: Json, event: Json): void {
  for (const warning of event.warnings ?? []) {
    const same = (plan.warnings ?? []).filter(({ code }: Json) => code === warning.code);
    if (same.length < 25) plan.warnings = [...(plan.warnings ?? []), warning];
    else plan.warnings_dropped = (plan.warnings_dropped ?? 0) + 1;
  }
}
