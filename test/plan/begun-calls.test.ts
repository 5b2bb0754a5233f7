import { expect, test } from 'vitest';

import { apply } from '../../src/plan/apply.js';
import type { EventPayload } from '../../src/plan/events.js';
import type { Plan } from '../../src/plan/plan.js';
import { usageWithBegun } from '../../src/plan/plan.js';
import { applied, begin } from '../support/format-reader.js';

const PLAN = '0000aaaa';
const CREATION: EventPayload = {
  type: 'plan_created',
  plan: { id: PLAN, description: 'Build ships' },
  root: { description: 'Build ships' },
};
const CALL = { calls: 1, input_tokens: 2, output_tokens: 3, cost_usd: 0.25 };

const begun = (number: number): EventPayload => ({
  type: 'call_begun',
  call: `c${number}`,
  caller: { host: 'h', pid: 1 },
  usage: CALL,
});

function planAfter(payloads: readonly EventPayload[]): { readonly plan: Plan; readonly read: unknown } {
  let plan: Plan | null = null;
  let read: unknown = null;
  for (const [index, payload] of [CREATION, ...payloads].entries()) {
    const event = {
      ...payload,
      id: `e${index}`,
      at: '2026-01-01T00:00:00Z',
      by: 'a',
      replica: 'r',
      clock: index + 1,
    };
    plan = apply(plan, event).plan;
    read = read === null ? begin(event) : (applied(read, event) ?? read);
  }
  if (plan === null) throw new Error('no plan');
  return { plan, read };
}

test('a call counts at the most until an event says what it used, and once', () => {
  const two = planAfter([begun(1), begun(2)]).plan;
  expect(usageWithBegun(two.header)).toMatchObject({ calls: 2, estimated_calls: 2, cost_usd: 0.5 });
  const used = { calls: 1, input_tokens: 1, output_tokens: 1, cost_usd: 0, begun: ['c1'] };
  const one = planAfter([begun(1), begun(2), { type: 'usage_added', because: 'x', usage: used }]).plan;
  expect(usageWithBegun(one.header)).toMatchObject({ calls: 2, estimated_calls: 1, cost_usd: 0.25 });
  expect(one.header.usage).not.toHaveProperty('begun');
  const lost: EventPayload = {
    type: 'usage_added',
    because: 'x',
    lost: true,
    usage: { ...CALL, estimated_calls: 1, begun: ['c2'] },
  };
  const none = planAfter([
    begun(1),
    begun(2),
    { type: 'usage_added', because: 'x', usage: used },
    lost,
    lost,
  ]).plan;
  expect(none.header).not.toHaveProperty('calls');
  expect(none.header.usage).toMatchObject({ calls: 2, estimated_calls: 1 });
});

test('of more calls than are looked through the first are counted', () => {
  const { plan, read } = planAfter(Array.from({ length: 2010 }, (_each, number) => begun(number)));
  expect(plan.header.calls).toHaveLength(2000);
  expect(plan.header.usage).toMatchObject({ calls: 10, estimated_calls: 10, input_tokens: 20 });
  expect(usageWithBegun(plan.header).calls).toBe(2010);
  expect(read).toMatchObject({ usage: plan.header.usage, total_tokens: plan.header.total_tokens });
});
