import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { createPostgresStore } from '../../dist/features/teams/postgres/postgres-store.js';
import { startModelServer } from '../support/model-server.js';
import { startPostgres } from '../support/postgres.js';
import { runInProcess } from '../support/processes.js';
import { median } from '../support/statistics.js';
import { newStamp, planEvents } from '../support/stores.js';
import { printTable, whole } from '../support/table.js';
import { commandOnDatabase, query } from '../support/teams.js';
import { growTree } from '../support/trees.js';

const SMALL = '11111111';
const LARGE = '0398a958';
/** Goals of each plan, and how many of them wait still, as while it grows. */
const SIZES = { [SMALL]: { goals: 400, waiting: 1 }, [LARGE]: { goals: 100_000, waiting: 1000 } };
const WIDTH = 7;
const APPENDS = 300;

/**
 * What one plan of 100,000 goals costs workers: the figures from which docs/teams.md reckons what a million would.
 * @param {string} folder
 */
export async function measureTeamConstants(folder) {
  const postgres = await startPostgres();
  const model = await startModelServer({ shape: { kind: 'sized', goals: 2, width: 2 }, delay: 1000 });
  const { url } = postgres;
  try {
    const store = createPostgresStore({ url, stamp: newStamp(), now: Date.now });
    for (const [id, size] of Object.entries(SIZES)) await writePlan(store, id, size);
    const opened = await runInProcess('team-constants', { url, small: SMALL, large: LARGE }, ['--expose-gc']);
    const [bytes] = await query(url, SIZES_IN_BYTES);
    const { goals } = SIZES[LARGE];
    const rows = [
      ['appending an event and reading the verdict', `${(await appendMs(store)).toFixed(1)} ms`],
      [`an expansion of ${WIDTH} sub-goals with short texts, as an event`, `${whole(bytes.event)} bytes`],
      ['the snapshot, a goal', `${whole(bytes.snapshot / goals)} bytes`],
      ['the plan in the memory of a process, a goal', `${whole(opened.bytes / goals)} bytes`],
      ['opening the plan', `${(opened.openMs / 1000).toFixed(1)} s`],
      ['opening it from its log alone', `${(opened.openLogMs / 1000).toFixed(1)} s`],
      ['counting what waits, before a question', `${opened.countMs.toFixed(1)} ms`],
      ['the same where the limit of goals is near', `${opened.placesMs.toFixed(1)} ms`],
    ];
    for (const [id, size] of Object.entries(SIZES)) {
      const { seconds, connections } = await firstQuestion(join(folder, id), { url, id, model });
      rows.push([
        `from starting a worker to a question of ${whole(size.goals)} goals`,
        `${seconds.toFixed(1)} s`,
      ]);
      rows.push(['connections of that worker, 16 questions at once', whole(connections)]);
    }
    printTable(`What a plan of ${whole(goals)} goals costs workers`, ['', ''], rows);
  } finally {
    model.stop();
    await postgres.stop();
  }
}

const SIZES_IN_BYTES = `select avg(length(body::text)) filter (where body->>'type' = 'goal_expanded')::float8 as event,
    (select length(snapshot) from frctl_plan where id = '${LARGE}') as snapshot
  from frctl_event where plan = '${LARGE}'`;

/**
 * A plan whose last goals wait still.
 * @param {import('../../dist/storage/plan-store.js').PlanStore} store
 * @param {string} id
 * @param {{ goals: number, waiting: number }} size
 */
async function writePlan(store, id, { goals, waiting }) {
  const { created, expansions } = planEvents(id, growTree({ kind: 'sized', goals, width: WIDTH }));
  const log = await store.create(created, expansions.slice(0, -waiting));
  await log.publish('now');
}

/** @param {import('../../dist/storage/plan-store.js').PlanStore} store */
async function appendMs(store) {
  const log = await store.open(SMALL);
  const goal = `${SMALL}-root`;
  const taken = [];
  for (let round = 0; round < APPENDS; round += 1) {
    const begun = performance.now();
    await log.append([{ type: 'goal_edited', goal, fields: { tags: [`round${round}`] } }]);
    taken.push(performance.now() - begun);
  }
  return median(taken);
}

/**
 * The time from starting a worker until it asks the model, and how many connections it holds while it does.
 * @param {string} folder
 * @param {{ url: string, id: string, model: Awaited<ReturnType<typeof startModelServer>> }} place
 */
async function firstQuestion(folder, { url, id, model }) {
  const command = commandOnDatabase(folder, {
    url: `${url}?application_name=measured`,
    baseUrl: model.baseUrl,
    errors: 'ignore',
  });
  const limits = ['--model', 'm', '--max-goals', '1000000', '--max-depth', '20'];
  await once(command(['resume', id, '--workers', ...limits]), 'exit');
  await model.seen();
  const begun = performance.now();
  const worker = command(['worker', '--concurrency', '16']);
  while ((await model.seen()).calls === 0) await wait(20);
  const seconds = (performance.now() - begun) / 1000;
  const [{ connections }] = await query(url, CONNECTIONS);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  await once(command(['pause', id]), 'exit');
  return { seconds, connections };
}

const CONNECTIONS = `select count(*)::int as connections from pg_stat_activity where application_name = 'measured'`;
