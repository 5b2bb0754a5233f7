// Reads a plan again and again, as another program reads its file and as this one opens it, until its
// standard input ends; then prints how often, and what was wrong.
// task: {folder, plan}
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { validatePlanFile } from '../../../dist/plan/invariants.js';
import { toPlanFile } from '../../../dist/plan/snapshot/plan-file.js';
import { openStore, task } from './store.js';

const problems = [];
let readings = 0;
process.stdin.resume();

do {
  for (const read of [publishedFile, openedPlan]) {
    try {
      problems.push(...validatePlanFile(await read()).problems.map(({ message }) => message));
    } catch (thrown) {
      problems.push(String(thrown));
    }
  }
  readings += 1;
} while (!process.stdin.readableEnded);
console.log(JSON.stringify({ readings, problems: problems.slice(0, 10) }));

async function publishedFile() {
  return JSON.parse(await readFile(join(task.folder, `${task.plan}.json`), 'utf8'));
}

async function openedPlan() {
  return toPlanFile((await openStore(task.folder).open(task.plan)).plan);
}
