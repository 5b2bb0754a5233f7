import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { executeRun } from '../../src/features/runs/executor/execute-run.js';
import type { RunLog } from '../../src/features/runs/model/run-log.js';
import { stepsOfRun } from '../../src/features/runs/model/steps/run-step.js';
import { outputsOf } from '../../src/features/runs/model/values/run-values.js';
import { failing, memoryRuns, testClock, workbench } from '../support/executing.js';
import { preparedWith, startedWith } from '../support/runs.js';
import { scale } from '../faults/support/scale.js';

/** A process that is gone. */
class Killed extends Error {}

const PLAN = {
  schema_version: '1.0',
  goal: 'g',
  steps: [
    { id: 'list', tool: 'read', args: {} },
    {
      id: 'send',
      tool: 'once',
      args: { id: 'send' },
      verifications: [{ type: 'done', args: { id: 'send' } }],
    },
    {
      id: 'each',
      tool: 'again',
      args: { n: '${x}' },
      foreach: { from: '$steps.list', item_name: 'x', concurrency: 3 },
    },
    {
      id: 'risky',
      tool: 'broken',
      args: {},
      retry: { max_attempts: 2, initial_delay_ms: 0 },
      on_error: { strategy: 'fallback', steps: [{ id: 'instead', tool: 'again', args: { n: 'f' } }] },
    },
    {
      id: 'sub',
      tool: 'nested',
      args: {},
      plan: {
        steps: [
          {
            id: 'inner',
            tool: 'once',
            args: { id: 'inner' },
            verifications: [{ type: 'done', args: { id: 'inner' } }],
          },
        ],
      },
    },
    { id: 'maybe', tool: 'broken', args: {}, on_error: { strategy: 'skip' } },
    { id: 'after', tool: 'again', args: { all: '$steps.each' }, depends_on: ['sub'] },
  ],
};

/** Carries the plan out, killed at the given calls of the log and of tools, each counted from the last start. */
async function carriedOut(kills: readonly number[], plan: object = PLAN) {
  const effects: string[] = [];
  const read = readActionPlan(JSON.stringify(plan), { format: 'frctl' });
  const steps = stepsOfRun(read.plan, 'frctl');
  let left = Number.POSITIVE_INFINITY;
  const mayDie = () => {
    left -= 1;
    if (left < 0) throw new Killed();
  };
  const bench = {
    effects: {
      read: 'none',
      again: 'idempotent',
      once: 'once',
      broken: 'idempotent',
      picky: 'idempotent',
      nested: 'none',
    } as const,
    tools: {
      read: () => [1, 2, 3, 4],
      once: ({ args }: { args: { id?: unknown } }) => {
        effects.push(`once ${String(args.id)}`);
        // The effect is there, and nobody hears of it.
        mayDie();
        return { sent: true };
      },
      again: ({ args }: { args: object }) => {
        effects.push('again');
        return args as never;
      },
      broken: () => failing(),
      picky: ({ args }: { args: { n?: unknown } }) => (args.n === 3 ? failing('not 3') : (args as never)),
    },
    conditions: { done: ({ id }: { id?: unknown }) => effects.includes(`once ${String(id)}`) },
  };
  const { toolbox } = workbench(bench, ['nested']);
  const log = await memoryRuns().create(
    preparedWith({
      plan: JSON.stringify(plan),
      tools: Object.entries(bench.effects).map(([name, kind]) => ({
        name,
        effects: kind,
        definition: 'd',
        binding: {},
      })),
      expires_at: '2999-01-01T00:00:00Z',
    }),
  );
  // A process may die before what it writes is on the disk, and after.
  const mortal: RunLog = {
    ...log,
    get run() {
      return log.run;
    },
    async append(payloads) {
      mayDie();
      const outcomes = await log.append(payloads);
      mayDie();
      return outcomes;
    },
  };
  for (const kill of [...kills, Number.POSITIVE_INFINITY]) {
    left = kill;
    const replaces = log.run.executor?.id;
    const [started] = await log.append([startedWith(replaces === undefined ? {} : { replaces })]);
    try {
      await executeRun(
        {
          log: mortal,
          steps,
          toolbox,
          clock: testClock(),
          stop: new AbortController().signal,
          drop: new AbortController().signal,
          onUnknown: 'verify',
          emit: () => undefined,
          pollMs: 1,
        },
        started?.event.id ?? '',
      );
      break;
    } catch (thrown) {
      if (!(thrown instanceof Killed)) throw thrown;
    }
  }
  const outputs = outputsOf(log);
  return {
    effects,
    run: log.run,
    states: Object.fromEntries(
      [...log.run.instances].map(([name, { state, recovered }]) => [name, { state, recovered }]),
    ),
    after: await outputs.of('after'),
  };
}

test('any interleaving of crash and resume comes to the state of the run without a crash, and does nothing twice that acts once', async () => {
  const usual = await carriedOut([]);
  expect(usual.run.ended).toMatchObject({ outcome: 'succeeded' });
  expect(usual.states.risky).toEqual({ state: 'succeeded', recovered: true });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 40 }), { maxLength: 8 }), async (kills) => {
      const killed = await carriedOut(kills);
      expect(killed.states).toEqual(usual.states);
      expect(killed.after).toEqual(usual.after);
      expect(killed.run.ended).toMatchObject({ outcome: 'succeeded' });
      for (const id of ['send', 'inner'])
        expect(killed.effects.filter((effect) => effect === `once ${id}`)).toHaveLength(1);
    }),
    { numRuns: scale(40, 15) },
  );
});

test('a kill at every event of a run leaves a run that goes on to its end', async () => {
  const usual = await carriedOut([]);
  for (let at = 0; at < 60; at += 1) {
    const { states, effects } = await carriedOut([at]);
    expect(states).toEqual(usual.states);
    expect(effects.filter((effect) => effect.startsWith('once'))).toEqual(['once send', 'once inner']);
  }
});

test('a kill at every event of a run whose foreach fails leaves one that ends as it does without', async () => {
  const fallback = (tool: string) => ({ strategy: 'fallback', steps: [{ id: 'f', tool, args: {} }] });
  const list = { id: 'list', tool: 'read', args: {} };
  const after = { id: 'after', tool: 'again', args: { all: '$steps.each' } };
  for (const more of [
    {},
    { on_error: fallback('broken') },
    { foreach: { from: '$steps.list', item_name: 'x', concurrency: 3 } },
    {
      args: {},
      plan: { steps: [{ id: 'in', tool: 'picky', args: { n: '${x}' } }] },
    },
  ]) {
    const foreach = { from: '$steps.list', item_name: 'x' };
    const each = { id: 'each', tool: 'picky', args: { n: '${x}' }, foreach, ...more };
    const plan = { schema_version: '1.0', goal: 'g', steps: [list, each, after] };
    const usual = await carriedOut([], plan);
    expect(usual.run.ended).toMatchObject({ outcome: 'failed' });
    expect(usual.states).toMatchObject({ each: { state: 'failed' }, after: { state: 'skipped' } });
    for (let at = 0; at < 40; at += 1) {
      const { states, run } = await carriedOut([at], plan);
      // The items at whose side one fails may be begun before or not at all.
      const { 'each[3]': _killed, ...ended } = states;
      const { 'each[3]': _usual, ...wanted } = usual.states;
      expect(ended).toEqual(wanted);
      expect({ ...run.ended, at: '' }).toEqual({ ...usual.run.ended, at: '' });
      expect(run.instances.get('each')).toMatchObject({
        failed_by: run.ended?.failed,
        error: { message: run.ended?.reason },
      });
    }
  }
});
