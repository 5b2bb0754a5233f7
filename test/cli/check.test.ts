import { fileURLToPath } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { startMcp } from '../support/mcp-client.js';

/** A plan with a vague goal, a doubled one, a redundant wait, and checks else. */
async function newPlace() {
  const user = newUser();
  await user.run(['init', 'Bring the shop to the new town', '--expander', 'agent', '--no-link']);
  const check = (text: string) => ({ atomic: true, acceptance: [text] });
  const answers = [
    {
      goal: 'root',
      atomic: false,
      sub_goals: [
        { description: 'Open the account pages', atomic: false },
        { description: 'Open the diary', atomic: false },
        { description: 'Show the shop to the first guest', ...check('Ana has bought bread') },
      ],
    },
    {
      goal: '1',
      atomic: false,
      sub_goals: [
        { description: 'Create the login form', ...check('A wrong password is refused') },
        { description: 'Handle edge cases', atomic: true, depends_on: [1] },
      ],
    },
    {
      goal: '2',
      atomic: false,
      sub_goals: [
        { description: 'Build a login form', ...check('A member is in') },
        { description: 'Show a month', ...check('31 days are shown'), depends_on: [1] },
        { description: 'Print a month', ...check('A sheet of paper'), depends_on: [1, 2] },
      ],
    },
  ];
  for (const answer of answers)
    expect((await user.run(['answer', '--from', '-'], {}, JSON.stringify(answer))).status).toBe(0);
  return user;
}

test('plan check says what looks wrong, with what may be done, and changes nothing', async () => {
  const user = await newPlace();
  const before = (await user.run(['log', '--json'])).json().events;
  const { status, out } = await user.run(['check']);
  expect(status).toBe(0);
  expect(out).toContain('! DUPLICATE_LEAF  1.1 “Create the login form” has the same result as 2.1');
  expect(out).toContain('! VAGUE_LEAF  1.2 “Handle edge cases”');
  expect(out).toContain('! REDUNDANT  2.3 “Print a month” need not name 2.1');
  expect(out).toContain('    Keep one: plan remove 2.1');
  expect(out).toMatch(/\n4 findings\. They are for you to judge\.\n$/);
  expect((await user.run(['log', '--json'])).json().events).toEqual(before);
});

