import * as fc from 'fast-check';

import { changesBetween } from '../../src/plan/changes.js';
import { EVENT_TYPES } from '../../src/plan/events.js';
import type { EventPayload, EventType, PlanEvent } from '../../src/plan/events.js';
import type { NewGoal } from '../../src/plan/events/new-goal.js';
import { beginHistory, extendHistory, nextClock } from '../../src/plan/history.js';
import type { History } from '../../src/plan/history.js';
import { isWaiting } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { Decision, Goal, Settings, Usage } from '../../src/plan/schema.js';

/** What a writer does next, given what it has read and written: most of it fits the state, some does not. */
type Deed = (state: Written) => EventPayload;

/** What one writer has read and written. */
export interface Written {
  readonly history: History;
  readonly events: readonly PlanEvent[];
  /** The states before and after each event that was written, and all read before. */
  readonly states: readonly (readonly [Plan | null, Plan | null])[];
}

export const PLAN = '0398a958';
/** New goals take these names, which are few enough for two writers to take the same. */
const NAMES = 'abcdefghijkl'.split('').map((suffix) => `${PLAN}-${suffix}`);

/** The numbers that one deed is made of. */
interface Draw {
  readonly type: EventType;
  /** Chooses the goal that it is about, and others. */
  readonly one: number;
  readonly two: number;
  readonly three: number;
  /** Whether the goal is any, and not one that the event fits. */
  readonly wild: boolean;
  readonly flag: boolean;
  readonly names: readonly string[];
  readonly usage: Usage | undefined;
}

const USAGES: readonly (Usage | undefined)[] = [
  undefined,
  { calls: 1, input_tokens: 7, output_tokens: 3, cost_usd: 0.5, seconds: 0.25 },
  { calls: 2, input_tokens: 1, output_tokens: 0, cost_usd: null, begun: ['c0', 'c2', 'c7'] },
  { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, seconds: 1 },
];

const SETTINGS: Settings = {
  expander: 'model',
  assess: 'inline',
  order: 'breadth',
  max_depth: 5,
  max_children: 7,
  max_goals: 1000,
  concurrency: 4,
};

const number = fc.nat({ max: 999 });
const often: readonly EventType[] = [
  ...(['goal_expanded', 'goal_expanded', 'goal_completed', 'goal_completed', 'goal_claimed'] as const),
  ...([
    'goal_replanned',
    'goal_replanned',
    'goals_added',
    'goal_moved',
    'goal_moved',
    'goals_merged',
  ] as const),
  ...(['dependencies_changed', 'dependencies_changed', 'dependencies_changed', 'goal_removed'] as const),
];
const deed: fc.Arbitrary<Deed> = fc
  .record<Draw>({
    type: fc.constantFrom(...often, ...often, ...EVENT_TYPES),
    one: number,
    two: number,
    three: number,
    wild: number.map((drawn) => drawn % 8 === 0),
    flag: fc.boolean(),
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
    usage: fc.constantFrom(...USAGES),
  })
  .map(
    (draw): Deed =>
      (state) =>
        payloadOf(draw, state),
  );

/** So many things that a writer does. */
export const deeds = (maxLength: number): fc.Arbitrary<Deed[]> => fc.array(deed, { maxLength });

/** Has a writer do things; each event is ten minutes after the one before. */
export function write(start: Written, todo: readonly Deed[], replica: string): Written {
  return todo.reduce<Written>((written, make) => {
    const event: PlanEvent = {
      id: `${replica}${written.events.length}`,
      at: atMinute(written.events.length * 10),
      by: replica,
      replica,
      clock: nextClock(written.history),
      ...make(written),
    };
    const { history } = extendHistory(written.history, event);
    return {
      history,
      events: [...written.events, event],
      states: [...written.states, [written.history.plan, history.plan]],
    };
  }, start);
}

const CREATION: EventPayload = { type: 'plan_created', plan: { id: PLAN }, root: { description: 'Root' } };

