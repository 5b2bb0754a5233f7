import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { executeRun } from '../../src/features/runs/executor/execute-run.js';
import { stepsOfRun } from '../../src/features/runs/model/steps/run-step.js';
import type { Outcome, Tool } from '../../src/features/runs/model/tool.js';
import { createFileRunStore } from '../../src/features/runs/storage/file/file-run-store.js';
import { testClock } from '../support/executing.js';
import { temporaryFolder } from '../support/folders.js';
import { preparedWith, startedWith } from '../support/runs.js';
import { scale } from './support/scale.js';

/** Milliseconds that a busy machine may take for it. */
const PATIENCE_MS = scale(60 * 60_000, 5 * 60_000);
/** After so many items the heap is measured: when everything is compiled, and at the end. */
const [FIRST, LAST] = scale([10_000, 30_000], [700, 2100]);
/**
 * Bytes that an item may leave behind: its name (32), its place in a map (28 to 56, and a third for the layers), how it
 * ended as a short text (64 to 96), where its output stands in the log (45 to 70). What it brought is not among them.
 * In small, what Node compiles meanwhile weighs as much again.
 */
const MOST_EACH = scale(350, 700);

const PLAN = JSON.stringify({
  schema_version: '1.0',
  goal: 'many',
  steps: [
    { id: 'l', tool: 'list', args: {} },
    {
      id: 'a',
      tool: 't',
      args: { n: '${f}' },
      foreach: { from: '$steps.l', item_name: 'f', concurrency: 8 },
      verifications: [{ type: 'there', args: { n: '${f}' } }],
    },
    { id: 'b', tool: 'last', args: { all: '$steps.a' } },
  ],
});

test(
  'what a run has done takes next to no memory, whatever its items bring',
  async () => {
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    const heap = () => {
      if (typeof collect === 'function') for (let turn = 0; turn < 3; turn += 1) collect();
      return process.memoryUsage().heapUsed;
    };
    const measured: number[] = [];
    let [done, listed] = [0, 0];
    const isThere = (n: unknown): Outcome => {
      done += 1;
      if (done === FIRST || done === LAST) measured.push(heap());
      return { outcome: 'succeeded', output: { n: Number(n), text: 'x'.repeat(900) } };
    };
    const tools = new Map<string, Tool>([
      toolOf('list', () => ({
        outcome: 'succeeded',
        output: Array.from({ length: LAST }, (_none, index) => index),
      })),
      toolOf('t', ({ n }) => isThere(n)),
      toolOf('last', ({ all }) => {
        listed = Array.isArray(all) ? all.filter((one, index) => one.n === index).length : 0;
        return { outcome: 'succeeded', output: null };
      }),
    ]);
    const log = await prepared([...tools.keys()]);
    const [started] = await log.append([startedWith()]);
    const never = new AbortController().signal;
    const end = await executeRun(
      {
        log,
        steps: stepsOfRun(readActionPlan(PLAN, { format: 'frctl' }).plan, 'frctl'),
        toolbox: {
          tools,
          conditions: new Map([
            [
              'there',
              {
                definition: () => definitionOf('there'),
                look: async () => ({ ok: true, detail: 'it is there' }),
              },
            ],
          ]),
          endOrphan: async () => undefined,
          close: async () => undefined,
        },
        clock: testClock(),
        stop: never,
        drop: never,
        onUnknown: 'verify',
        emit: () => undefined,
      },
      started?.event.id ?? '',
    );
    expect(end).toMatchObject({ end: { outcome: 'succeeded' } });
    // Nothing of what they brought is lost by that, nor its order.
    expect(listed).toBe(LAST);
    const [first = 0, last = Infinity] = measured;
    expect((last - first) / (LAST - FIRST)).toBeLessThan(MOST_EACH);
  },
  PATIENCE_MS,
);

function toolOf(name: string, call: (args: Readonly<Record<string, unknown>>) => Outcome): [string, Tool] {
  return [name, { definition: () => definitionOf(name), call: async ({ args }) => call(args) }];
}

function definitionOf(name: string) {
  return { name, description: '', inputSchema: true, effects: 'once', binding: {} } as const;
}

async function prepared(tools: readonly string[]) {
  let stamps = 0;
  const store = createFileRunStore(temporaryFolder(), () => ({
    id: `an-event-of-a-run-${(stamps += 1)}`,
    at: new Date().toISOString(),
    by: 'me',
  }));
  return store.create(
    preparedWith({
      plan: PLAN,
      tools: tools.map((name) => ({ name, effects: 'once', definition: 'd', binding: {} })),
      expires_at: '2999-01-01T00:00:00Z',
    }),
  );
}
