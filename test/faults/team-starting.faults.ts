import { setTimeout as wait } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { openDatabase } from '../../src/features/teams/postgres/database.js';
import { startModelServer } from '../support/model-server.js';
import { newPostgresServer } from '../support/postgres/server.js';
import { leaveToWorkers, machineOf } from '../support/teams.js';
import { databaseUser } from '../support/worker-processes.js';
import { scale } from './support/scale.js';
import { TEAM_GOALS, TEAM_SETTINGS, TEAM_TREE } from './support/team-tree.js';

/** A restart takes long on a busy machine. */
const LONGEST_MS = scale(3_600_000, 300_000);
const WORKERS = scale(12, 3);
const COMMANDS = scale(66, 6);

/** What people are told; whatever else stands on standard error some library has printed. */
const OWN_WORDS =
  /^(?:Waiting for|Planning |Planned |warning: the database |The others took this worker|\S+ goals?)/;

test(
  `${WORKERS} workers and ${COMMANDS} commands that start while PostgreSQL restarts wait for it, and say no word of a library`,
  async () => {
    const postgres = await newPostgresServer();
    onTestFinished(() => postgres.remove());
    const server = await startModelServer({ tree: TEAM_TREE, delay: 20 });
    onTestFinished(() => server.close());
    const environment = { FRCTL_DATABASE_URL: postgres.url, OPENAI_BASE_URL: server.baseUrl };
    const { log } = await leaveToWorkers(machineOf(postgres.url, environment), {
      goal: TEAM_TREE.description,
      settings: TEAM_SETTINGS,
    });
    const over = new AbortController();
    const restarting = (async () => {
      while (!over.signal.aborted) {
        const since = Date.now();
        await postgres.stop();
        await wait(200);
        await postgres.start();
        // Twice as long as it was away: on a slow machine nobody could start in a moment, and each waits for 20 seconds in all.
        await wait(2 * (Date.now() - since));
      }
    })();
    const started = Array.from({ length: WORKERS + COMMANDS }, async (_each, index) => {
      await wait(index * 60);
      const words =
        index < WORKERS ? ['worker', '--until-done'] : [['list'], ['status'], ['doctor']][index % 3];
      const running = databaseUser().start(words ?? [], environment);
      onTestFinished(() => void running.process.kill('SIGKILL'));
      return { words, ...(await running.ended) };
    });
    // Commands end while it restarts again and again; workers end once it stays.
    await Promise.all(started.slice(WORKERS));
    over.abort();
    await restarting;
    for (const { words, status, error } of await Promise.all(started)) {
      expect({ words, status, error }).toMatchObject({ status: 0 });
      for (const line of error.split('\n').filter((one) => one !== '')) expect(line).toMatch(OWN_WORDS);
    }
    expect({ ...(await log.refresh()).counts }).toMatchObject({ total: TEAM_GOALS, pending: 0, failed: 0 });
  },
  LONGEST_MS,
);

test.each(['worker', 'list'])(
  'a database that stays away is waited for with a word, and then `plan %s` ends with 7',
  async (word) => {
    const postgres = await newPostgresServer();
    onTestFinished(() => postgres.remove());
    await postgres.stop();
    const ended = await databaseUser().start([word], { FRCTL_DATABASE_URL: postgres.url }).ended;
    expect(ended).toMatchObject({
      status: 7,
      error: expect.stringMatching(/warning: .*ECONNREFUSED.*it is tried again for 20 seconds/) as string,
    });
  },
  LONGEST_MS,
);

test('a name that nobody knows is told at once', async () => {
  const told: string[] = [];
  const database = openDatabase('postgres://me@nobody.invalid/plans');
  database.tellAway((message) => told.push(message));
  await expect(database.query('select 1')).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    message: expect.stringContaining('nobody.invalid') as string,
    details: expect.not.objectContaining({ again: true }) as object,
  });
  expect(told).toEqual([]);
});