/** A writer that has made the plan, with two goals below the root and two below the second of them. */
export function begin(): Written {
  const [a = '', b = '', c = '', d = ''] = NAMES;
  const divided = (goal: string, names: readonly string[]): EventPayload => ({
    type: 'goal_expanded',
    goal,
    atomic: false,
    reasoning: null,
    sub_goals: newGoals(names, 2),
  });
  const made = [CREATION, divided(`${PLAN}-root`, [a, b]), divided(b, [c, d])];
  return write(
    { history: beginHistory(), events: [], states: [] },
    made.map((payload) => () => payload),
    'one',
  );
}

function payloadOf(draw: Draw, { history, events, states }: Written): EventPayload {
  const { type, one, two, three, flag, usage } = draw;
  const { plan } = history;
  const goals = plan === null ? [] : [...plan.goals.values()];
  const about = (fits: (goal: Goal) => boolean) => pick(draw.wild ? goals : goals.filter(fits), one);
  const other = pick(goals, two);
  const also = flag ? [pick(goals, three)] : [];
  const names = draw.wild ? draw.names : draw.names.filter((name) => plan?.goals.has(name) !== true);
  const token = flag ? (plan?.goals.get(about(isClaimed))?.claim?.token ?? 't1') : undefined;
  const atomic = (goal: Goal) => goal.status === 'atomic';
  const inner = (goal: Goal) => goal.child_ids.length > 0;
  switch (type) {
    case 'goal_expanded':
      return {
        type,
        goal: about(isWaiting),
        atomic: names.length === 0,
        reasoning: null,
        sub_goals: newGoals(names, three),
        ...(two % 4 === 0 ? { decisions: decisionsOf(two, names) } : {}),
        usage,
      };
    case 'goal_completed':
      return { type, goal: about(flag ? isClaimed : atomic), token };
    case 'goal_reopened':
      return { type, goal: about(({ status }) => status === 'complete' || status === 'failed') };
    case 'goal_failed': {
      const phase = one % 2 === 0 ? 'planning' : 'work';
      const fits = phase === 'planning' ? isWaiting : atomic;
      return { type, goal: about(fits), reason: 'x', phase, usage };
    }
    case 'goal_digested': {
      const digest = { summary: 'Done', key_decisions: [], artifacts: [] };
      return {
        type,
        goal: about(({ status }) => status === 'complete'),
        digest,
        made_by: 'extraction',
        usage,
      };
    }
    case 'action_plan_run':
      return {
        type,
        goal: about(atomic),
        run: 'run-0000abcd',
        digest: 'frctl1:0',
        outcome: two % 2 === 0 ? 'succeeded' : 'failed',
      };
    case 'work_attempted':
      return {
        type,
        goal: about(atomic),
        token: 'aaaa000000000000',
        try: 1,
        agent: 'mine',
        outcome: flag ? 'landed' : 'failed',
        ...(flag ? {} : { reason: 'x' }),
        commit: null,
        files: [],
        cost_usd: null,
        seconds: 1,
        session: null,
      };
    case 'action_plan_linked':
      return { type, goal: about(atomic), action_plan: `ap-00000${two % 3}`, usage };
    case 'call_begun': {
      const caller = { host: 'h', pid: 1, ...(flag ? { worker: 'w' } : {}) };
      const most = { calls: 1, input_tokens: one, output_tokens: two, cost_usd: null };
      return { type, call: `c${three % 3}`, caller, usage: most, ...(two % 3 === 0 ? { ended: true } : {}) };
    }
    case 'usage_added': {
      const spent = usage ?? { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
      return {
        type,
        goal: flag ? about(() => true) : undefined,
        because: 'x',
        usage: spent,
        ...(three % 2 === 0 ? { lost: true } : {}),
      };
    }
    case 'goal_claimed':
      return { type, goal: about(atomic), token: `t${two % 2}`, expires_at: expiry(events.length, three) };
    case 'claim_renewed':
      return { type, goal: about(isClaimed), token: token ?? 't0', expires_at: expiry(events.length, three) };
    case 'claim_released':
      return { type, goal: about(isClaimed), token, forced: two % 2 === 0 };
    case 'goal_put_on_hold':
      return {
        type,
        goal: about(({ status }) => status !== 'complete'),
        reason: `Waits ${two % 3}`,
        ...(flag ? { until: expiry(events.length, three) } : {}),
      };
    case 'goal_hold_ended':
      return { type, goal: about(({ on_hold }) => on_hold !== undefined) };
    case 'goal_replanned': {
      const goal = about(({ status }) => status !== 'complete');
      const children = plan?.goals.get(goal)?.child_ids ?? [];
      const remove = children.filter((_, index) => (two >> index) % 2 === 0);
      const sub_goals = flag ? [] : newGoals(names, three, also);
      const kept = children.filter((id) => !remove.includes(id)).slice(0, two % 3);
      const keep = kept.map((id, index) => ({
        goal: id,
        add: index === 0 ? [other, ...sub_goals.slice(0, 1).map(({ id: added }) => added)] : [],
        remove: plan?.goals.get(id)?.dependencies.slice(0, 1) ?? [],
      }));
      const decided = flag && two % 4 === 0 ? { decisions: decisionsOf(three, children) } : {};
      return {
        type,
        goal,
        reasoning: 'again',
        remove,
        sub_goals,
        ...decided,
        usage,
        ...(two % 3 === 0 ? {} : { keep }),
      };
    }
    case 'expansion_rolled_back':
      return flag
        ? { type, goal: about(({ status }) => status === 'atomic'), undivided: true }
        : { type, goal: about(inner) };
    case 'goals_added': {
      const sub_goals = newGoals(names.length === 0 ? draw.names : names, two, also);
      const own =
        three % 3 === 0 ? { own_work: sub_goals[0]?.id, ...(flag ? { moves_work: true as const } : {}) } : {};
      return { type, parent: other, sub_goals, at_index: flag ? three % 4 : undefined, ...own };
    }
    case 'goal_edited':
      return { type, goal: about(({ status }) => status !== 'complete'), fields: fieldsOf(two) };
    case 'goal_moved':
      return { type, goal: about(() => true), parent: other, at_index: flag ? three % 4 : undefined };
    case 'goal_removed':
      return { type, goal: about(() => true), with_complete: flag };
    case 'goals_merged': {
      const goal = about(({ child_ids }) => child_ids.length === 0);
      const parent = plan?.goals.get(goal)?.parent_id;
      const siblings = goals.filter(({ id, parent_id }) => parent_id === parent && id !== goal);
      const merged = siblings.slice(0, 1 + (two % 2)).map(({ id }) => id);
      return { type, goal, merged: merged.length === 0 ? [other] : merged, description: 'Merged' };
    }
    case 'dependencies_changed': {
      const goal = about(() => true);
      const remove = three % 3 === 0 ? (plan?.goals.get(goal)?.dependencies.slice(0, 1) ?? []) : [];
      const changes = [{ goal, add: [other], remove }];
      return { type, changes: flag ? [...changes, { goal: other, add: [], remove: [] }] : changes };
    }
    case 'dependencies_linked': {
      const goal = about(({ child_ids }) => child_ids.length === 0);
      const remove = three % 3 === 0 ? (plan?.goals.get(goal)?.dependencies.slice(0, 1) ?? []) : [];
      const missing = flag ? [{ what: 'A common form', used_by: [goal] }] : [];
      return {
        type,
        changes: [{ goal, add: [other], remove }],
        missing,
        chain: [2, 1],
        can_start: [1, 2],
        usage,
      };
    }
    case 'decision_made': {
      const [{ what, choice } = { what: 'x', choice: null }] = decisionsOf(two, []);
      return { type, goal: about(() => true), what, choice, ...(flag ? { decided_by: other } : {}) };
    }
    case 'plan_restored': {
      const [, kept] = states[one % states.length] ?? [];
      if (kept === null || kept === undefined) return CREATION;
      const restored = { type, plan: toPlanFile(kept), reason: 'test' };
      if (!flag) return restored;
      const members = ['status', 'child_ids', 'digest', 'description', 'depth', '__proto__'].slice(
        0,
        1 + (two % 6),
      );
      const chosen = [...kept.goals.keys()].filter((_, index) => (index + three) % 2 === 0);
      const header = ['description', 'settings', 'root_goal_id'];
      return {
        ...restored,
        only: { header, goals: Object.fromEntries(chosen.map((goal) => [goal, members])) },
      };
    }
    case 'change_undone':
      return undoing(events, states, flag ? events.length - 1 : one);
    case 'planning_started': {
      const workers = three % 3 === 0 ? { workers: true } : {};
      const run = { id: `run${two % 2}`, host: 'h', pid: 1, started_at: atMinute(0), ...workers };
      const settings = three % 2 === 0 ? SETTINGS : undefined;
      return { type, replaces: flag ? null : (plan?.header.run?.id ?? null), run, settings };
    }
    case 'planning_estimated': {
      const range = { low: one, high: one + three };
      return { type, run: `run${two % 2}`, estimate: { calls: range, tokens: range, cost_usd: null } };
    }
    case 'planning_ended':
      return { type, run: `run${two % 2}`, usage };
    case 'plan_paused':
      return {
        type,
        because: 'user',
        ...(flag ? { run: `run${two % 2}` } : {}),
        ...(one % 3 === 0 ? { left: 'link' as const } : {}),
      };
    case 'plan_archived':
    case 'plan_unarchived':
      return { type };
    case 'damage_accepted':
      return { type, damage: [{ mark: `0000000${two % 10}-${one % 9}` }] };
    case 'plan_created':
    case 'plan_imported':
      return CREATION;
    default:
      return type satisfies never;
  }
}

/** Takes back what one of the events so far did. */
function undoing(events: Written['events'], states: Written['states'], which: number): EventPayload {
  const index = which % events.length;
  const [before, after] = states[index] ?? [null, null];
  return {
    type: 'change_undone',
    undoes: events[index]?.id ?? 'none',
    changes: before === null || after === null ? [] : [...changesBetween(before, after)],
  };
}

/** Some wait for the one before, some for another goal; some are judged, one may be done. */
function newGoals(names: readonly string[], drawn: number, also: readonly string[] = []): NewGoal[] {
  return names.map((id, index) => ({
    id,
    description: id,
    atomic: (drawn >> index) % 2 === 0,
    reasoning: null,
    dependencies: [...(index > 0 && drawn % 3 > 0 ? [names[index - 1] ?? id] : []), ...also],
    ...(drawn % 7 === index ? { complete: true, detail: `Detail of ${id}`, tags: ['x'] } : {}),
  }));
}

/** Two decisions, the matters among three of which two are the same in other letters. */
function decisionsOf(drawn: number, deciders: readonly string[]): Decision[] {
  const matters = ['Web framework', 'web  framework', 'Database'];
  return [0, 1].map((index) => {
    const decider = deciders[(drawn + index) % Math.max(1, deciders.length)];
    const open = (drawn >> index) % 2 === 0;
    return {
      what: matters[(drawn + index) % matters.length] ?? 'x',
      choice: open ? null : `Choice ${drawn % 5}`,
      ...(open && decider !== undefined ? { decided_by: decider } : {}),
    };
  });
}

function fieldsOf(drawn: number): (EventPayload & { type: 'goal_edited' })['fields'] {
  return {
    ...(drawn % 2 === 0 ? { description: `Called ${drawn % 3}` } : {}),
    ...(drawn % 3 === 0 ? { reasoning: drawn % 4 === 0 ? null : 'Why' } : {}),
    ...(drawn % 5 === 0 ? { detail: drawn % 4 === 0 ? null : 'Detail' } : {}),
    ...(drawn % 7 === 0 ? { acceptance: drawn % 4 === 0 ? null : ['It works'] } : {}),
    ...(drawn % 11 === 0 ? { priority: drawn % 4 === 0 ? null : drawn % 5 } : {}),
    ...(drawn % 13 === 0 ? { touches: drawn % 4 === 0 ? null : [`src/${drawn % 3}`, 'area:x'] } : {}),
    ...(drawn % 17 === 0
      ? { checks: drawn % 4 === 0 ? null : [{ tool: 'test.file', args: { path: 'a' } }] }
      : {}),
    ...(drawn % 9 === 0 ? { tags: drawn % 4 === 0 ? null : ['y', 'x'] } : {}),
  };
}

function pick(goals: readonly Goal[], which: number): string {
  return goals[which % goals.length]?.id ?? `${PLAN}-nobody`;
}

function isClaimed({ claim }: Goal): boolean {
  return claim !== undefined;
}

/** Up to half an hour from an event. */
function expiry(event: number, drawn: number): string {
  return atMinute(event * 10 + (drawn % 4) * 10 + 5);
}

function atMinute(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}
