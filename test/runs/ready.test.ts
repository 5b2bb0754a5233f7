import { expect, test } from 'vitest';

import type { ExecutionEvent } from '../../src/features/runs/executor/session.js';
import { runPlan } from '../support/executing.js';
import type { Bench } from '../support/executing.js';

const STEP = { id: 'a', tool: 't', args: {} };

/** Carries out a plan of one step, whose tool needs the condition `free`. */
async function carriedOut(step: object, free: NonNullable<Bench['conditions']>[string]) {
  const events: ExecutionEvent[] = [];
  const run = await runPlan(
    { goal: 'g', steps: [{ ...STEP, ...step }] },
    { ready: { t: 'free' }, conditions: { free } },
    { emit: (event) => events.push(event) },
  );
  const told = (type: string) =>
    events.flatMap((each) => (each.type === 'run_event' && each.event.type === type ? [each.event] : []));
  return { run, told };
}

test('a tool whose condition breaks was not called: that attempt failed, and another is made where the plan says so', async () => {
  let looks = 0;
  const broken = () => {
    looks += 1;
    throw new Error('the browser is gone');
  };
  const { run, told } = await carriedOut({ retry: { max_attempts: 2, initial_delay_ms: 1 } }, broken);
  expect(run.end).toMatchObject({ end: { outcome: 'failed' } });
  expect(told('attempt_ended')).toMatchObject(
    [1, 2].map((attempt) => ({
      attempt,
      outcome: 'not_sent',
      error: { code: 'TOOL_BROKEN', message: 'the browser is gone' },
    })),
  );
  expect([looks, run.bench.calls]).toEqual([2, []]);
});

test('a tool is waited for as long as its step says, which the log tells first; then the attempt has failed', async () => {
  const { run, told } = await carriedOut({ timeout_ms: 100 }, false);
  expect(run.end).toMatchObject({ end: { outcome: 'failed' } });
  expect(told('checked')).toMatchObject([
    { ok: false, detail: 'it is waited for, 100 ms at the most: free does not hold' },
    { ok: false, detail: 'free does not hold' },
  ]);
  expect(told('attempt_ended')).toMatchObject([{ outcome: 'not_sent', error: { code: 'NOT_READY' } }]);
  expect(run.bench.calls).toEqual([]);
});

test('a step without a limit waits as long as it takes', async () => {
  const looks = [...Array.from({ length: 20 }, () => false), true];
  const { run, told } = await carriedOut({}, looks);
  expect(run.end).toMatchObject({ end: { outcome: 'succeeded' } });
  expect(told('checked')).toMatchObject([
    { ok: false, detail: expect.stringContaining('as long as it takes') },
    { ok: true },
  ]);
});
