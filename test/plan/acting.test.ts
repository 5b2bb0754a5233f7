import { describe, expect, test } from 'vitest';

import { changesBetween, changesBy } from '../../src/plan/changes.js';
import { apply } from '../../src/plan/apply.js';
import type { EventPayload, PlanEvent } from '../../src/plan/events.js';
import { goalOf } from '../../src/plan/plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { readPlan } from '../support/format-reader.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';
import type { Refusal } from '../../src/plan/refusals.js';

const usage = { calls: 2, input_tokens: 100, output_tokens: 20, cost_usd: 0.25 };
const link = (goal: string, plan = 'ap-k3f9x2'): EventPayload => ({
  type: 'action_plan_linked',
  goal: id(goal),
  action_plan: plan,
  usage,
});
const spent = (goal?: string): EventPayload => ({
  type: 'usage_added',
  ...(goal === undefined ? {} : { goal: id(goal) }),
  because: 'a draft that was refused',
  usage,
});

/** A plan with an atomic goal `a`, an open one `b`, and what the events came to after it. */
async function planAfter(
  ...payloads: readonly EventPayload[]
): Promise<{ plan: Plan; refused: (Refusal | null)[] }> {
  const place = await newWorkplace();
  await place.change(expand('root', ['a'], ['b']));
  const outcomes = await place.change(...payloads);
  const { plan } = await place.open();
  const { log: _log, crc: _crc, ...read } = readPlan(place.eventLog) as Record<string, unknown>;
  expect(Object.values(read.goals as object)).toEqual([...plan.goals.values()]);
  return { plan, refused: outcomes.map((outcome) => outcome.refused) };
}

describe('an action plan', () => {
  test('is listed by its goal after those before it, and its cost is counted', async () => {
    const { plan, refused } = await planAfter(link('a'), link('a', 'ap-zzzzzz'));
    expect(refused).toEqual([null, null]);
    expect(goalOf(plan, id('a'))).toMatchObject({
      status: 'atomic',
      action_plans: ['ap-k3f9x2', 'ap-zzzzzz'],
      tokens_used: 240,
      usage: { calls: 4, cost_usd: 0.5 },
    });
    expect(plan.header).toMatchObject({ total_tokens: 240, usage: { calls: 4 } });
  });

  test('is refused by a goal that is divided, open or gone, and one that has it', async () => {
    const { refused } = await planAfter(link('root'), link('b'), link('nobody'), link('a'), link('a'));
    expect(refused).toEqual([
      { code: 'wrong_status', goal: id('root'), status: 'decomposing', need: 'action_plan' },
      { code: 'wrong_status', goal: id('b'), status: 'pending', need: 'action_plan' },
      { code: 'no_goal', goal: id('nobody') },
      null,
      { code: 'action_plan_exists', goal: id('a'), action_plan: 'ap-k3f9x2' },
    ]);
  });

  test('is kept by a goal that is finished, and may still come to one', async () => {
    const { plan, refused } = await planAfter(
      link('a'),
      { type: 'goal_completed', goal: id('a') },
      link('a', 'ap-zzzzzz'),
    );
    expect(refused).toEqual([null, null, null]);
    expect(goalOf(plan, id('a')).action_plans).toEqual(['ap-k3f9x2', 'ap-zzzzzz']);
  });
});

test('calls without a result are counted, with their goal or, when it is gone, without', async () => {
  const { plan, refused } = await planAfter(spent('a'), spent('nobody'), spent());
  expect(refused).toEqual([null, null, null]);
  expect(goalOf(plan, id('a'))).toMatchObject({ tokens_used: 120, usage });
  expect(plan.header).toMatchObject({ total_tokens: 360, usage: { calls: 6, cost_usd: 0.75 } });
});

test('both change the goal they name and no other', async () => {
  const { plan } = await planAfter();
  for (const payload of [link('a'), spent('a'), spent('nobody'), spent()]) {
    const event: PlanEvent = {
      id: 'e',
      at: '2026-03-01T00:00:00Z',
      by: 'x',
      replica: 'r',
      clock: 99,
      ...payload,
    };
    const after = apply(plan, event).plan ?? plan;
    expect(changesBy(event, plan, after)).toEqual(changesBetween(plan, after));
  }
});
