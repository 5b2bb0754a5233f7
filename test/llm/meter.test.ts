import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Demand } from '../../src/llm/spend/bounds.js';
import { createMeter, type Meter, type Reservation } from '../../src/llm/spend/meter.js';
import { NO_USAGE } from '../../src/plan/plan.js';
import type { Budget, Usage } from '../../src/plan/schema.js';

const live = new AbortController().signal;
const price = (input: number, output: number): number => (input * 1 + output * 4) / 1_000_000;

function meterOf(budget: Budget, spent: Partial<Usage> = {}, now = () => 0): Meter {
  return createMeter({ budget, spent: { ...NO_USAGE, ...spent }, now });
}

function demand(input: number, output: number, most = input): Demand {
  return { input_tokens: input, most_input_tokens: most, max_output_tokens: output, costOf: price };
}

function usage(input: number, output: number): Usage {
  return { calls: 1, input_tokens: input, output_tokens: output, cost_usd: price(input, output) };
}

async function reserved(meter: Meter, asked: Demand): Promise<Reservation> {
  const leave = await meter.reserve(asked, live);
  if (leave.kind !== 'reserved') throw new Error(`no leave: ${JSON.stringify(leave)}`);
  return leave;
}

describe('a meter', () => {
  it('without a budget lets everything through', async () => {
    const meter = createMeter({ budget: undefined, spent: NO_USAGE, now: () => 0 });
    expect(await reserved(meter, demand(1e9, 4096))).toMatchObject({
      max_output_tokens: 4096,
    });
    expect(meter.remaining()).toEqual({});
  });

  it.each([
    ['calls', { calls: 3 }, { calls: 3 }],
    ['tokens', { tokens: 1000 }, { input_tokens: 800 }],
    ['usd', { usd: 0.001 }, { cost_usd: 0.0009 }],
    ['seconds', { seconds: 10 }, { seconds: 9.95 }],
  ])(
    'names the limit that stands in the way, spending of former runs included: %s',
    async (limit, budget, spent) => {
      expect(await meterOf(budget, spent).reserve(demand(100, 4096), live)).toEqual({ kind: 'limit', limit });
    },
  );

  it('asks for a shorter reply when a full one no longer fits', async () => {
    expect(await reserved(meterOf({ tokens: 1000 }), demand(100, 4096))).toMatchObject({
      max_output_tokens: 900,
    });
    const byCost = await reserved(meterOf({ usd: 0.0041 }), demand(100, 4096));
    expect(byCost.max_output_tokens).toBe(1000);
  });

  it('asks for no reply shorter than 256 tokens', async () => {
    expect(await reserved(meterOf({ tokens: 356 }), demand(100, 4096))).toMatchObject({
      max_output_tokens: 256,
    });
    expect(await meterOf({ tokens: 355 }).reserve(demand(100, 4096), live)).toEqual({
      kind: 'limit',
      limit: 'tokens',
    });
  });

  it('waits for calls in flight before it gives up or asks for less', async () => {
    const meter = meterOf({ tokens: 6000 });
    const first = await reserved(meter, demand(100, 4096));
    const second = meter.reserve(demand(100, 4096), live);
    const third = meter.reserve(demand(100, 10), live);
    meter.settle(first, usage(100, 200), true);
    expect(await second).toMatchObject({ kind: 'reserved', max_output_tokens: 4096 });
    expect(await third).toMatchObject({ kind: 'reserved', max_output_tokens: 10 });
  });

  it('forgets a waiting call whose signal aborts, and serves the next', async () => {
    const meter = meterOf({ tokens: 5000 });
    const first = await reserved(meter, demand(100, 4096));
    const controller = new AbortController();
    const second = meter.reserve(demand(100, 4096), controller.signal);
    const third = meter.reserve(demand(10, 300), live);
    controller.abort();
    expect(await second).toEqual({ kind: 'aborted' });
    expect(await third).toMatchObject({ kind: 'reserved' });
    meter.settle(first, NO_USAGE, false);
  });

  it('scales later reservations by the greatest ratio a server has reported', async () => {
    const meter = meterOf({ tokens: 100_000 });
    meter.settle(await reserved(meter, demand(100, 1000)), usage(300, 2000), true);
    meter.settle(await reserved(meter, demand(100, 1000)), usage(100, 10), true);
    expect((await reserved(meter, demand(100, 1000))).most.tokens).toBe(300 + 2000);
  });

  it('takes the most that any tokenizer could count until a server has reported its own', async () => {
    const meter = meterOf({ tokens: 100_000 });
    const first = await reserved(meter, demand(100, 1000, 400));
    expect(first.most.tokens).toBe(1400);
    meter.settle(first, usage(90, 10), true);
    expect((await reserved(meter, demand(100, 1000, 400))).most.tokens).toBe(1100);
  });

  it('gives the time that is left, and none below a tenth of a second', async () => {
    let now = 0;
    const meter = meterOf({ seconds: 10 }, { seconds: 4 }, () => now);
    expect(meter.remaining().seconds).toBe(6);
    expect((await meter.reserve(demand(1, 1), live)).kind).toBe('reserved');
    now = 5901;
    expect(await meter.reserve(demand(1, 1), live)).toEqual({ kind: 'limit', limit: 'seconds' });
  });

  it('refuses a budget in dollars when it is not known what was spent', () => {
    expect(() => meterOf({ usd: 1 }, { cost_usd: null })).toThrow(/budget in US dollars/);
  });

  it('never lets the sum of all calls exceed a limit, in whatever order they settle', async () => {
    const call = fc.record({
      input: fc.integer({ min: 1, max: 3000 }),
      output: fc.integer({ min: 1, max: 5000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      later: fc.boolean(),
    });
    const budget = fc.record(
      {
        calls: fc.integer({ min: 0, max: 12 }),
        tokens: fc.integer({ min: 0, max: 40_000 }),
        usd: fc.double({ min: 0, max: 0.1, noNaN: true }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(budget, fc.array(call, { maxLength: 20 }), async (budget, calls) => {
        const meter = meterOf(budget);
        let total: Usage = NO_USAGE;
        const run = async ({ input, output, share, later }: (typeof calls)[number]): Promise<void> => {
          const leave = await meter.reserve(demand(input, output), live);
          if (leave.kind !== 'reserved') return;
          if (later) await new Promise(setImmediate);
          const used = usage(input, Math.floor(leave.max_output_tokens * share));
          total = { ...total, calls: total.calls + 1, input_tokens: total.input_tokens + used.input_tokens };
          total = { ...total, output_tokens: total.output_tokens + used.output_tokens };
          meter.settle(leave, used, true);
        };
        await Promise.all(calls.map(run));
        expect(total.calls).toBeLessThanOrEqual(budget.calls ?? Infinity);
        expect(total.input_tokens + total.output_tokens).toBeLessThanOrEqual(budget.tokens ?? Infinity);
        expect(price(total.input_tokens, total.output_tokens)).toBeLessThanOrEqual(
          (budget.usd ?? Infinity) + 1e-9,
        );
      }),
      { numRuns: 200 },
    );
  });
});
