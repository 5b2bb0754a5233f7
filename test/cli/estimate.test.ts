import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';

import { newUser, summaryOf } from '../support/command.js';
import type { Ended } from '../support/command.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import type { ModelServer } from '../support/model-server.js';

const rangeSchema = z.object({ low: z.number(), likely: z.number(), high: z.number() });
const reportSchema = z.looseObject({
  plan: z.looseObject({ id: z.string() }).nullable(),
  expander: z.string(),
  estimate: z.object({
    calls: rangeSchema,
    input_tokens: rangeSchema,
    output_tokens: rangeSchema,
    cost_usd: rangeSchema.nullable(),
    waiting_goals: z.number(),
    assumptions: z.array(z.string()),
  }),
});
const reportOf = (ended: Ended) => reportSchema.parse(ended.json());

const TREE = uniformTree(3, 4, 'Build the shop');
/** Goals of the tree that are divided: the calls that planning it takes. */
const DIVIDED = 1 + 4 + 16;

let server: ModelServer | undefined;
afterEach(() => server?.close());

async function modelled(): Promise<Record<string, string>> {
  server = await startModelServer({ tree: TREE });
  return { OPENAI_BASE_URL: server.baseUrl };
}

describe('plan estimate', () => {
  test('of a goal asks nothing and writes nothing, and its range holds what planning it takes', async () => {
    const user = newUser();
    const environment = await modelled();
    const report = reportOf(await user.run(['estimate', 'Build the shop', '--json'], environment));
    expect(server?.count).toBe(0);
    expect(existsSync(join(user.folder, '.plans'))).toBe(false);
    const { calls, input_tokens, output_tokens, cost_usd } = report.estimate;
    expect(calls.low).toBeLessThanOrEqual(DIVIDED);
    expect(calls.high).toBeGreaterThanOrEqual(DIVIDED);
    for (const range of [calls, input_tokens, output_tokens]) {
      expect(range.low).toBeLessThanOrEqual(range.likely);
      expect(range.likely).toBeLessThanOrEqual(range.high);
    }
    // The server is none whose prices are known.
    expect(cost_usd).toBeNull();
    expect(report.plan).toBeNull();
    expect(report.estimate.assumptions.join('\n')).toContain('no history');
    const linked = { ...environment, FRCTL_LINK: 'true' };
    const asking = reportOf(await user.run(['estimate', 'Build the shop', '--json'], linked)).estimate;
    expect(asking.calls.high).toBeGreaterThan(calls.high);
    expect(asking.assumptions.join('\n')).toMatch(
      /calls? more at the end to ask which leaves need each other/,
    );
    // People read the middle before the range.
    const tried = await user.run(['init', 'Build the shop', '--model', 'm', '--dry-run'], environment);
    expect(tried.error).toMatch(
      new RegExp(`: about ${calls.likely} \\(${calls.low}–${calls.high}\\) calls, about `),
    );
  });

  test('of a half-planned plan goes by its own history, and holds what resuming it takes', async () => {
    const user = newUser();
    const environment = await modelled();
    await user.run(['init', 'Build the shop', '--budget-calls', '9', '--concurrency', '1'], environment);
    const before = server?.count ?? 0;
    const { out } = await user.run(['status'], environment);
    expect(out.match(/plan resume/g)).toHaveLength(1);
    const report = reportOf(await user.run(['estimate', '--json'], environment));
    expect(server?.count).toBe(before);
    const left = DIVIDED - before;
    expect(report.estimate.calls.low).toBeLessThanOrEqual(left);
    expect(report.estimate.calls.high).toBeGreaterThanOrEqual(left);
    expect(report.estimate.assumptions.join('\n')).toMatch(/as \d+ goals of this plan/);
    expect(report.estimate.assumptions.join('\n')).toContain('those of this plan had');
    const ended = await user.run(['resume', '--budget-calls', '1000'], environment);
    expect(ended.status).toBe(0);
    expect(server?.count).toBe(DIVIDED);
    const done = reportOf(await user.run(['estimate', '--json'], environment));
    expect(done.estimate).toMatchObject({
      calls: { low: 0, high: 0 },
      assumptions: ['nothing is left to plan'],
    });
  });

  test('of a plan that its budget paused before a goal can be begun: status says once how to go on', async () => {
    const user = newUser();
    const environment = await modelled();
    await user.run(['init', 'Build the shop', '--budget-calls', '1'], environment);
    const { out } = await user.run(['status'], environment);
    expect(out.match(/plan resume/g)).toHaveLength(1);
    // Nobody knows what this model costs.
    expect(out).toMatch(
      /Next `plan resume \S+ --budget-calls N` goes on planning with a larger budget \(or --budget-tokens, /,
    );
    expect((await user.run(['estimate'], environment)).out).toMatch(
      /Assumptions, for [1-9]\d* goals? to divide/,
    );
  });

  test('of a plan that its budget paused: dollars are a way on where the price is known', async () => {
    const user = newUser();
    const environment = await modelled();
    const prices = '{"m":{"input":1,"output":2}}';
    await user.run(['config', 'set', 'prices', prices, '--user']);
    await user.run(['init', 'Build the shop', '--budget-calls', '1', '--model', 'm'], environment);
    expect((await user.run(['status'], environment)).out).toMatch(/Next `plan resume \S+ --budget-usd N`/);
  });

  test('of a second plan goes by the first', async () => {
    const user = newUser();
    const environment = await modelled();
    await user.run(['init', 'Build the shop'], environment);
    const report = reportOf(await user.run(['estimate', 'Build another shop', '--json'], environment));
    expect(report.estimate.calls.likely).toBe(DIVIDED);
    expect(report.estimate.assumptions[0]).toContain('1 other plans of this store');
  });

  test('of a document counts its items, and knows the price that the config names', async () => {
    const user = newUser();
    const environment = await modelled();
    writeFileSync(
      join(user.folder, 'PRD.md'),
      '# Shop\n\n## Basket\n\n- Add\n- Remove\n\n## Pay\n\n- Card\n- [x] Cash\n',
    );
    await user.run(['config', 'set', 'prices', '{"m":{"input":1,"output":2}}', '--user']);
    const args = ['estimate', '--from', 'PRD.md', '--model', 'm', '--json'];
    const { estimate } = reportOf(await user.run(args, environment));
    expect(estimate.waiting_goals).toBe(3);
    expect(estimate.calls.low).toBeGreaterThanOrEqual(3);
    expect(estimate.cost_usd?.high).toBeCloseTo(
      (estimate.input_tokens.high + 2 * estimate.output_tokens.high) / 1e6,
      9,
    );
  });

  test('of the rules is nothing', async () => {
    const user = newUser();
    const report = reportOf(await user.run(['estimate', 'Build a shop', '--json']));
    expect(report).toMatchObject({
      expander: 'rules',
      estimate: {
        calls: { low: 0, high: 0 },
        cost_usd: { low: 0, high: 0 },
        assumptions: ['no model is asked'],
        waiting_goals: 1,
      },
    });
  });

  test('is kept with the plan, and status --verbose holds it against what was spent', async () => {
    const user = newUser();
    const environment = await modelled();
    await user.run(['init', 'Build the shop'], environment);
    const document = (await user.run(['status', '--verbose', '--json'])).json();
    const { estimate } = z
      .looseObject({
        estimate: z.looseObject({
          calls: z.object({ low: z.number(), high: z.number() }),
          cost_usd: z.null(),
          spent: z.looseObject({ calls: z.number() }),
        }),
      })
      .parse(document);
    expect(estimate.spent.calls).toBe(DIVIDED);
    expect(summaryOf(document).usage.calls).toBe(DIVIDED);
    expect(estimate.calls.high).toBeGreaterThanOrEqual(DIVIDED);
    const { out } = await user.run(['status', '--verbose']);
    expect(out).toMatch(/Estimated +\d+–\d+ calls · [\d,]+–[\d,]+ tokens · cost unknown; spent 21 calls/);
    expect((await user.run(['status'])).out).not.toContain('Estimated');
  });

  test('is made beside the first call, which does not wait for it', async () => {
    const user = newUser();
    const logged = (): string => {
      const folder = join(user.folder, '.plans');
      const log = readdirSync(folder).find((name) => name.endsWith('.events.jsonl')) ?? '';
      return readFileSync(join(folder, log), 'utf8');
    };
    let atFirstCall = '';
    server = await startModelServer({
      faults: () => {
        atFirstCall = logged();
        return { kind: 'stall' };
      },
    });
    const running = user.start(['init', 'Build the shop'], { OPENAI_BASE_URL: server.baseUrl });
    const isEstimated = () => atFirstCall !== '' && logged().includes('"planning_estimated"');
    while (!isEstimated()) await new Promise((resolve) => setTimeout(resolve, 5));
    running.process.kill('SIGKILL');
    await running.ended;
    expect(atFirstCall).toContain('"planning_started"');
    expect(atFirstCall).not.toContain('"estimate"');
    const { out } = await user.run(['status', '--verbose']);
    expect(out).toMatch(/Estimated +\d+–\d+ calls/);
  });

  test('is of a plan or of a goal, not of both', async () => {
    expect((await newUser().run(['estimate', 'x', '--plan', 'abc'])).status).toBe(2);
  });
});
