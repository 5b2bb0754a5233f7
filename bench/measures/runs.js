import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { readActionPlan } from '../../dist/features/actions/model/read-action-plan.js';
import { executeRun } from '../../dist/features/runs/executor/execute-run.js';
import { stepsOfRun } from '../../dist/features/runs/model/steps/run-step.js';
import { pause } from '../../dist/host/pause.js';
import { createFileRunStore } from '../../dist/features/runs/storage/file/file-run-store.js';
import { median } from '../support/statistics.js';
import { milliseconds, printTable, ratio } from '../support/table.js';

const ROUNDS = 5;
const APPENDS = 100;
const RUNS = [
  { name: '100, one after the other', steps: 100, atOnce: 0 },
  { name: '1,000 items, one after the other', steps: 1000, atOnce: 1 },
  { name: '1,000 items, eight at once', steps: 1000, atOnce: 8 },
];

/**
 * What recording a step costs, whose tool does nothing, against one durable append: of as many bytes to a file that is
 * open, and of one event to the log of a run, which opens the file, reads the line back and applies it too.
 * @param {string} folder
 */
export async function measureRuns(folder) {
  /** @type {number[]} */
  const appends = [];
  /** @type {number[]} */
  const events = [];
  /** @type {number[][]} */
  const times = RUNS.map(() => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { steps, atOnce }] of RUNS.entries()) {
      appends.push(timeOfAppend(join(folder, `append-${round}-${index}`)));
      times[index]?.push(await timeOfStep(join(folder, `store-${round}-${index}`), steps, atOnce));
      events.push(await timeOfEvent(join(folder, `events-${round}-${index}`)));
    }
  const [append, event] = [median(appends), median(events)];
  const row = (/** @type {string} */ name, /** @type {number} */ time) => [
    name,
    milliseconds(time),
    ratio(time / append),
    ratio(time / event),
  ];
  printTable(
    `One recorded step: two durable lines and a tool that does nothing, medians of ${ROUNDS} rounds`,
    ['', 'time', '÷ a durable append (a step ≤ 5)', '÷ a recorded event'],
    [
      row('a durable append of 500 bytes', append),
      row('a recorded event', event),
      ...RUNS.map(({ name }, index) => row(`a step of ${name}`, median(times[index] ?? []))),
    ],
  );
}

function timeOfAppend(/** @type {string} */ path) {
  const file = openSync(path, 'a');
  const line = Buffer.from(`${'x'.repeat(500)}\n`);
  const began = performance.now();
  for (let index = 0; index < APPENDS; index += 1) {
    writeSync(file, line);
    fdatasyncSync(file);
  }
  const each = (performance.now() - began) / APPENDS;
  closeSync(file);
  return each;
}

/** What the log of a run takes for one event, in milliseconds. */
async function timeOfEvent(/** @type {string} */ folder) {
  const log = await preparedRun(folder, '{}');
  const detail = 'x'.repeat(300);
  const began = performance.now();
  for (let index = 0; index < APPENDS; index += 1)
    await log.append([{ type: 'checked', kind: 'precondition', index: 0, ok: true, detail }]);
  return (performance.now() - began) / APPENDS;
}

/** The log of a run that is prepared. */
async function preparedRun(/** @type {string} */ folder, /** @type {string} */ plan) {
  let stamps = 0;
  const store = createFileRunStore(folder, () => ({
    id: `event${(stamps += 1)}`,
    at: new Date().toISOString(),
    by: 'bench',
  }));
  return store.create({
    type: 'run_prepared',
    run: 'run-00000001',
    source: { file: null, dialect: 'frctl' },
    plan,
    digest: `frctl1:${'0'.repeat(64)}`,
    workspace: { id: 'bench', root: folder },
    tools: ['t', 'list'].map((name) => ({ name, effects: 'once', definition: 'd', binding: {} })),
    tools_digest: 'd',
    findings: [],
    inputs: [],
    requires_approval: false,
    expires_at: '2999-01-01T00:00:00Z',
  });
}

/** A plan of so many steps, or of one step for each of so many items. */
function planOf(/** @type {number} */ count, /** @type {number} */ atOnce) {
  const steps =
    atOnce === 0
      ? Array.from({ length: count }, (_none, index) => ({ id: `s${index}`, tool: 't', args: { index } }))
      : [
          { id: 'list', tool: 'list', args: {} },
          {
            id: 'each',
            tool: 't',
            args: { item: '${item}' },
            foreach: { from: '${steps.list}', item_name: 'item', concurrency: atOnce },
          },
        ];
  return JSON.stringify({ schema_version: '1.0', goal: 'bench', steps });
}

/** What a step takes, in milliseconds. @param atOnce how many items at once; 0 for steps without items */
async function timeOfStep(
  /** @type {string} */ folder,
  /** @type {number} */ count,
  /** @type {number} */ atOnce,
) {
  const text = planOf(count, atOnce);
  const { plan: read } = readActionPlan(text, { format: 'frctl' });
  const log = await preparedRun(folder, text);
  const [started] = await log.append([
    { type: 'run_started', executor: { host: 'bench', pid: process.pid, version: '0' }, approval: null },
  ]);
  const never = new AbortController().signal;
  const began = performance.now();
  await executeRun(
    {
      log,
      steps: stepsOfRun(read, 'frctl'),
      toolbox: {
        tools: new Map([
          ['t', toolOf('t', { done: true })],
          [
            'list',
            toolOf(
              'list',
              Array.from({ length: count }, (_none, index) => index),
            ),
          ],
        ]),
        conditions: new Map(),
        endOrphan: async () => undefined,
        close: async () => undefined,
      },
      clock: { now: Date.now, wait: pause },
      stop: never,
      drop: never,
      onUnknown: 'verify',
      emit: () => undefined,
    },
    started.event.id,
  );
  return (performance.now() - began) / count;
}

function toolOf(
  /** @type {string} */ name,
  /** @type {import('../../dist/kernel/json/json-value.js').JsonValue} */ output,
) {
  const definition = { name, description: '', inputSchema: true, effects: 'once', binding: {} };
  return { definition: () => definition, call: async () => ({ outcome: 'succeeded', output }) };
}
