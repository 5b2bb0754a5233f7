import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { createPostgresStore } from '../../dist/features/teams/postgres/postgres-store.js';
import { createFileStore, prepareStore } from '../../dist/storage/file/file-store.js';
import { printTable, ratio, whole } from '../support/table.js';

const PLAN = '0398a958';
const GOALS = 10_000;
const WORKERS = 32;

/**
 * Goals claimed and completed a second by many processes at once, in files and in the PostgreSQL of
 * FRCTL_TEST_DATABASE_URL (an empty database that is waited for on disk, as in real life).
 * @param {string} folder
 */
export async function measureClaimants(folder) {
  const url = process.env.FRCTL_TEST_DATABASE_URL;
  if (url === undefined || url === '')
    return console.log('claimants: no FRCTL_TEST_DATABASE_URL, so not measured');
  const rows = [];
  let first = Number.NaN;
  for (const place of [folder, url]) {
    await makePlan(place);
    const { ms, done } = await claimAll(place);
    if (new Set(done).size !== GOALS || done.length !== GOALS)
      throw new Error(`${done.length} goals were done`);
    const perSecond = (2 * GOALS * 1000) / ms;
    if (Number.isNaN(first)) first = perSecond;
    rows.push([
      place === url ? 'PostgreSQL' : 'files',
      whole(GOALS),
      whole(perSecond),
      ratio(perSecond / first),
    ]);
  }
  printTable(
    `Claims and completions of one plan by ${WORKERS} processes at once`,
    ['store', 'goals', 'changes a second', '÷ files'],
    rows,
  );
}

/** @param {string} place */
async function makePlan(place) {
  let stamps = 0;
  const stamp = () => ({ id: `bench${(stamps += 1)}`, at: new Date().toISOString(), by: 'bench' });
  const inFiles = { folder: place, stamp, makeReplicaId: () => 'bench', now: Date.now };
  const isDatabase = place.startsWith('postgres');
  if (!isDatabase) await prepareStore(place);
  const store = isDatabase
    ? createPostgresStore({ url: place, stamp, now: Date.now })
    : createFileStore(inFiles);
  if (isDatabase && (await store.ids()).includes(PLAN)) await store.purge(PLAN);
  const goals = Array.from({ length: GOALS }, (_, index) => `${PLAN}-g${index}`);
  const sub_goals = goals.map((id) => ({
    id,
    description: `Do ${id}`,
    atomic: true,
    reasoning: null,
    dependencies: [],
  }));
  const root = `${PLAN}-root`;
  const log = await store.create(
    { type: 'plan_created', plan: { id: PLAN, description: 'Bench' }, root: { description: 'Bench' } },
    [{ type: 'goal_expanded', goal: root, atomic: false, reasoning: null, sub_goals }],
  );
  await log.publish('now');
}

/** @param {string} place */
async function claimAll(place) {
  const worker = fileURLToPath(new URL('../../test/faults/workers/claim-all.js', import.meta.url));
  const children = Array.from({ length: WORKERS }, (_, index) => {
    const task = { place, plan: PLAN, goals: GOALS, first: Math.floor((index * GOALS) / WORKERS) };
    return spawn(process.execPath, [worker, JSON.stringify(task)], { stdio: ['pipe', 'pipe', 'inherit'] });
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const begun = performance.now();
  const told = children.map(async (child) => {
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stdin.end('go\n');
    await once(child, 'close');
    return JSON.parse(out).done;
  });
  const done = (await Promise.all(told)).flat();
  return { ms: performance.now() - begun, done };
}
