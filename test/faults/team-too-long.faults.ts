import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import { summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { inServer, newDatabase } from '../support/postgres.js';
import { newRunTeam, step } from '../support/run-team.js';
import { leaveToWorkers, machineOf } from '../support/teams.js';
import { scale } from './support/scale.js';
import { databaseUser, startWorker } from '../support/worker-processes.js';

/** SQL of a text of so many bytes that is JSON, of the kind that the database reads fastest. @param size ten thousands, and one */
const textOf = (size: number) => `'1' || repeat(repeat(' ', 10000), ${(size - 1) / 10_000})`;
const jsonOf = (size: number) => `(${textOf(size)})::json`;
const bytesOf = (size: number) => `convert_to(${textOf(size)}, 'UTF8')`;

/** A project whose plans are in a database, and a plan in it with so many goals that were added one by one. */
async function planned(goals: number) {
  const url = await newDatabase();
  const user = databaseUser();
  const run = (...args: readonly string[]) => user.run(args, { FRCTL_DATABASE_URL: url });
  const made = await run('init', 'Build ships', '--no-decompose', '--json');
  const plan = summaryOf(made.json()).id;
  for (let goal = 1; goal <= goals; goal += 1) await run('add', `Sail ${goal}`, '--under', 'root');
  return { url, user, run, plan };
}

/** What no command may end with: what nobody has caught, and no fault of frctl's own. */
function named(ended: Awaited<ReturnType<User['run']>>) {
  expect(ended.out + ended.error).not.toMatch(
    /ERR_STRING_TOO_LONG|longer than 0x|something went wrong inside/,
  );
  return ended;
}

// Longer than any text of Node's: the driver throws where nobody catches it.
const size = 600_000_001;
const longestMs = 1_800_000;

// `npm test` holds the same with rows that only say that they are so long (test/teams/postgres/too-long-rows.test.ts).
describe.runIf(scale(true, false))(`a row of ${size} bytes (in \`npm run test:faults\`)`, () => {
  test(
    'that is an event is damage which is named; the plan and others go on, and doctor takes it away',
    async () => {
      const { url, run, plan } = await planned(3);
      await inServer(url, `update frctl_event set body = ${jsonOf(size)} where seq = 3`);
      await inServer(url, `update frctl_plan set snapshot = null, snapshot_seq = null, summary = '{}'`);
      expect(named(await run('list'))).toMatchObject({ status: 0 });
      const status = named(await run('status', '--json'));
      expect(status).toMatchObject({ status: 0 });
      const reason = `its row in frctl_event \\(id \\w+\\) has ${size} bytes; more than 268435456 are not read`;
      expect(status.json()).toMatchObject({
        damage: [{ line: 3, reason: expect.stringMatching(reason) as string }],
        plan: { total_goals: 3 },
      });
      expect(named(await run('add', 'Sail on', '--under', 'root'))).toMatchObject({ status: 0 });
      expect(named(await run('log'))).toMatchObject({ status: 0 });
      expect(named(await run('init', 'Build boats'))).toMatchObject({ status: 0 });
      const found = named(await run('doctor', '--json'));
      expect(found).toMatchObject({ status: 1 });
      expect(found.json().findings).toMatchObject([
        { code: 'ROW_TOO_LONG', plan, message: expect.stringMatching(`event 3 .*${reason}`) as string },
      ]);
      expect(named(await run('doctor', '--fix'))).toMatchObject({ status: 0 });
      expect(named(await run('doctor', '--json'))).toMatchObject({ status: 0 });
      expect((await run('status', plan, '--json')).json()).not.toHaveProperty('damage');
      expect(
        await inServer(url, 'select place, octet_length(body::text) as size from frctl_removed'),
      ).toEqual([{ place: 'frctl_event', size }]);
      // What is left goes to files and back as it is.
      expect(named(await run('store', 'copy', '--to', 'files'))).toMatchObject({ status: 0 });
    },
    longestMs,
  );

  test(
    'that made a plan makes that plan unreadable, and it can be removed',
    async () => {
      const { url, run, plan } = await planned(1);
      await inServer(url, `update frctl_event set body = ${jsonOf(size)} where seq = 1`);
      await inServer(url, `update frctl_plan set snapshot = null, snapshot_seq = null, summary = '{}'`);
      const listed = named(await run('list', '--json'));
      expect(listed.json()).toMatchObject({
        problems: [{ message: expect.stringContaining(`${size} bytes`) as string }],
      });
      const found = named(await run('doctor', '--fix', '--json'));
      expect(found.json().findings).toMatchObject([
        { code: 'LOG_UNUSABLE', cure: expect.stringContaining(`plan delete ${plan} --purge`) as string },
      ]);
      expect(named(await run('delete', plan, '--purge', '--yes'))).toMatchObject({ status: 0 });
      expect(named(await run('doctor'))).toMatchObject({ status: 0 });
    },
    longestMs,
  );

  test(
    'in place of what can be made again is passed over',
    async () => {
      const { url, run, plan } = await planned(2);
      // One after the other: a server holds no row of 1.8 GB while it writes it.
      for (const column of [
        `summary = ${jsonOf(size)}`,
        `shelf = ${textOf(size)}`,
        `snapshot = ${textOf(size)}`,
      ])
        await inServer(url, `update frctl_plan set ${column}`);
      await inServer(url, 'update frctl_plan set snapshot_seq = seq');
      for (const again of [1, 2]) {
        const listed = named(await run('list', '--json'));
        expect({ again, ...listed.json() }).toMatchObject({ plans: [{ id: plan, total_goals: 3 }] });
      }
      expect((await run('status', '--json')).json()).toMatchObject({ plan: { total_goals: 3 } });
    },
    longestMs,
  );

  test(
    'that is of a run, or of what runs and goals name, is named and can be removed',
    async () => {
      const url = await newDatabase();
      const team = await newRunTeam(url);
      const runs = [await team.prepare([step('a', 'again')]), await team.prepare([step('b', 'again')])];
      const [first = '', second = ''] = runs;
      await inServer(url, 'update frctl_run set seq = 2');
      await inServer(
        url,
        `insert into frctl_run_event values ('${first}', 2, 'e2', ${jsonOf(size)}), ('${second}', 2, 'e3', '{}');
           update frctl_run_event set body = ${jsonOf(size)} where run = '${second}' and seq = 1;
           insert into frctl_action_plan values ('ap-0000abcd', ${bytesOf(size)});
           insert into frctl_run_value values ('${first}', repeat('a', 64), ${bytesOf(size)});
           insert into frctl_lock values ('a lock', ${textOf(size)})`,
      );
      const run = async (...args: readonly string[]) => named(await team.user.run(args, team.environment));
      expect(await run('runs')).toMatchObject({ status: 0 });
      expect((await run('runs', 'show', first)).out).toContain('prepared');
      const aborted = await run('abort', first);
      expect(aborted.status).not.toBe(0);
      expect(aborted.error).toContain(`its row in frctl_run_event (id e2) has ${size} bytes`);
      const found = await run('doctor', '--json');
      const codes = (found.json().findings as { code: string }[]).map(({ code }) => code);
      expect(codes.toSorted()).toEqual(['ROW_TOO_LONG', 'ROW_TOO_LONG', 'RUN_DAMAGED', 'RUN_UNREADABLE']);
      expect(await run('store', 'copy', '--to', 'files')).toMatchObject({ status: 1 });
      expect(await run('runs', 'prune', first, second)).toMatchObject({ status: 0 });
      expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
      expect(await run('doctor')).toMatchObject({ status: 0 });
    },
    longestMs,
  );

  test(
    'that is a job ends no worker, and the goal that it was for is planned',
    async () => {
      const tree = uniformTree(2, 2);
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const server = await startModelServer({ tree, until: () => held });
      onTestFinished(() => server.close());
      const url = await newDatabase();
      const environment = { FRCTL_DATABASE_URL: url, OPENAI_BASE_URL: server.baseUrl };
      const { log, planId } = await leaveToWorkers(machineOf(url, environment), {
        goal: tree.description,
        settings: { model: 'm', max_children: 2 },
      });
      const large = `update graphile_worker._private_jobs set payload = ${jsonOf(size)}, locked_at = null, locked_by = null`;
      await inServer(url, large);
      const worker = startWorker(environment);
      while (server.count === 0) await wait(50);
      // Also one that comes while it looks for jobs: it may take that before anybody has seen it.
      await inServer(
        url,
        `insert into graphile_worker._private_jobs (task_id, payload, key)
           select task_id, ${jsonOf(size)}, 'large ' || n from graphile_worker._private_jobs, generate_series(1, 2) n limit 2`,
      );
      await inServer(url, `notify "jobs:insert"`);
      release();
      const said = await worker.ended;
      expect(worker.process.exitCode).toBe(0);
      expect(said).not.toMatch(/longer than 0x|Error:/);
      expect((await log.refresh()).counts).toMatchObject({ pending: 0, failed: 0 });
      expect(planId).not.toBe('');
    },
    longestMs,
  );
});
