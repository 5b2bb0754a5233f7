import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { summaryOf } from '../../support/command.js';
import { inServer, newDatabase } from '../../support/postgres.js';
import { databaseUser } from '../../support/worker-processes.js';

async function planned() {
  const url = await newDatabase();
  const user = databaseUser();
  const run = (...args: readonly string[]) => user.run(args, { FRCTL_DATABASE_URL: url });
  const { id } = summaryOf((await run('init', 'Build ships', '--no-decompose', '--json')).json());
  return { url, user, run, plan: id };
}

test.each([
  ['a command', 'deadbeef --purge; rm -rf ~'],
  ['a flag', '-rf'],
  ['a path', '../../etc/passwd'],
  ['line ends and escapes', 'x\nhint: run y\u001b[31m\u202e'],
  ['many characters', 'z'.repeat(100_000)],
])(
  'a plan whose id is %s is named and prescribes no command with it, and doctor takes it away',
  async (_what, id) => {
    const { url, run, plan } = await planned();
    await inServer(
      url,
      `insert into frctl_plan (id, seq, summary) values ('${id}', 1, '{"kept":true}');
       insert into frctl_event (plan, seq, id, body) values ('${id}', 1, 'e', '{"a":1}')`,
    );
    const listed = await run('list');
    expect(listed).toMatchObject({ status: 0, out: expect.stringContaining(plan) as string });
    expect(listed.error).toContain('a row of frctl_plan has an id that no plan has');
    expect(listed.error.length).toBeLessThan(1000);
    const found = (await run('doctor', '--json')).json().findings as readonly { cure: string }[];
    expect(found).toMatchObject([{ code: 'STRAY_PLAN', cure: expect.not.stringContaining(id) as string }]);
    expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
    expect(await run('list')).toMatchObject({ status: 0, error: '' });
    expect(await run('add', 'Sail')).toMatchObject({ status: 0 });
    expect(await inServer(url, 'select place, body::text from frctl_removed order by place')).toEqual([
      { place: 'frctl_event', body: '{"a":1}' },
      { place: 'frctl_plan', body: expect.stringContaining('"kept":true') as string },
    ]);
  },
);

test.each([
  ['fewer events than it has', '1'],
  ['less than none', '-5'],
  ['more than any has', '4503599627370497'],
  ['as many as can be counted', '9223372036854775807'],
])('a plan that counts %s is named, and doctor lets it be changed again', async (_what, count) => {
  const { url, run, plan } = await planned();
  await run('add', 'Sail');
  await inServer(url, `update frctl_plan set seq = ${count} where id = '${plan}'`);
  const rows = 'select seq from frctl_event order by seq';
  const before = await inServer(url, rows);
  expect((await run('add', 'Row')).status).not.toBe(0);
  expect(await inServer(url, rows)).toEqual(before);
  expect((await run('doctor', '--json')).json().findings).toContainEqual(
    expect.objectContaining({ code: 'EVENTS_MISCOUNTED', plan }),
  );
  expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
  expect(await run('doctor')).toMatchObject({ status: 0 });
  expect(await run('add', 'Row on')).toMatchObject({ status: 0 });
  expect((await run('tree')).out).toContain('Row on');
});

test('a run that counts less than none can be changed again after doctor, and nothing is written before', async () => {
  const { url, user } = await planned();
  const run = (...args: readonly string[]) => user.run(args, { FRCTL_DATABASE_URL: url });
  writeFileSync(
    join(user.folder, 'plan.json'),
    JSON.stringify({ schema_version: '1.0', goal: 'g', steps: [{ id: 's', tool: 'file.list', args: {} }] }),
  );
  const tools = JSON.stringify({ tools: [{ name: 'file.list', run: { file: 'list' } }] });
  writeFileSync(join(user.folder, '.plans', 'tools.yaml'), tools);
  const { digest } = (await run('tools', 'trust', '--json')).json();
  await run('tools', 'trust', '--digest', String(digest));
  const { run: id } = (await run('prepare', 'plan.json', '--json')).json();
  await inServer(url, `update frctl_run set seq = -5 where id = '${String(id)}'`);
  const rows = 'select seq from frctl_run_event order by seq';
  const before = await inServer(url, rows);
  expect(await run('abort', String(id))).toMatchObject({
    status: 7,
    error: expect.stringContaining('plan doctor --fix') as string,
  });
  expect(await inServer(url, rows)).toEqual(before);
  expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
  expect(await run('abort', String(id))).toMatchObject({ status: 0 });
});

