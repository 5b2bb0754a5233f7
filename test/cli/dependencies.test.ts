import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';

import type { EventPayload } from '../../src/plan/events.js';
import { countTokens } from '../../src/llm/spend/tokens.js';
import { unquote } from '../../src/llm/quote.js';
import type { Ended } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';
import type { ModelServer, ModelServerOptions, SeenRequest } from '../support/model-server.js';
import { id, newWorkplace } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const reportSchema = z.looseObject({
  dependencies: z.array(
    z.looseObject({ goal: z.string(), on: z.string(), reason: z.string(), refused: z.string().nullable() }),
  ),
  applied: z.boolean(),
  pairs: z.object({ asked: z.number(), left_out: z.number() }),
  usage: z.looseObject({ calls: z.number() }),
});
const reportOf = (ended: Ended) => reportSchema.parse(ended.json());

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function model(options: ModelServerOptions): Promise<Record<string, string>> {
  server = await startModelServer(options);
  return { OPENAI_BASE_URL: server.baseUrl };
}

const LEAVES: Readonly<Record<string, readonly [suffix: string, description: string][]>> = {
  data: [
    ['schema', 'Define the <schema> of the ledger'],
    ['seed', 'Write seed data'],
  ],
  jobs: [
    ['import', 'Import rows into the ledger by its schema'],
    ['report', 'Report the ledger'],
  ],
};

async function ledgerPlan(): Promise<Workplace> {
  const place = await newWorkplace();
  const newGoal = (suffix: string, description: string, atomic: boolean) => ({
    id: id(suffix),
    description,
    atomic,
    reasoning: null,
    dependencies: [],
  });
  const expanded = (
    goal: string,
    subs: readonly (readonly [string, string])[],
    atomic: boolean,
  ): EventPayload => ({
    type: 'goal_expanded',
    goal: id(goal),
    atomic: false,
    reasoning: null,
    sub_goals: subs.map(([suffix, description]) => newGoal(suffix, description, atomic)),
  });
  await place.change(
    expanded(
      'root',
      [
        ['data', 'Model the data'],
        ['jobs', 'Build the jobs'],
      ],
      false,
    ),
    ...Object.entries(LEAVES).map(([goal, subs]) => expanded(goal, subs, true)),
  );
  return place;
}

/** The number that a goal has in a question. */
function numberIn(request: SeenRequest, goal: string): number {
  const lines = unquote(/<goals>([^<]*)<\/goals>/.exec(request.user)?.[1] ?? '').split('\n');
  return Number.parseInt(lines.find((line) => line.endsWith(goal)) ?? '', 10);
}

const between = (request: SeenRequest, goal: string, on: string, reason: string) => ({
  goal: numberIn(request, goal),
  on: numberIn(request, on),
  reason,
});

const SCHEMA = 'Define the <schema> of the ledger';
const IMPORT = 'Import rows into the ledger by its schema';

