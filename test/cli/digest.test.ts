import { writeFileSync } from 'node:fs';

import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';

import { digest } from '../../src/cli/render/work/digest.js';
import { quantityOf } from '../../src/kernel/text/quantity-of.js';
import type { Ended } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';
import type { ModelServer, ModelServerOptions } from '../support/model-server.js';
import { readFixture } from '../support/plans.js';
import { complete, expand, id, newWorkplace } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const reportSchema = z.looseObject({
  digests: z.array(
    z.looseObject({
      goal: z.string(),
      number: z.string(),
      digest: z.looseObject({
        summary: z.string(),
        key_decisions: z.array(z.string()),
        artifacts: z.array(z.string()),
        compression_ratio: z.number().optional(),
        fidelity_score: z.number().optional(),
      }),
      made_by: z.enum(['model', 'extraction']).nullable(),
      facts: z.number().nullable(),
      missing: z.array(z.object({ kind: z.string(), text: z.string() })),
    }),
  ),
  without: z.array(z.looseObject({ goal: z.string() })),
  notices: z.array(z.string()),
});

const reportOf = (ended: Ended) => reportSchema.parse(ended.json());

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function model(options: ModelServerOptions): Promise<Record<string, string>> {
  server = await startModelServer(options);
  return { OPENAI_BASE_URL: server.baseUrl };
}

async function digestOf(place: Workplace, goal: string) {
  return (await place.open()).plan.goals.get(id(goal))?.digest;
}

/** Two leaves below the root, nothing of them done. */
async function twoLeaves(): Promise<Workplace> {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']));
  return place;
}

/** More than a digest can hold. */
const LONG = readFixture('digests/postmortem-checkout.md');

/** A digest of it that keeps more than sentences of it within the limits do. */
const BETTER = {
  summary: LONG.split(/\s+/).slice(0, 98).join(' '),
  key_decisions: LONG.split(/(?<=[.!?])\s+/)
    .filter((sentence) => !/(?:^|\n)\d\.$/.test(sentence))
    .slice(5, 25),
  artifacts: [],
};

const RESULT_A = [
  '--summary',
  'Sessions end after 30 minutes. They are not stored in the browser.',
  '--decision',
  'Chose RS256 over HS256',
  '--artifact',
  'auth/jwt.py',
];

