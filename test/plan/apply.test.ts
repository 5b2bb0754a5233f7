import { describe, expect, test } from 'vitest';

import { apply } from '../../src/plan/apply.js';
import type { EventPayload, PlanEvent } from '../../src/plan/events.js';
import type { NewGoal } from '../../src/plan/events/new-goal.js';
import { checkInvariants } from '../../src/plan/invariants.js';
import { goalOf, summarize } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import type { Refusal } from '../../src/plan/refusals.js';

let count = 0;

function event(payload: EventPayload): PlanEvent {
  count += 1;
  return { id: `e${count}`, at: '2026-01-02T03:04:05Z', by: 'test', replica: 'r', clock: count, ...payload };
}

function accepted(plan: Plan | null, payload: EventPayload): Plan {
  const applied = apply(plan, event(payload));
  expect(applied.refused).toBeNull();
  if (applied.plan === null) throw new TypeError('no plan');
  expect(checkInvariants(toPlanFile(applied.plan))).toEqual([]);
  return applied.plan;
}

function refusal(plan: Plan | null, payload: EventPayload): Refusal | null {
  const applied = apply(plan, event(payload));
  expect(applied.plan).toBe(plan);
  return applied.refused;
}

function child(suffix: string, fields: Partial<NewGoal> = {}): NewGoal {
  return {
    id: `0398a958-${suffix}`,
    description: `Do ${suffix}`,
    atomic: true,
    reasoning: null,
    dependencies: [],
    ...fields,
  };
}

const created = () =>
  accepted(null, { type: 'plan_created', plan: { id: '0398a958' }, root: { description: 'Build it' } });
const expanded = (plan: Plan, suffix: string, subGoals: readonly NewGoal[]) =>
  accepted(plan, {
    type: 'goal_expanded',
    goal: `0398a958-${suffix}`,
    atomic: subGoals.length === 0,
    reasoning: 'because',
    sub_goals: [...subGoals],
    usage: { calls: 1, input_tokens: 10, output_tokens: 5, cost_usd: 0.5 },
  });

describe('making a plan', () => {
  test('a new plan has a pending root and waits to be planned', () => {
    const plan = created();
    expect(summarize(plan)).toMatchObject({
      status: 'in_progress',
      total_goals: 1,
      pending_goals: 1,
      paused_because: null,
    });
  });

  test('nothing happens to a plan before it is made, and it is made once', () => {
    const plan = created();
    expect(refusal(null, { type: 'goal_completed', goal: '0398a958-root' })).toMatchObject({
      code: 'no_plan',
    });
    expect(
      refusal(plan, { type: 'plan_created', plan: { id: '0398a958' }, root: { description: 'x' } }),
    ).toMatchObject({ code: 'plan_exists' });
  });
});

describe('expanding', () => {
  test('sub-goals hang under their parent with depth, verdict and dependencies', () => {
    const plan = expanded(created(), 'root', [
      child('a'),
      child('b', { atomic: false, dependencies: ['0398a958-a'] }),
    ]);
    expect(goalOf(plan, '0398a958-root')).toMatchObject({
      status: 'decomposing',
      child_ids: ['0398a958-a', '0398a958-b'],
      tokens_used: 15,
    });
    expect(goalOf(plan, '0398a958-b')).toMatchObject({
      status: 'pending',
      depth: 1,
      parent_id: '0398a958-root',
      dependencies: ['0398a958-a'],
    });
    expect(summarize(plan)).toMatchObject({
      max_depth: 1,
      total_tokens: 15,
      usage: { calls: 1, cost_usd: 0.5 },
    });
  });

  test('the plan is complete when no goal waits to be planned, whatever the work', () => {
    const plan = expanded(created(), 'root', [child('a'), child('b', { atomic: false })]);
    expect(plan.header.status).toBe('in_progress');
    expect(expanded(plan, 'b', []).header.status).toBe('complete');
  });

  test('a goal is expanded once: a second reply changes nothing', () => {
    const plan = expanded(created(), 'root', [child('a')]);
    const again: EventPayload = {
      type: 'goal_expanded',
      goal: '0398a958-root',
      atomic: true,
      reasoning: null,
      sub_goals: [],
    };
    expect(refusal(plan, again)).toMatchObject({ code: 'wrong_status', need: 'expand' });
  });

  test.each([
    ['an id that is taken', [child('a'), child('a')], { code: 'goal_exists' }],
    ['an id of another plan', [{ ...child('a'), id: 'ffffffff-a' }], { code: 'foreign_goal' }],
    [
      'a dependency on a stranger',
      [child('a', { dependencies: ['0398a958-zz'] })],
      { code: 'dependency_not_a_sibling' },
    ],
    ['a dependency on itself', [child('a', { dependencies: ['0398a958-a'] })], { code: 'cycle' }],
    [
      'a cycle',
      [child('a', { dependencies: ['0398a958-b'] }), child('b', { dependencies: ['0398a958-a'] })],
      { code: 'cycle', goals: ['0398a958-a', '0398a958-b', '0398a958-a'] },
    ],
  ])('%s is refused', (_name, subGoals, reason) => {
    const payload: EventPayload = {
      type: 'goal_expanded',
      goal: '0398a958-root',
      atomic: false,
      reasoning: null,
      sub_goals: subGoals,
    };
    expect(refusal(created(), payload)).toMatchObject(reason);
  });

  test('a verdict that contradicts the sub-goals is refused', () => {
    const payload: EventPayload = {
      type: 'goal_expanded',
      goal: '0398a958-root',
      atomic: true,
      reasoning: null,
      sub_goals: [child('a')],
    };
    expect(refusal(created(), payload)).toMatchObject({ code: 'contradictory_verdict' });
  });

  test('items that are done already complete their parents', () => {
    const plan = expanded(created(), 'root', [child('a', { atomic: null, complete: true })]);
    expect(goalOf(plan, '0398a958-root').status).toBe('complete');
    expect(summarize(plan)).toMatchObject({ complete_goals: 1, atomic_goals: 1, status: 'complete' });
  });

  test('an unknown cost stays unknown', () => {
    const plan = expanded(created(), 'root', [child('a', { atomic: false })]);
    const next = accepted(plan, {
      type: 'goal_expanded',
      goal: '0398a958-a',
      atomic: true,
      reasoning: null,
      sub_goals: [],
      usage: { calls: 2, input_tokens: 1, output_tokens: 1, cost_usd: null },
    });
    expect(next.header.usage).toMatchObject({ calls: 3, cost_usd: null });
  });
});

