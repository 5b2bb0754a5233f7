// Appends changes one after the other, and prints what became of each when its promise has resolved.
// task: {folder, plan, payloads, publish: 'each' | 'end' | 'never', endless?}
import { writeSync } from 'node:fs';
import process from 'node:process';

import { openStore, task } from './store.js';

// What is else loaded on demand, so that a fault does not hit the loading of modules.
await import('../../../dist/plan/plan.js');
await import('../../../dist/storage/file/journal/replica.js');

const say = (/** @type {object} */ what) => writeSync(1, `${JSON.stringify(what)}\n`);

try {
  const log = await openStore(task.folder).open(task.plan);
  say({ opened: true });
  globalThis.armFaults?.();
  do {
    for (const payload of task.payloads) {
      const [outcome] = await log.append([payload]);
      say({ event: outcome?.event.id, refused: outcome?.refused });
      if (task.publish === 'each') await log.publish('now');
    }
  } while (task.endless === true);
  if (task.publish === 'end') await log.publish('now');
  say({ done: true });
} catch (thrown) {
  say({
    error: { name: thrown.name, code: thrown.code, message: thrown.message, details: thrown.details },
  });
  process.exitCode = 7;
}
