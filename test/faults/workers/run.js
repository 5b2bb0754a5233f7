// Goes on with a run of an action plan until it ends or needs a person, and tells what it came to.
// task: {folder, run, tools: the text of a tools file}
import { writeSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { readActionPlan } from '../../../dist/features/actions/model/read-action-plan.js';
import { readToolsFile } from '../../../dist/features/actions/tools/read-tools-file.js';
import { executeRun } from '../../../dist/features/runs/executor/execute-run.js';
import { openToolbox } from '../../../dist/features/runs/runners/toolbox.js';
import { stepsOfRun } from '../../../dist/features/runs/model/steps/run-step.js';
import { neededTools } from '../../../dist/features/runs/model/tools/needed-tools.js';
import { createFileRunStore } from '../../../dist/features/runs/storage/file/file-run-store.js';

const say = (/** @type {object} */ what) => writeSync(1, `${JSON.stringify(what)}\n`);
const task = JSON.parse(process.argv[2] ?? '{}');
let stamps = 0;
const store = createFileRunStore(task.folder, () => ({
  id: `${process.pid}-${(stamps += 1)}-${Math.random().toString(36).slice(2, 10)}`,
  at: new Date().toISOString(),
  by: String(process.pid),
}));
const log = await store.open(task.run);
const { plan } = readActionPlan(log.run.prepared.plan, { format: 'frctl' });
const toolbox = await openToolbox({
  file: readToolsFile(task.tools, 'tools.yaml'),
  needed: neededTools(plan),
  run: task.run,
  environment: {
    root: task.folder,
    forbidden: [],
    hidden: [],
    variables: process.env,
    keep: (content) => log.keepBytes(content),
  },
});
const replaces = log.run.executor?.id;
const executor = { host: 'here', pid: process.pid, version: '0' };
const [started] = await log.append([
  { type: 'run_started', executor, ...(replaces === undefined ? {} : { replaces }), approval: null },
]);
say({ opened: true });
globalThis.armFaults?.();
const never = new AbortController().signal;
try {
  const end = await executeRun(
    {
      log,
      steps: stepsOfRun(plan, 'frctl'),
      toolbox,
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
      pollMs: 5,
    },
    started.event.id,
  );
  say({ end: end.kind });
} catch (thrown) {
  say({ error: { name: thrown.name, code: thrown.code, message: thrown.message } });
  process.exitCode = 7;
}
await toolbox.close();