describe('working', () => {
  test('the last child completes its ancestors, and reopening it takes that back', () => {
    let plan = expanded(created(), 'root', [child('a', { atomic: false })]);
    plan = expanded(plan, 'a', [child('b'), child('c')]);
    plan = accepted(plan, { type: 'goal_completed', goal: '0398a958-b' });
    expect(goalOf(plan, '0398a958-a').status).toBe('decomposing');
    plan = accepted(plan, { type: 'goal_completed', goal: '0398a958-c' });
    expect(goalOf(plan, '0398a958-root').status).toBe('complete');
    plan = accepted(plan, { type: 'goal_reopened', goal: '0398a958-b' });
    expect([goalOf(plan, '0398a958-b').status, goalOf(plan, '0398a958-root').status]).toEqual([
      'atomic',
      'decomposing',
    ]);
  });

  test('only an atomic goal can be completed', () => {
    const plan = expanded(created(), 'root', [child('a', { atomic: false })]);
    expect(refusal(plan, { type: 'goal_completed', goal: '0398a958-a' })).toMatchObject({
      code: 'wrong_status',
      status: 'pending',
    });
    expect(refusal(plan, { type: 'goal_completed', goal: '0398a958-root' })).toMatchObject({
      code: 'wrong_status',
      status: 'decomposing',
    });
  });

  test('a goal that could not be expanded is kept for review, and can be asked about again', () => {
    let plan = expanded(created(), 'root', [child('a', { atomic: false }), child('b')]);
    plan = accepted(plan, { type: 'goal_failed', goal: '0398a958-a', phase: 'planning', reason: 'refused' });
    expect(summarize(plan)).toMatchObject({ failed_goals: 1, pending_goals: 0, status: 'complete' });
    plan = accepted(plan, { type: 'goal_reopened', goal: '0398a958-a' });
    expect(goalOf(plan, '0398a958-a')).toMatchObject({ status: 'pending', failure: { reason: 'refused' } });
    expect(goalOf(expanded(plan, 'a', []), '0398a958-a').failure).toBeUndefined();
  });
});

const run = (id: string) => ({ id, host: 'h', pid: 1, started_at: '2026-01-01T00:00:00Z' });

describe('runs and pauses', () => {
  test('of two processes that start to plan at once one is refused', () => {
    const plan = accepted(created(), { type: 'planning_started', run: run('one'), replaces: null });
    expect(refusal(plan, { type: 'planning_started', run: run('two'), replaces: null })).toMatchObject({
      code: 'planning_taken',
      when: 'before',
    });
    expect(
      accepted(plan, { type: 'planning_started', run: run('two'), replaces: 'one' }).header.run?.id,
    ).toBe('two');
  });

  test('a pause lasts until planning starts again, and replies that still come in are kept', () => {
    let plan = accepted(created(), { type: 'plan_paused', because: 'user' });
    expect(summarize(plan)).toMatchObject({ status: 'paused', paused_because: 'user' });
    plan = expanded(plan, 'root', [child('a', { atomic: false })]);
    expect(plan.header.status).toBe('paused');
    plan = accepted(plan, { type: 'planning_started', run: run('one'), replaces: null });
    expect(summarize(plan)).toMatchObject({ status: 'in_progress', paused_because: null });
  });

  test('a finished plan cannot be paused', () => {
    const plan = expanded(created(), 'root', []);
    expect(refusal(plan, { type: 'plan_paused', because: 'user' })).toMatchObject({
      code: 'nothing_to_plan',
    });
  });

  test('workers plan as one run, which anybody may pause and whichever of them is last ends', () => {
    const workers = { ...run('one'), workers: true };
    let plan = accepted(created(), { type: 'planning_started', run: workers, replaces: null });
    expect(plan.header.run).toEqual(workers);
    plan = accepted(plan, { type: 'plan_paused', because: 'user' });
    expect(plan.header).toMatchObject({ run: workers, paused_because: 'user', status: 'paused' });
    plan = expanded(plan, 'root', []);
    expect(accepted(plan, { type: 'planning_ended', run: 'one' }).header.run).toBeUndefined();
  });

  test('a run that was taken over can no longer end', () => {
    const plan = accepted(created(), { type: 'planning_started', run: run('one'), replaces: null });
    expect(refusal(plan, { type: 'planning_ended', run: 'other' })).toMatchObject({
      code: 'planning_taken',
      when: 'since',
    });
  });
});

test('of each kind of warning the first are kept and the others counted, so that none crowds out another', () => {
  const many = Array.from({ length: 130 }, (_, index) => ({
    code: 'many',
    goal_id: null,
    message: String(index),
  }));
  const warnings = [...many, { code: 'rare', goal_id: null, message: 'look' }];
  const plan = accepted(created(), { type: 'plan_paused', because: 'user', warnings });
  expect(plan.header.warnings).toHaveLength(26);
  expect(plan.header.warnings?.at(-1)?.code).toBe('rare');
  expect(plan.header.warnings_dropped).toBe(105);
});
