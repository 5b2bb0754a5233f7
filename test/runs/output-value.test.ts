import { describe, expect, test } from 'vitest';

import { agree, carryOut, newPlace } from '../support/approving.js';
import { startServer } from '../support/http-server.js';

const printing = (value: unknown) => [
  process.execPath,
  '-e',
  'console.log(process.argv[1])',
  JSON.stringify(value),
];
const ITEMS = { items: [{ text: 'one' }, { text: 'two' }], truncated: true };
const TOOLS = {
  tools: [
    { name: 'parse', effects: 'none', run: { command: printing(ITEMS), output: 'value' } },
    { name: 'told', effects: 'none', run: { command: printing(ITEMS), output: 'json' } },
    { name: 'plain', effects: 'none', run: { command: printing(ITEMS) } },
    { name: 'words', effects: 'none', run: { command: ['echo', 'no', 'JSON'], output: 'value' } },
    { name: 'note.write', run: { file: 'write' } },
  ],
};

async function carriedOut(steps: readonly object[], tools: object = TOOLS) {
  const place = await newPlace({ schema_version: '1.0', title: 'Values', steps }, JSON.stringify(tools));
  const { run, approval } = await place.workspace.prepare('plan.json', {});
  if (approval !== null) await agree(place.workspace, approval.code);
  await carryOut(place.workspace, run);
  return place.workspace.runs.show(run);
}

const refusal = async (steps: readonly object[]) => {
  const place = await newPlace({ schema_version: '1.0', title: 'Values', steps }, JSON.stringify(TOOLS));
  return place.workspace.prepare('plan.json', {}).then(
    () => null,
    (thrown: {
      readonly details: { readonly rule: string };
      readonly hint: string;
      readonly message: string;
    }) => thrown,
  );
};
const writing = (text: string, more: object = {}) => ({
  id: 'w',
  tool: 'note.write',
  args: { path: 'n-${i}.md', text },
  ...more,
});
const each = (from: string) => ({ foreach: { from, item_name: 'it', index_name: 'i' } });

describe('the JSON that a program prints is the output itself', () => {
  test('a foreach runs over a list in it, as the references of plans have it', async () => {
    const shown = await carriedOut([
      { id: 'parseBullets', tool: 'parse', args: {} },
      writing('${it.text}', each('$steps.parseBullets.items')),
    ]);
    expect(shown).toMatchObject({ status: 'succeeded', counts: { succeeded: 4 } });
    expect(shown.steps.find(({ step }) => step === 'w')?.items).toEqual({ succeeded: 2 });
  });

  test('what prints none has failed', async () => {
    const shown = await carriedOut([{ id: 'a', tool: 'words', args: {} }]);
    expect(shown).toMatchObject({ status: 'failed', steps: [{ error: { code: 'OUTPUT_INVALID' } }] });
  });
});

test('JSON of which only the beginning was kept fails its step and says how long it is', async () => {
  const server = await startServer((_asked, response) => {
    response.end(JSON.stringify('x'.repeat(5000)));
  });
  const cut = { max_output: 1000, output: 'value' };
  const tools = {
    tools: [
      { name: 'program', effects: 'none', run: { command: printing('x'.repeat(5000)), ...cut } },
      { name: 'server', effects: 'none', run: { http: { method: 'GET', url: server.origin, ...cut } } },
    ],
  };
  for (const [tool, size] of [
    ['program', '5,003 bytes'],
    ['server', '1,000 bytes'],
  ] as const) {
    const { steps } = await carriedOut([{ id: 'a', tool, args: {} }], tools);
    expect(steps).toMatchObject([{ error: { code: 'OUTPUT_INVALID' } }]);
    expect(steps[0]?.error?.message).toContain(size);
    expect(steps[0]?.error?.message).toContain('`max_output`');
  }
});

describe('a reference to what an output can never have is refused before anything runs', () => {
  test.each([
    ['plain', '$steps.a.items', 'items'],
    ['told', '$steps.a.items', 'items'],
    ['plain', '$steps.a.text.items', 'items'],
    ['plain', '$steps.a.lines', 'lines'],
  ])('%s: %s', async (tool, from, key) => {
    const refused = await refusal([{ id: 'a', tool, args: {} }, writing('x', each(from))]);
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', details: { rule: 'UNREACHABLE_REFERENCE' } });
    expect(refused?.message).toContain(JSON.stringify(key));
    expect(refused?.hint).toContain('`output: value`');
  });

  test('what may be there is not', async () => {
    for (const [tool, from] of [
      ['told', '$steps.a.json.items'],
      ['parse', '$steps.a.nobody.knows'],
    ])
      expect(await refusal([{ id: 'a', tool, args: {} }, writing('x', each(from ?? ''))])).toBeNull();
  });
});

describe('the example of Plan-Lint’s documents', () => {
  const EXAMPLE = {
    goal: 'Send monthly account statement to user',
    steps: [
      {
        id: 'step1',
        tool: 'db.query_ro',
        parameters: {
          query: 'SELECT balance, email FROM accounts WHERE user_id = $1',
          args: ['user-123'],
        },
      },
      {
        id: 'step2',
        tool: 'notify.email',
        parameters: {
          to: '{{step1.result.email}}',
          subject: 'Your Monthly Statement',
          body: 'Your current balance is ${{step1.result.balance}}',
        },
        depends_on: ['step1'],
      },
    ],
    context: { user_id: 'user-123', month: 'January 2025' },
    meta: { planner: 'gpt-4o', created_at: '2025-01-01T00:00:00Z' },
  };
  const ACCOUNT = { balance: 12.5, email: 'ada@example.org' };

  async function mailsOf(query: (url: string) => object) {
    const server = await startServer(({ url }, response) => {
      // Not said to be JSON: the binding says it.
      response.end(url === '/mail' ? undefined : JSON.stringify(ACCOUNT));
    });
    const url = server.origin;
    const mail = { http: { method: 'POST', url: `${url}/mail`, body: '${args}', output: 'value' } };
    const tools = {
      tools: [
        { name: 'db.query_ro', effects: 'none', run: query(url) },
        { name: 'notify.email', run: mail },
      ],
    };
    const place = await newPlace(EXAMPLE, JSON.stringify(tools));
    const { run, approval } = await place.workspace.prepare('plan.json', {});
    await agree(place.workspace, approval?.code ?? '');
    expect(await carryOut(place.workspace, run)).toMatchObject({ status: 'succeeded' });
    return server.asked.filter((one) => one.url === '/mail').map(({ body }) => JSON.parse(body) as unknown);
  }

  test.each([
    ['a command', () => ({ command: printing(ACCOUNT), output: 'value' })],
    [
      'a request',
      (url: string) => ({ http: { method: 'POST', url: `${url}/query`, body: '${args}', output: 'value' } }),
    ],
  ])('runs word for word with %s', async (_what, query) => {
    expect(await mailsOf(query)).toEqual([
      { to: 'ada@example.org', subject: 'Your Monthly Statement', body: 'Your current balance is $12.5' },
    ]);
  });
});

test('a reference to a later step is resolved where the step depends on it', async () => {
  const write = {
    ...writing('$steps.b.items.0.text'),
    args: { path: 'n.md', text: '$steps.b.items.0.text' },
  };
  const later = { id: 'b', tool: 'parse', args: {} };
  const shown = await carriedOut([{ ...write, depends_on: ['b'] }, later]);
  expect(shown).toMatchObject({ status: 'succeeded' });
  expect(await refusal([write, later])).toMatchObject({ details: { rule: 'FORWARD_REFERENCE' } });
});