describe('plan dependencies infer', () => {
  test('shows what the model sees with its reason, and changes nothing', async () => {
    const place = await ledgerPlan();
    const environment = await model({
      respond: (request) => ({ dependencies: [between(request, IMPORT, SCHEMA, 'It writes the tables.')] }),
    });
    const ended = await place.run(['dependencies', 'infer'], environment);
    expect(ended.out).toContain('needs 1.1 Define the <schema> of the ledger\n  It writes the tables.');
    expect(ended.error).toContain(
      '1 dependency found; --apply makes what is found part of the plan. asked about',
    );
    const { plan } = await place.open();
    expect(plan.goals.get(id('import'))?.dependencies).toEqual([]);
    expect(plan.header.usage?.calls).toBe(1);
    const [request] = server?.requests ?? [];
    expect(request?.goal).toBe('Ship the product');
    expect(request?.user).toContain(`Build the jobs › ${IMPORT}`);
    expect(request?.body.response_format).toMatchObject({ json_schema: { name: 'dependencies' } });
  });

  test('applies what is found as one change that says why', async () => {
    const place = await ledgerPlan();
    const environment = await model({
      respond: (request) => ({ dependencies: [between(request, IMPORT, SCHEMA, 'It writes the tables.')] }),
    });
    const report = reportOf(await place.run(['dependencies', 'infer', '--apply', '--json'], environment));
    expect(report).toMatchObject({ applied: true, usage: { calls: 1 }, pairs: { asked: 4, left_out: 0 } });
    const log = await place.open();
    expect(log.plan.goals.get(id('import'))?.dependencies).toEqual([id('schema')]);
    expect(log.plan.header.usage?.calls).toBe(1);
    expect((await log.events()).at(-1)).toMatchObject({
      type: 'dependencies_changed',
      changes: [{ goal: id('import'), add: [id('schema')], because: 'It writes the tables.' }],
    });
  });

  test('takes nothing that would close a circle or follows already', async () => {
    const place = await ledgerPlan();
    await place.change({
      type: 'dependencies_changed',
      changes: [
        { goal: id('seed'), add: [id('schema')], remove: [] },
        { goal: id('report'), add: [id('import')], remove: [] },
      ],
    });
    const environment = await model({
      respond: (request) => ({
        dependencies: [
          between(request, IMPORT, 'Write seed data', 'It reads them.'),
          between(request, IMPORT, SCHEMA, 'Follows by way of the seed data.'),
          between(request, 'Write seed data', 'Report the ledger', 'Round about.'),
        ],
      }),
    });
    const report = reportOf(await place.run(['dependencies', 'infer', '--apply', '--json'], environment));
    expect(report.dependencies.map(({ refused }) => refused)).toEqual([
      null,
      'it follows from others already',
      expect.stringContaining('wait for each other'),
    ]);
    const { plan } = await place.open();
    expect(plan.goals.get(id('import'))?.dependencies).toEqual([id('seed')]);
    expect(plan.goals.get(id('seed'))?.dependencies).toEqual([id('schema')]);
  });

  test('asks within its limit of tokens, the likeliest pairs first, and says what was left out', async () => {
    const place = await ledgerPlan();
    const environment = await model({ respond: () => ({ dependencies: [] }) });
    const none = reportOf(
      await place.run(['dependencies', 'infer', '--max-tokens', '100', '--json'], environment),
    );
    expect(none).toMatchObject({ pairs: { asked: 0, left_out: 4 }, usage: { calls: 0 } });
    await place.run(['dependencies', 'infer'], environment);
    const whole = server?.requests[0];
    const limit = (await countTokens(`${whole?.system ?? ''}\n${whole?.user ?? ''}`)) - 1;
    const few = reportOf(
      await place.run(['dependencies', 'infer', '--max-tokens', String(limit), '--json'], environment),
    );
    expect(few.pairs.asked).toBeGreaterThan(0);
    expect(few.pairs.asked + few.pairs.left_out).toBe(4);
    expect(few.pairs.left_out).toBeGreaterThan(0);
    expect(server?.requests[1]?.user).toContain(IMPORT);
  });

  test('sends a reply back that names a pair which was not asked about', async () => {
    const place = await ledgerPlan();
    const environment = await model({
      respond: ({ number }) => ({ dependencies: number === 1 ? [{ goal: 1, on: 99, reason: 'r' }] : [] }),
    });
    const report = reportOf(await place.run(['dependencies', 'infer', '--json'], environment));
    expect(report).toMatchObject({ dependencies: [], usage: { calls: 2 } });
    expect(server?.requests[1]?.user).toContain('no pair that was listed');
  });

  test('without a model ends with exit 2 and names the cure; with one that fails, with exit 5', async () => {
    const place = await ledgerPlan();
    const ended = await place.run(['dependencies', 'infer', '--json']);
    expect(ended.status).toBe(2);
    expect(ended.json()).toMatchObject({
      error: { code: 'INVALID_CONFIG', hint: expect.stringContaining('OPENAI') },
    });
    const environment = await model({ faults: () => ({ kind: 'status', status: 401 }) });
    expect((await place.run(['dependencies', 'infer', '--json'], environment)).status).toBe(5);
  });
});

describe('plan dependencies link', () => {
  const respond = () => ({
    needs: { '1.1': [], '1.2': ['1.1'], '2.1': ['1.1', '7'], '2.2': ['2.1'] },
    missing: [{ what: 'An account at the bank', used_by: ['2.1'] }],
  });

  test('asks once about all leaves, shows what that comes to, and changes nothing', async () => {
    const place = await ledgerPlan();
    const environment = await model({ respond });
    const ended = await place.run(['dependencies', 'link'], environment);
    expect(ended.out).toBe(
      '+ 1.2 needs 1.1\n+ 2.1 needs 1.1\n+ 2.2 needs 2.1\n? no goal makes: An account at the bank\n',
    );
    expect(ended.error).toContain('a leaf that is not in the plan');
    expect(ended.error).toContain('longest chain 1 → 3 · can start 4 → 1');
    const [request] = server?.requests ?? [];
    expect(request?.user).toContain('2.1 [Build the jobs] Import rows into the ledger');
    expect(request?.body.response_format).toMatchObject({ json_schema: { name: 'link' } });
    const { plan } = await place.open();
    expect(plan.goals.get(id('import'))?.dependencies).toEqual([]);
    expect(plan.header).toMatchObject({ usage: { calls: 1 } });
    expect(plan.header.linked).toBeUndefined();
  });

  test('applies it as one change, which undo takes back', async () => {
    const place = await ledgerPlan();
    const environment = await model({ respond });
    await place.run(['dependencies', 'link', '--apply'], environment);
    const { plan } = await place.open();
    expect(plan.goals.get(id('import'))?.dependencies).toEqual([id('schema')]);
    expect(plan.header.linked?.missing).toEqual([
      { what: 'An account at the bank', used_by: [id('import')] },
    ]);
    expect((await place.run(['undo', '--yes'])).status).toBe(0);
    expect((await place.open()).plan.goals.get(id('import'))?.dependencies).toEqual([]);
  });

  test('prose costs the question, and leaves the plan as it was', async () => {
    const place = await ledgerPlan();
    const environment = await model({ respond: () => 'First do the schema, then the rest.' });
    const ended = await place.run(['dependencies', 'link', '--apply'], environment);
    expect(ended.status).not.toBe(0);
    const { plan } = await place.open();
    expect(plan.header.usage?.calls).toBeGreaterThan(0);
    expect([...plan.goals.values()].flatMap(({ dependencies }) => dependencies)).toEqual([]);
  });

  test('a plan with goals to plan is refused before anything is asked', async () => {
    const place = await newWorkplace();
    const environment = await model({ respond });
    const ended = await place.run(['dependencies', 'link'], environment);
    expect(ended.status).toBe(4);
    expect(server?.requests).toEqual([]);
  });
});
