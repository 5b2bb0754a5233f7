import { expect, test } from 'vitest';

import { summaryOf } from '../../support/command.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { newRunTeam, step } from '../../support/run-team.js';
import { databaseUser } from '../../support/worker-processes.js';

const SIZE = 300_000_001;

/** Has the database say of each row whose text has a mark that it is too long; `test/faults` has rows that are. */
async function markTooLong(url: string): Promise<void> {
  for (const table of ['frctl_event', 'frctl_run_event'])
    await inServer(
      url,
      `alter table ${table} alter column size drop expression;
       create function ${table}_size() returns trigger language plpgsql as $$ begin
         new.size := case when new.body::text = '"too long"' then ${SIZE} else octet_length(new.body::text) end;
         return new; end $$;
       create trigger sized before insert or update on ${table} for each row execute function ${table}_size()`,
    );
}

async function planned() {
  const url = await newDatabase();
  const user = databaseUser();
  const run = (...args: readonly string[]) => user.run(args, { FRCTL_DATABASE_URL: url });
  const { id } = summaryOf((await run('init', 'Build ships', '--no-decompose', '--json')).json());
  for (const goal of [1, 2]) await run('add', `Sail ${goal}`, '--under', 'root');
  await markTooLong(url);
  return { url, run, plan: id };
}

/** Nothing is left to look at but the log. */
const FORGET = `update frctl_plan set snapshot = null, snapshot_seq = null, summary = '{}'`;

test('an event that is too long to be read is named, keeps nothing from going on, and doctor takes it away', async () => {
  const { url, run, plan } = await planned();
  await inServer(url, `update frctl_event set body = '"too long"' where seq = 2; ${FORGET}`);
  const reason = `its row in frctl_event \\(id \\w+\\) has ${SIZE} bytes; more than 268435456 are not read`;
  expect(await run('list')).toMatchObject({ status: 0 });
  expect((await run('status', '--json')).json()).toMatchObject({
    damage: [{ line: 2, reason: expect.stringMatching(reason) as string }],
    plan: { total_goals: 2 },
  });
  for (const words of [
    ['add', 'Sail on', '--under', 'root'],
    ['log'],
    ['show', 'root'],
    ['init', 'Build boats'],
  ])
    expect({ words, ...(await run(...words)) }).toMatchObject({ status: 0 });
  const found = await run('doctor', '--json');
  expect(found).toMatchObject({ status: 1 });
  expect(found.json().findings).toMatchObject([
    { code: 'ROW_TOO_LONG', plan, message: expect.stringMatching(`event 2 .*${reason}`) as string },
  ]);
  expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
  expect(await run('doctor', '--json')).toMatchObject({ status: 0 });
  expect((await run('status', plan, '--json')).json()).not.toHaveProperty('damage');
  expect(await inServer(url, 'select place, body::text from frctl_removed')).toEqual([
    { place: 'frctl_event', body: '"too long"' },
  ]);
  // What is left goes to files as it is.
  expect(await run('store', 'copy', '--to', 'files')).toMatchObject({ status: 0 });
});

test('a plan whose first event is too long is named, and can be removed', async () => {
  const { url, run, plan } = await planned();
  await inServer(url, `update frctl_event set body = '"too long"' where seq = 1; ${FORGET}`);
  expect((await run('list', '--json')).json()).toMatchObject({
    problems: [{ message: expect.stringContaining(`${SIZE} bytes`) as string }],
  });
  expect((await run('doctor', '--fix', '--json')).json().findings).toMatchObject([
    { code: 'LOG_UNUSABLE', cure: expect.stringContaining(`plan delete ${plan} --purge`) as string },
  ]);
  expect(await run('delete', plan, '--purge', '--yes')).toMatchObject({ status: 0 });
  expect(await run('doctor')).toMatchObject({ status: 0 });
});

test('a run with an event that is too long is listed, shown, not aborted, and can be removed', async () => {
  const url = await newDatabase();
  const team = await newRunTeam(url);
  const [first, second] = [
    await team.prepare([step('a', 'again')]),
    await team.prepare([step('b', 'again')]),
  ];
  await markTooLong(url);
  await inServer(
    url,
    `update frctl_run set seq = 2;
     insert into frctl_run_event (run, seq, id, body) values ('${first}', 2, 'e2', '"too long"');
     update frctl_run_event set body = '"too long"' where run = '${second}' and seq = 1`,
  );
  const run = (...args: readonly string[]) => team.user.run(args, team.environment);
  expect(await run('runs')).toMatchObject({ status: 0 });
  expect((await run('runs', 'show', first)).out).toContain('prepared');
  expect((await run('abort', first)).error).toContain(`its row in frctl_run_event (id e2) has ${SIZE} bytes`);
  const findings = (await run('doctor', '--json')).json().findings as { code: string }[];
  expect(findings.map(({ code }) => code).toSorted()).toEqual(['RUN_DAMAGED', 'RUN_UNREADABLE']);
  expect(await run('runs', 'prune', first, second)).toMatchObject({ status: 0 });
  expect(await run('doctor')).toMatchObject({ status: 0 });
});