test('a run whose id is a command is in no list, is named and prescribed in no command, and doctor takes it away', async () => {
  const { url, run } = await planned();
  await run('runs');
  const id = 'run-x; rm -rf ~';
  await inServer(
    url,
    `insert into frctl_run (id, seq) values ('${id}', 1), ('run-y', 0);
     insert into frctl_run_event (run, seq, id, body) values ('${id}', 1, 'e', '{"a":1}');
     insert into frctl_run_value (run, digest, body) values ('${id}', 'd1', 'one'), ('${id}', 'd2', 'two')`,
  );
  expect(await run('runs')).toMatchObject({
    status: 0,
    error: expect.not.stringContaining('run-x') as string,
  });
  const { findings } = (await run('doctor', '--json')).json();
  expect(findings).toMatchObject([
    { code: 'STRAY_RUN', cure: expect.not.stringContaining('rm') as string },
    { code: 'STRAY_RUN' },
  ]);
  expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
  expect(await run('doctor')).toMatchObject({ status: 0 });
  expect(await inServer(url, 'select place from frctl_removed order by place')).toEqual([
    { place: 'frctl_run' },
    { place: 'frctl_run' },
    { place: 'frctl_run_event' },
    { place: 'frctl_run_value' },
    { place: 'frctl_run_value' },
  ]);
  const values = `select key->>'run' as run, key->>'digest' as digest, convert_from(bytes, 'UTF8') as output
    from frctl_removed where bytes is not null order by 2`;
  expect(await inServer(url, values)).toEqual([
    { run: id, digest: 'd1', output: 'one' },
    { run: id, digest: 'd2', output: 'two' },
  ]);
});

test.each([
  ['below 1', ['0', '-5', '-9223372036854775808']],
  ['above what can be counted', ['9007199254740993', '9007199254740991', '9223372036854775807']],
])('events that are numbered %s are named, and doctor takes them away', async (_what, numbers) => {
  const { url, run, plan } = await planned();
  await run('runs');
  const values = numbers.map((number) => `('${plan}', ${number}, 'e${number}', '{"a":1}')`);
  await inServer(
    url,
    `insert into frctl_event (plan, seq, id, body) values ${values.join()};
     insert into frctl_run (id, seq) values ('run-abcd1234', 0);
     insert into frctl_run_event (run, seq, id, body) values ('run-abcd1234', ${numbers[0]}, 'r', '{"b":1}')`,
  );
  const findings = (await run('doctor', '--json')).json().findings as readonly { code: string }[];
  expect(findings.filter(({ code }) => code === 'STRAY_EVENT')).toEqual(
    ['3 of its events', '1 of its events'].map((said): unknown =>
      expect.objectContaining({ message: expect.stringContaining(said) as string }),
    ),
  );
  expect(await run('doctor', '--fix')).toMatchObject({ status: 0 });
  expect(await run('doctor')).toMatchObject({ status: 0 });
  expect(await run('add', 'Sail')).toMatchObject({ status: 0 });
  expect((await run('tree')).out).toContain('Sail');
  expect(
    await inServer(url, "select key->>'seq' as seq from frctl_removed where place = 'frctl_event'"),
  ).toEqual(expect.arrayContaining(numbers.map((seq) => ({ seq }))) as unknown);
});