describe('completing a goal', () => {
  test('digests it and, with the last child, the goals above it, without a model or a network', async () => {
    const place = await twoLeaves();
    await place.run(['complete', 'a', ...RESULT_A]);
    expect(await digestOf(place, 'a')).toMatchObject({
      summary: 'Sessions end after 30 minutes. They are not stored in the browser.',
      key_decisions: ['Chose RS256 over HS256'],
      artifacts: ['auth/jwt.py'],
      compression_ratio: 1,
      fidelity_score: 1,
    });
    expect(await digestOf(place, 'root')).toBeNull();
    await place.run(['complete', 'b', '--summary', 'Login page done in 3 days.']);
    expect(await digestOf(place, 'root')).toMatchObject({
      summary:
        'Sessions end after 30 minutes. They are not stored in the browser. Login page done in 3 days.',
      key_decisions: ['Chose RS256 over HS256'],
      artifacts: ['auth/jwt.py'],
      fidelity_score: 1,
    });
  });

  test('never waits for a model: one that never answers is not asked', async () => {
    const place = await twoLeaves();
    const environment = await model({ faults: () => ({ kind: 'stall' }) });
    writeFileSync(`${place.folder}/report.md`, LONG);
    const ended = await place.run(['complete', 'a', '--from', 'report.md', '--json'], environment);
    expect(ended.status).toBe(0);
    expect(server?.count).toBe(0);
    expect((await digestOf(place, 'a'))?.fidelity_score).toBeLessThan(1);
    // What it has lost is told while it can still be said better.
    const { notices } = z.looseObject({ notices: z.array(z.string()) }).parse(ended.json());
    expect(notices).toEqual([
      expect.stringMatching(/^the digest keeps \d+ of \d+ facts of what was submitted/),
    ]);
    expect(ended.error).toBe(`${notices.join('')}\n`);
    const last = await place.run(['complete', 'b', '--summary', 'Login page done in 3 days.'], environment);
    expect(last.status).toBe(0);
    expect(server?.count).toBe(0);
    expect((await digestOf(place, 'root'))?.summary).toContain('Login page done in 3 days.');
  });

  test('of JSON that has no member of a result is its text', async () => {
    const place = await twoLeaves();
    writeFileSync(`${place.folder}/report.json`, JSON.stringify({ summray: 'Login page done in 3 days.' }));
    expect((await place.run(['complete', 'a', '--from', 'report.json'])).status).toBe(0);
    expect(JSON.stringify(await digestOf(place, 'a'))).toContain('Login page done in 3 days.');
  });

  test('names the decisions that the digest has lost, also where they differ in a number from one that it keeps', async () => {
    const place = await twoLeaves();
    const named = Array.from({ length: 30 }, (_, index) => [
      '--decision',
      `Service number ${index} listens on port ${8000 + index} behind the proxy of its own zone, with lib-${index} as the library that speaks its protocol`,
    ]).flat();
    const ended = await place.run(['complete', 'a', '--summary', 'All ports are set.', ...named]);
    expect(ended.status).toBe(0);
    const kept = (await digestOf(place, 'a'))?.key_decisions ?? [];
    expect(kept.length).toBeLessThan(20);
    const lost = named.filter((text) => text !== '--decision' && !kept.includes(text));
    expect(ended.error).toContain(`and not ${lost.length} decisions: ${lost[0]?.slice(0, 90)}`);
    expect(ended.error).toContain('(shorter ones, one a --decision "…", fit)');
  });

  test('says that it is done before it asks a model that was asked for, and is kept whatever comes of that', async () => {
    const place = await twoLeaves();
    const environment = await model({ faults: () => ({ kind: 'stall' }) });
    writeFileSync(`${place.folder}/report.md`, LONG);
    const running = place.start(['complete', 'a', '--from', 'report.md', '--expander', 'model'], environment);
    let out = '';
    running.process.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    const isAsking = () => out.includes('Completed') && server?.count === 1;
    while (!isAsking()) await new Promise((resolve) => setTimeout(resolve, 5));
    running.process.kill('SIGKILL');
    await running.ended;
    expect((await place.open()).plan.goals.get(id('a'))).toMatchObject({
      status: 'complete',
      digest: { summary: expect.any(String) },
    });
  });

  test('with a model that was asked for keeps the extracted digest first and then the better one', async () => {
    const reply = { summary: LONG.split(/\s+/).slice(0, 98).join(' '), key_decisions: [], artifacts: [] };
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    const environment = await model({ respond: () => reply });
    writeFileSync(`${place.folder}/report.md`, LONG);
    const args = ['complete', 'a', '--from', 'report.md', '--expander', 'model', '--json'];
    expect((await place.run(args, environment)).status).toBe(0);
    const events = (await (await place.open()).events()).filter(({ type }) => type.startsWith('goal_'));
    expect(
      events.map((event) => (event.type === 'goal_digested' ? event.made_by : event.type)).slice(0, 4),
    ).toEqual(['goal_expanded', 'goal_completed', 'extraction', expect.stringMatching(/model|extraction/)]);
    const { plan } = await place.open();
    expect(server?.count).toBeGreaterThan(0);
    expect(plan.header.usage?.calls).toBe(server?.count);
    expect(plan.goals.get(id('a'))?.usage?.calls).toBe(1);
  });

  test('is never undone by a model that was asked for and fails; a notice says so', async () => {
    const place = await twoLeaves();
    const environment = await model({ faults: () => ({ kind: 'status', status: 401 }) });
    writeFileSync(`${place.folder}/report.md`, LONG);
    const args = ['complete', 'a', '--from', 'report.md', '--expander', 'model', '--json'];
    const ended = await place.run(args, environment);
    expect(ended.status).toBe(0);
    const { notices } = z.looseObject({ notices: z.array(z.string()) }).parse(ended.json());
    expect(notices.join('\n')).toContain('HTTP 401');
    expect((await digestOf(place, 'a'))?.summary).not.toBe('');
  });

  test('asks nobody about work whose digest has lost nothing', async () => {
    const place = await twoLeaves();
    const environment = await model({});
    await place.run(['complete', 'a', ...RESULT_A, '--expander', 'model'], environment);
    expect(await digestOf(place, 'a')).toMatchObject({ fidelity_score: 1 });
    expect(server?.count).toBe(0);
  });
});

