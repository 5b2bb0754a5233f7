import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { readActionPlan } from '../../dist/action-plans/read-action-plan.js';
import { executeRun } from '../../dist/execution/executor/execute-run.js';
import { stepsOfRun } from '../../dist/execution/steps/run-step.js';
import { createFileRunStore } from '../../dist/storage/file/runs/file-run-store.js';
import { median } from '../support/statistics.js';
import { milliseconds, printTable, ratio } from '../support/table.js';

const ROUNDS = 5;
const STEPS = 100;

/**
 * What recording a step costs, whose tool does nothing, against one durable append of as many bytes.
 * @param {string} folder
 */
export async function measureRuns(folder) {
  const steps = [];
  const appends = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    appends.push(timeOfAppend(join(folder, `append-${round}`)));
    steps.push(await timeOfStep(join(folder, `store-${round}`), round));
  }
  const [step, append] = [median(steps), median(appends)];
  printTable(
    `One recorded step: two durable lines and a tool that does nothing, median of ${ROUNDS} runs of ${STEPS}`,
    ['a step', 'one durable append', 'step ÷ append (≤ 5)'],
    [[milliseconds(step), milliseconds(append), ratio(step / append)]],
  );
}

function timeOfAppend(/** @type {string} */ path) {
  const file = openSync(path, 'a');
  const line = Buffer.from(`${'x'.repeat(500)}\n`);
  const began = performance.now();
  for (let index = 0; index < STEPS; index += 1) {
    writeSync(file, line);
    fdatasyncSync(file);
  }
  const each = (performance.now() - began) / STEPS;
  closeSync(file);
  return each;
}

async function timeOfStep(/** @type {string} */ folder, /** @type {number} */ round) {
  let stamps = 0;
  const store = createFileRunStore(folder, () => ({
    id: `event${(stamps += 1)}`,
    at: new Date().toISOString(),
    by: 'bench',
  }));
  const plan = {
    schema_version: '1.0',
    goal: 'bench',
    steps: Array.from({ length: STEPS }, (_none, index) => ({ id: `s${index}`, tool: 't', args: { index } })),
  };
  const text = JSON.stringify(plan);
  const { plan: read } = readActionPlan(text, { format: 'frctl' });
  const definition = { name: 't', description: '', inputSchema: true, effects: 'once', binding: {} };
  const tool = {
    definition: () => definition,
    call: async () => ({ outcome: 'succeeded', output: { done: true } }),
  };
  const log = await store.create({
    type: 'run_prepared',
    run: `run-0000000${round}`,
    source: { file: null, dialect: 'frctl' },
    plan: text,
    digest: `frctl1:${'0'.repeat(64)}`,
    workspace: { id: 'bench', root: folder },
    tools: [{ name: 't', effects: 'once', definition: 'd', binding: {} }],
    tools_digest: 'd',
    findings: [],
    inputs: [],
    requires_approval: false,
    expires_at: '2999-01-01T00:00:00Z',
  });
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
        tools: new Map([['t', tool]]),
        conditions: new Map(),
        endOrphan: async () => undefined,
        close: async () => undefined,
      },
      clock: {
        now: Date.now,
        wait: async (ms, signal) => {
          await sleep(ms, undefined, { signal }).catch(() => undefined);
        },
      },
      stop: never,
      drop: never,
      onUnknown: 'verify',
      emit: () => undefined,
    },
    started.event.id,
  );
  return (performance.now() - began) / STEPS;
}