test('what looks wrong stands in the exports that people read, as nothing but text, and comes back as no goal', async () => {
  const user = await newPlace();
  const markdown = (await user.run(['export', '--format', 'markdown'])).out;
  expect(markdown.match(/\n\*\*Looks wrong\*\* at `[^`]+`: /g)).toHaveLength(4);
  expect(markdown).toContain('`: 1\\.2 “Handle edge cases”');
  const html = (await user.run(['export', '--format', 'html'])).out;
  expect(html).toMatch(
    /<h2>Looks wrong<\/h2>\n<ul>\n<li dir="auto"><a href="#\S+">1\.1 “Create the login form” has the same result as 2\.1/,
  );
  expect((await user.run(['export', '--format', 'csv'])).out).not.toContain('has the same result');
  const other = newUser();
  await other.run(['init', '--from', '-', '--expander', 'rules'], {}, markdown);
  const goals = async ({ run }: typeof user) =>
    (await run(['tree', '--json'])).json().goals as readonly unknown[];
  expect(await goals(other)).toHaveLength((await goals(user)).length);
});

test('a result that is named by the link pass and comes first anyway is no finding', async () => {
  const user = await newPlace();
  const { questions } = (await user.run(['ask', '--kind', 'link', '--json'])).json() as {
    questions: readonly { goal: string; question: string }[];
  };
  const needs = ['1.1', '1.2', '2.1', '2.2', '2.3', '3'].map((goal) => ({
    goal,
    on: goal === '2.3' ? ['2.1', '2.2'] : goal === '2.2' ? ['2.1'] : [],
  }));
  const answer = JSON.stringify({ answers: [{ kind: 'link', ...questions[0], needs, missing: [] }] });
  expect((await user.run(['answer', '--from', '-'], {}, answer)).status).toBe(0);
  expect((await user.run(['check'])).out).not.toContain('REDUNDANT');
  expect((await user.run(['dependencies', 'check'])).out).toContain('2.1');
});

test('the document has each finding with its goal, number and others, and how many there are', async () => {
  const user = await newPlace();
  const { plan, findings, total, ...rest } = (await user.run(['check', '--json'])).json() as {
    plan: { id: string };
    findings: readonly Record<string, unknown>[];
    total: number;
  };
  expect(rest).toEqual({});
  expect(total).toBe(4);
  const goals = (await user.run(['tree', '--json'])).json().goals as readonly {
    id: string;
    number: string;
  }[];
  const idOf = (number: string) => goals.find((goal) => goal.number === number)?.id;
  expect(findings.map(({ code, goal, number, goals: others }) => [code, goal, number, others])).toEqual([
    ['DUPLICATE_LEAF', idOf('1.1'), '1.1', [idOf('2.1')]],
    ['VAGUE_LEAF', idOf('1.2'), '1.2', []],
    ['NO_CHECK', idOf('1.2'), '1.2', []],
    ['REDUNDANT', idOf('2.3'), '2.3', [idOf('2.1'), idOf('2.2')]],
  ]);
  expect(plan.id).toMatch(/^[0-9a-f]{8}$/);
});

test.each([
  ['VAGUE_LEAF', 1],
  ['no_check , MISSING_RESULT', 1],
  ['any', 1],
  ['WIDE_WAIT,STALE_DECISION', 0],
  ['VAGUE', 2],
  ['', 2],
])('--fail-on %j ends with %i', async (codes, status) => {
  const user = await newPlace();
  expect((await user.run(['check', '--fail-on', codes])).status).toBe(status);
});

test('a plan in which nothing looks wrong says so, also with --fail-on any', async () => {
  const user = newUser();
  await user.run(['init', 'Bring the shop to the new town', '--expander', 'agent', '--no-link']);
  const answer = { goal: 'root', atomic: true };
  await user.run(['answer', '--from', '-'], {}, JSON.stringify(answer));
  await user.run(['edit', 'root', '--acceptance', 'Ana has bought bread there']);
  const { out, status } = await user.run(['check', '--fail-on', 'any']);
  expect([out, status]).toEqual(['Nothing looks wrong.\n', 0]);
});

test('a choice that was changed afterwards is found in the words of goals, until it is undone', async () => {
  const user = newUser();
  await user.run([
    'init',
    'Build the site of a shop',
    '--expander',
    'agent',
    '--no-link',
    '--decide',
    'framework=Django',
  ]);
  const sub_goals = [
    { description: 'Write the models in Django', atomic: true, acceptance: ['Ten orders are stored'] },
    { description: 'Show the shop to the first guest', atomic: true, acceptance: ['Ana has bought bread'] },
  ];
  const answer = JSON.stringify({ goal: 'root', atomic: false, sub_goals });
  await user.run(['answer', '--from', '-'], {}, answer);
  const codes = async () =>
    (
      (await user.run(['check', '--json'])).json().findings as readonly { code: string; number: string }[]
    ).map(({ code, number }) => `${code} ${number}`);
  expect(await codes()).toEqual([]);
  const { error } = await user.run(['decide', 'root', 'framework', 'FastAPI']);
  expect(error).toMatch(/^1 “.*Django” still says “Django”; framework is FastAPI now\n.*plan replan 1 /mu);
  // Another decision says nothing of it, nor does a quick look, which does not read the history.
  expect((await user.run(['decide', 'root', 'database', 'SQLite'])).error).toBe('');
  await user.run(['undo', '--yes']);
  expect(await codes()).toEqual(['STALE_DECISION 1']);
  expect((await user.run(['status'])).out).not.toContain('STALE_DECISION');
  await user.run(['undo', '--yes']);
  expect(await codes()).toEqual([]);
});

test('a choice that replaces another for a part names the goals of that part, and counts those it does not show', async () => {
  const user = newUser();
  await user.run(['init', 'Build the site', '--decide', 'framework=Django']);
  for (const part of ['The shop', 'The diary']) await user.run(['add', part]);
  const pages = Array.from({ length: 7 }, (_, index) => `Page ${index + 1} with Django`);
  for (const page of pages) await user.run(['add', page, '--under', '1']);
  await user.run(['add', 'Diary with Django', '--under', '2']);
  const { stale } = (await user.run(['decide', '1', 'framework', 'FastAPI', '--json'])).json() as {
    stale: readonly { number: string }[];
  };
  expect(stale.map(({ number }) => number)).toEqual(pages.map((_, index) => `1.${index + 2}`));
  const { error } = await user.run(['decide', '1', 'framework', 'Flask']);
  expect(error).toBe('');
  await user.run(['undo', '--yes']);
  await user.run(['undo', '--yes']);
  const told = (await user.run(['decide', '1', 'framework', 'Flask'])).error;
  expect(told).toContain('1.2 “Page 1 with Django” still says “Django”');
  expect(told).toContain('… and 2 more; `plan check` lists them.');
  expect(told).not.toContain('Diary');
});

test('init from a document tells one finding of each kind, and where the others are', async () => {
  const user = newUser();
  const epic = fileURLToPath(new URL('../fixtures/documents/export-epic.md', import.meta.url));
  const { error } = await user.run(['init', '--from', epic, '--expander', 'rules']);
  expect(error).toMatch(
    /\n3 findings \(`plan check` shows all, with what to do\)\n {2}- .*\n {2}- no goal below root .* \(and 1 more like it\)\n`plan next`/,
  );
});

test('status, show and MCP tell in short what check finds; of a list by hand without checks they say nothing', async () => {
  const user = await newPlace();
  const status = await user.run(['status']);
  expect(status.out).toContain('4 findings (`plan check` shows all, with what to do)');
  expect(status.out).toContain('  - 1.1 “Create the login form” has the same result as 2.1');
  const { findings } = (await user.run(['status', '--json'])).json() as {
    findings: { total: number; codes: unknown; first: readonly { code: string; number: string }[] };
  };
  expect(findings).toMatchObject({
    total: 4,
    codes: { DUPLICATE_LEAF: 1, VAGUE_LEAF: 1, NO_CHECK: 1, REDUNDANT: 1 },
  });
  expect(findings.first.map(({ code, number }) => `${code} ${number}`)).toEqual([
    'DUPLICATE_LEAF 1.1',
    'VAGUE_LEAF 1.2',
    'NO_CHECK 1.2',
  ]);
  expect((await user.run(['show', '2.1'])).out).toContain('has the same result as');
  expect((await user.run(['show', '3', '--json'])).json()).not.toHaveProperty('findings');
  const host = await startMcp(user, '2025');
  onTestFinished(() => host.close());
  const { problems } = (await host.call('plan_status', { plan: 'Bring the shop' })).document;
  expect(problems).toContainEqual(expect.stringMatching(/^DUPLICATE_LEAF: 1\.1 /));
  expect((await host.call('plan_show', { check: true, goal: '2.1' })).text).toMatch(
    /^DUPLICATE_LEAF .*\nREDUNDANT .*$/,
  );
  expect((await host.call('plan_show', { check: true, goal: '3' })).text).toBe('Nothing looks wrong.');

  const list = newUser();
  await list.run(['init', 'Move house', '--no-decompose']);
  await list.run(['add', 'Pack the boxes']);
  expect((await list.run(['status', '--json'])).json()).not.toHaveProperty('findings');
});