describe('plan digest', () => {
  test('makes what is missing from the leaves up, and says what nothing was submitted with', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', [], ['x', 'y']), expand('x', ['a', 'b']), expand('y', ['c']));
    await place.change(
      { ...complete('a'), result: { summary: 'Cache holds 500 entries.' } },
      { ...complete('b'), result: { text: 'Never evicts.' } },
      complete('c'),
    );
    const report = reportOf(await place.run(['digest', '--json']));
    expect(new Set(report.digests.map(({ goal }) => goal))).toEqual(
      new Set(['root', 'x', 'a', 'b', 'y'].map(id)),
    );
    expect(report.without.map(({ goal }) => goal)).toEqual([id('c')]);
    expect(await digestOf(place, 'root')).toMatchObject({
      summary: expect.stringContaining('Cache holds 500 entries. Never evicts.'),
      fidelity_score: 1,
    });
    const again = await place.run(['digest']);
    expect(again).toMatchObject({
      status: 0,
      error: '1 goal finished with nothing submitted, and no digest.\n',
    });
  });

  test('shows a digest with what it has lost, measured anew from the log', async () => {
    const place = await twoLeaves();
    const text = readFixture('digests/design-job-queue.md');
    await place.change({
      ...complete('a'),
      result: { text },
      digest: { summary: 'A queue.', key_decisions: [], artifacts: [], fidelity_score: 0.99 },
    });
    const [shown] = reportOf(await place.run(['digest', 'a', '--json'])).digests;
    expect(shown).toMatchObject({ goal: id('a'), made_by: null });
    expect(shown?.missing).toHaveLength(shown?.facts ?? -1);
    const refreshed = reportOf(await place.run(['digest', 'a', '--refresh', '--json'])).digests[0];
    expect(refreshed).toMatchObject({ made_by: 'extraction' });
    expect(refreshed?.digest.compression_ratio).toBeLessThan(0.5);
    expect(refreshed?.digest.fidelity_score).toBe(
      Math.floor((1 - (refreshed?.missing.length ?? 0) / (refreshed?.facts ?? 1)) * 1000) / 1000,
    );
    const { out } = await place.run(['digest', 'a']);
    expect(out).toContain('lost');
    expect(out).toMatch(/4\d % of its source · fidelity 0\.\d+ \(\d+ of \d+ facts\)/);
  });

  test('asks a model once about what was completed without one, and what is above gains from it', async () => {
    const place = await twoLeaves();
    writeFileSync(`${place.folder}/report.md`, LONG);
    await place.run(['complete', 'a', '--from', 'report.md']);
    await place.run(['complete', 'b', '--summary', 'Login page done in 3 days.']);
    const [before, above] = [await digestOf(place, 'a'), await digestOf(place, 'root')];
    const environment = await model({ respond: () => BETTER });
    const [made] = reportOf(await place.run(['digest', 'a', '--json'], environment)).digests;
    expect(made).toMatchObject({ made_by: 'model', digest: { summary: BETTER.summary } });
    expect(made?.digest.fidelity_score).toBeGreaterThan(before?.fidelity_score ?? 1);
    expect(server?.requests.map(({ goal }) => goal)).toEqual(['Goal a']);
    expect(await digestOf(place, 'root')).not.toEqual(above);
    await place.run(['digest'], environment);
    const asked = server?.count ?? 0;
    expect((await place.open()).plan.header.usage?.calls).toBe(asked);
    await place.run(['digest'], environment);
    expect(server?.count).toBe(asked);
    await place.run(['digest', '--refresh', '--expander', 'rules'], environment);
    expect(server?.count).toBe(asked);
  });

  test('by a model stays although sentences of the source hold more facts, until something else was submitted', async () => {
    const place = await twoLeaves();
    writeFileSync(`${place.folder}/report.md`, LONG);
    await place.run(['complete', 'a', '--from', 'report.md']);
    const before = await digestOf(place, 'a');
    const own = { summary: LONG.split(/\s+/).slice(0, 30).join(' '), key_decisions: [], artifacts: [] };
    const environment = await model({ respond: () => own });
    await place.run(['digest', 'a'], environment);
    const kept = await digestOf(place, 'a');
    expect(kept).toMatchObject({ summary: own.summary });
    expect(kept?.fidelity_score).toBeLessThan(before?.fidelity_score ?? 0);
    await place.run(['digest', 'a', '--refresh', '--expander', 'rules'], environment);
    expect(await digestOf(place, 'a')).toEqual(kept);
    await place.run(['reopen', 'a']);
    await place.run(['complete', 'a', '--summary', 'Another account of it.']);
    expect(await digestOf(place, 'a')).toMatchObject({ summary: 'Another account of it.' });
  });

  test('asks again where the model could not be reached', async () => {
    const place = await twoLeaves();
    writeFileSync(`${place.folder}/report.md`, LONG);
    await place.run(['complete', 'a', '--from', 'report.md']);
    const broken = await model({ faults: () => ({ kind: 'status', status: 401 }) });
    expect((await place.run(['digest'], broken)).status).toBe(0);
    const calls = server?.count ?? 0;
    expect(calls).toBeGreaterThan(0);
    expect((await place.open()).plan.header.usage?.calls).toBe(calls);
    await place.run(['digest'], broken);
    expect(server?.count).toBeGreaterThan(calls);
  });

  test('keeps the digest that is there where no better one is made', async () => {
    const place = await twoLeaves();
    writeFileSync(`${place.folder}/report.md`, LONG);
    await place.run(['complete', 'a', '--from', 'report.md']);
    const before = await digestOf(place, 'a');
    const environment = await model({
      respond: () => ({ summary: 'Sessions.', key_decisions: [], artifacts: [] }),
    });
    const report = reportOf(await place.run(['digest', 'a', '--refresh', '--json'], environment));
    expect(report.digests[0]?.digest.fidelity_score).toBe(before?.fidelity_score);
    expect(await digestOf(place, 'a')).toEqual(before);
    const { plan } = await place.open();
    expect(plan.header.usage?.calls).toBe(2);
  });

  test('of a goal that is not finished is refused', async () => {
    const place = await twoLeaves();
    const ended = await place.run(['digest', 'b', '--json']);
    expect(ended.status).toBe(4);
    expect(ended.json()).toMatchObject({ error: { code: 'WRONG_STATE' } });
  });

  test('by a model that was asked for and fails ends with the model’s error; what was extracted stays', async () => {
    const place = await twoLeaves();
    await place.change({ ...complete('a'), result: { text: LONG } });
    const environment = await model({ faults: () => ({ kind: 'status', status: 401 }) });
    const ended = await place.run(['digest', 'a', '--expander', 'model', '--json'], environment);
    expect(ended.status).toBe(5);
    expect((await digestOf(place, 'a'))?.summary).not.toBe('');
  });

  test('is recorded and replayed', async () => {
    const place = await twoLeaves();
    await place.change({ ...complete('a'), result: { text: LONG } });
    const environment = await model({ respond: () => BETTER });
    await place.run(['digest', 'a', '--record', 'answers.jsonl'], environment);
    await server?.close();
    const report = reportOf(
      await place.run(['digest', 'a', '--refresh', '--replay', 'answers.jsonl', '--json']),
    );
    expect(report.digests[0]).toMatchObject({ made_by: 'model', digest: { summary: BETTER.summary } });
  });
});

test('a digest that is longer than its source has no share of it, and numbers are grouped alike', () => {
  const shown = (compression_ratio: number) =>
    digest.render(
      {
        digests: [
          {
            goal: 'a',
            number: '1',
            description: 'Dig',
            digest: { summary: 'Dug', key_decisions: [], artifacts: [], compression_ratio },
            made_by: null,
            facts: null,
            missing: [],
          },
        ],
        without: [],
        notices: [],
      } as never,
      { terminal: { colors: { bold: String, dim: String, yellow: String }, tell: () => undefined } } as never,
    );
  expect(shown(1.01)).toContain('longer than its source');
  expect(shown(1)).toContain('100 % of its source');
  expect([quantityOf(2887, 'token'), quantityOf(999, 'token')]).toEqual(['2,887 tokens', '999 tokens']);
});
