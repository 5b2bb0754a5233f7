import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { validatePlanFile } from '../../src/plan/invariants.js';
import { planFromFile } from '../../src/plan/make-plan.js';
import type { Plan } from '../../src/plan/plan.js';
import { scale } from '../faults/support/scale.js';
import { errorOf, newUser, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import type { Fault, ModelServerOptions, SeenRequest, TreeNode } from '../support/model-server.js';
import { startModelServer, uniformTree } from '../support/model-server.js';
import { REFUSED_TEXTS, TOO_LONG_TEXTS, UNCLEAR } from '../support/providers.js';
import { countNodes, descriptions, innerNodes, shapeOf, shapeOfNode } from '../support/shapes.js';

const KEY = 'sk-test-0123456789abcdef';

async function serverFor(options: ModelServerOptions) {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  const environment = { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: KEY };
  return { server, environment };
}

/** The only plan of a user's store, which must be valid and hold no key. */
function planOf(user: User): Plan {
  const folder = join(user.folder, '.plans');
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{8}\.json$/.test(name));
  expect(names).toHaveLength(1);
  for (const file of readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) =>
    one.isFile(),
  ))
    expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(KEY);
  const { file, problems } = validatePlanFile(JSON.parse(readFileSync(join(folder, names[0] ?? ''), 'utf8')));
  expect(problems).toEqual([]);
  if (file === null) throw new TypeError('no plan');
  return planFromFile(file);
}

const skewed: TreeNode = {
  description: 'Launch the shop & its <admin>',
  atomic: false,
  children: [
    { description: 'Decide what to sell', atomic: true },
    {
      description: 'Build the site',
      atomic: false,
      depends_on: [1],
      children: [
        { description: 'Design pages', atomic: true },
        {
          description: 'Write the back end',
          atomic: false,
          depends_on: [1],
          children: uniformTree(2, 3, 'Endpoint').children ?? [],
        },
        { description: 'Test it "end to end"', atomic: true, depends_on: [1, 2] },
      ],
    },
    { description: 'Open\nthe doors', atomic: true, depends_on: [1, 2] },
  ],
};
/** A description is one line in the plan, whatever it was in the reply. */
const skewedShape = JSON.parse(
  JSON.stringify(shapeOfNode(skewed)).replace(String.raw`Open\nthe`, 'Open the'),
) as unknown;

describe('a tree known beforehand', () => {
  test.each([
    [1, 'inline'],
    [16, 'inline'],
    [1, 'each'],
    [16, 'each'],
  ])(
    'comes out exactly at concurrency %i, assessing %s, with replies in any order',
    async (concurrency, assess) => {
      const { server, environment } = await serverFor({
        tree: skewed,
        delay: ({ number }) => (number * 37) % 60,
      });
      const user = newUser();
      const ended = await user.run(
        ['init', skewed.description, '--json', '--concurrency', String(concurrency), '--assess', assess],
        environment,
      );
      expect(ended.status).toBe(0);
      expect(shapeOf(planOf(user))).toEqual(skewedShape);
      const summary = summaryOf(ended.json());
      expect(server.count).toBe(assess === 'inline' ? innerNodes(skewed) : countNodes(skewed));
      expect(summary.usage.calls).toBe(server.count);
      expect(summary).toMatchObject({
        status: 'complete',
        total_tokens: server.reportedTokens,
        expander: 'model',
      });
    },
  );
});

/** One fault, at one request. */
const once =
  (fault: Fault, at = 2) =>
  ({ number }: SeenRequest) =>
    number === at ? fault : undefined;

describe('what a server may do wrong', () => {
  const tree = uniformTree(2, 2, 'Ship it');
  const transient: readonly (readonly [string, Fault])[] = [
    ['429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
    ['500', { kind: 'status', status: 500 }],
    ['a dropped connection', { kind: 'drop', when: 'before_headers' }],
    ['a connection dropped within the reply', { kind: 'drop', when: 'mid_body' }],
    ['HTML', { kind: 'body', body: '<html>502</html>', contentType: 'text/html' }],
    ['an empty choice list', { kind: 'body', body: '{"choices":[]}' }],
    ['JSON in fences', { kind: 'wrap', wrap: (content) => `Sure!\n\`\`\`json\n${content}\n\`\`\`\nDone.` }],
    ['<think> before it', { kind: 'wrap', wrap: (content) => `<think>{"atomic": maybe}</think>${content}` }],
    ['a wrong schema once', { kind: 'content', content: '{"atomic":"perhaps"}' }],
    ['a reply cut off once', { kind: 'content', content: '{"atomic": fal', finish_reason: 'length' }],
  ];
  test.each(transient)(
    '%s costs at most another call, and the tree is the known one',
    async (_name, fault) => {
      const { server, environment } = await serverFor({ tree, faults: once(fault) });
      const user = newUser();
      const ended = await user.run(['init', tree.description, '--json'], environment);
      expect(ended.status).toBe(0);
      expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
      // A request that is refused for want of room is none of the budget.
      const refused = fault.kind === 'status' && fault.status === 429 ? 1 : 0;
      expect(summaryOf(ended.json()).usage.calls).toBe(server.count - refused);
    },
  );

  test('a server that refuses json_schema is asked in other ways, and what worked is remembered', async () => {
    const { server, environment } = await serverFor({
      tree,
      refuse: ['json_schema', 'json_object', 'temperature', 'max_tokens'],
    });
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--json', '--concurrency', '1'], environment);
    expect(ended.status).toBe(0);
    expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
    expect(summaryOf(ended.json()).usage.calls).toBe(server.count);
    expect(server.requests.at(-1)?.body.response_format).toBeUndefined();
  });

  test('a model that counts from 0 gets the tree that it means', async () => {
    const fromZero = (node: TreeNode): unknown => ({
      atomic: node.atomic,
      reasoning: 'r',
      sub_goals: (node.children ?? []).map((child) => ({
        description: child.description,
        atomic: child.atomic,
        reasoning: 'r',
        depends_on: (child.depends_on ?? []).map((number) => number - 1),
      })),
    });
    const nodes = new Map([tree, ...(tree.children ?? [])].map((node) => [node.description, node]));
    const { server, environment } = await serverFor({
      respond: ({ goal }) => fromZero(nodes.get(goal) ?? { description: goal, atomic: true }),
    });
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--json'], environment);
    expect(ended.status).toBe(0);
    expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
    expect(summaryOf(ended.json())).toMatchObject({ warnings: [], usage: { calls: server.count } });
  });

  test('without usage the tokens are counted', async () => {
    const { environment } = await serverFor({ tree, usage: null });
    const ended = await newUser().run(['init', tree.description, '--json'], environment);
    expect(summaryOf(ended.json()).total_tokens).toBeGreaterThan(100);
  });

  test.each<readonly [string, Fault, string]>([
    ['a refusal', { kind: 'content', content: null, refusal: 'I cannot help with that.' }, 'I cannot help'],
    ['a wrong schema twice', { kind: 'content', content: '{"atomic":"perhaps"}' }, 'atomic'],
    [
      'a reply that is cut off again and again',
      { kind: 'content', content: '{"atomic"', finish_reason: 'length' },
      'cut off',
    ],
  ])('%s marks the goal for review with the reason, and its siblings go on', async (_name, fault, reason) => {
    const { server, environment } = await serverFor({
      tree,
      faults: ({ goal }) => (goal === 'Ship it / part 1' ? fault : undefined),
    });
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--json'], environment);
    expect(ended.status).toBe(0);
    const plan = planOf(user);
    const marked = [...plan.goals.values()].filter(({ status }) => status === 'failed');
    expect(marked).toMatchObject([
      {
        description: 'Ship it / part 1',
        child_ids: [],
        failure: { phase: 'planning', reason: expect.stringContaining(reason) as string },
      },
    ]);
    expect(plan.counts.atomic).toBe(2);
    expect(summaryOf(ended.json())).toMatchObject({ failed_goals: 1, usage: { calls: server.count } });
  });

  test.each([...REFUSED_TEXTS, ...TOO_LONG_TEXTS, ...UNCLEAR])(
    'a refusal of one goal for good marks that goal, and its siblings go on: %s',
    async (_name, fault) => {
      const { server, environment } = await serverFor({
        tree,
        faults: ({ goal }) => (goal === 'Ship it / part 1' ? fault : undefined),
      });
      const user = newUser();
      const ended = await user.run(['init', tree.description, '--json', '--concurrency', '1'], environment);
      expect(ended.status).toBe(0);
      const plan = planOf(user);
      expect([...plan.goals.values()].filter(({ status }) => status === 'failed')).toMatchObject([
        {
          description: 'Ship it / part 1',
          failure: { phase: 'planning', reason: expect.stringContaining('HTTP') },
        },
      ]);
      expect(plan.counts.atomic).toBe(2);
      expect(summaryOf(ended.json())).toMatchObject({ pending_goals: 0, usage: { calls: server.count } });
    },
  );

  const wide = uniformTree(2, 7, 'Ship it');
  const unclear: Fault = { kind: 'status', status: 400, body: { error: { message: 'Bad Request' } } };

  test('a server that refuses everything pauses the plan, and no goal is blamed', async () => {
    const { server, environment } = await serverFor({ tree: wide, faults: () => unclear });
    const user = newUser();
    const ended = await user.run(['init', wide.description, '--json'], environment);
    expect(ended.status).toBe(5);
    expect(errorOf(ended.json())).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('Bad Request'),
    });
    expect(summaryOf(ended.json())).toMatchObject({
      paused_because: 'model',
      pending_goals: 1,
      failed_goals: 0,
      usage: { calls: server.count },
    });
    expect(server.count).toBe(2);
  });

  test.each([1, 8])(
    'one that begins to refuse everything does not burn what waits, with %i calls at once',
    async (concurrency) => {
      let broken = true;
      const { server, environment } = await serverFor({
        tree: wide,
        faults: ({ number }) => (broken && number > 1 ? unclear : undefined),
      });
      const user = newUser();
      const ended = await user.run(
        ['init', wide.description, '--json', '--concurrency', String(concurrency)],
        environment,
      );
      expect(ended.status).toBe(5);
      expect(summaryOf(ended.json())).toMatchObject({
        paused_because: 'model',
        pending_goals: 7,
        failed_goals: 0,
      });
      // The root, what was refused, and the control.
      expect(server.count).toBeLessThanOrEqual(1 + Math.max(3, concurrency) + 1);
      broken = false;
      expect((await user.run(['resume'], environment)).status).toBe(0);
      expect(shapeOf(planOf(user))).toEqual(shapeOfNode(wide));
    },
  );

  test('many goals that are refused one after the other are marked when the server answers others', async () => {
    const bad = new Set([1, 2, 3, 4, 5, 7].map((part) => `Ship it / part ${part}`));
    const { server, environment } = await serverFor({
      tree: wide,
      faults: ({ goal }) => (bad.has(goal) ? unclear : undefined),
    });
    const user = newUser();
    const ended = await user.run(['init', wide.description, '--json', '--concurrency', '1'], environment);
    expect(ended.status).toBe(0);
    expect(summaryOf(ended.json())).toMatchObject({
      failed_goals: 6,
      pending_goals: 0,
      usage: { calls: server.count },
    });
    expect(planOf(user).counts.atomic).toBe(7);
  });

  test('a goal that alone is left and refused does not hold the plan for ever', async () => {
    const { server, environment } = await serverFor({
      tree,
      faults: ({ goal }) => (goal === 'Ship it / part 2' ? unclear : undefined),
    });
    const user = newUser();
    expect((await user.run(['init', tree.description, '--concurrency', '1'], environment)).status).toBe(0);
    const before = server.count;
    const ended = await user.run(['resume', '--retry-failed', '--json'], environment);
    expect(ended.status).toBe(0);
    expect(summaryOf(ended.json())).toMatchObject({ failed_goals: 1, pending_goals: 0 });
    // The goal, and a question that no server has a reason to refuse.
    expect(server.requests.slice(before).map(({ goal }) => goal)).toEqual([
      'Ship it / part 2',
      'Add a line to a text file',
    ]);
  });

  test('a plan with a goal whose planning failed is never called done', async () => {
    const { environment } = await serverFor({
      tree,
      faults: ({ goal }) => (goal === 'Ship it / part 2' ? unclear : undefined),
    });
    const user = newUser();
    const planned = await user.run(['init', tree.description, '--concurrency', '1'], environment);
    expect(planned.error).toContain('planned, 1 failed');
    expect(planned.error).toContain('`plan status` names what failed');
    const leaves = [...planOf(user).goals.values()].filter(({ status }) => status === 'atomic');
    const ended = await user.run(['complete', ...leaves.map(({ id }) => id)]);
    expect(ended.status).toBe(0);
    expect(ended.out).not.toContain('Everything is done');
    expect((await user.run(['status'])).out).toMatch(/Plan +\w+ +\d+ of \d+ done, 1 failed/);
    expect((await user.run(['list', '--status', 'done', '--json'])).json()).toMatchObject({ plans: [] });
  });

  test('a plan of which planning left nothing to do has failed', async () => {
    const { environment } = await serverFor({
      tree,
      faults: ({ goal }) =>
        goal.startsWith('Ship it / ') ? { kind: 'wrap', wrap: () => 'no JSON' } : undefined,
    });
    const user = newUser();
    await user.run(['init', tree.description, '--concurrency', '1'], environment);
    expect(planOf(user).counts).toMatchObject({ atomic: 0, pending: 0 });
    expect((await user.run(['list'])).out).toMatch(/\bfailed\b/);
  });

  test('a goal marked for review is asked about again when the user says so', async () => {
    let refusing = true;
    const fault: Fault = { kind: 'content', content: null, refusal: 'No.' };
    const { server, environment } = await serverFor({
      tree,
      faults: ({ goal }) => (refusing && goal === 'Ship it / part 1' ? fault : undefined),
    });
    const user = newUser();
    await user.run(['init', tree.description], environment);
    refusing = false;
    const ended = await user.run(['resume', '--retry-failed', '--json'], environment);
    expect(ended.status).toBe(0);
    expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
    expect(server.requests.at(-1)?.user).toContain('<failure>No.</failure>');
  });

  test('401 fails at once, pauses the plan, and shows no key even when the server echoes it', async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}` } };
    const { server, environment } = await serverFor({
      tree,
      faults: () => ({ kind: 'status', status: 401, body }),
    });
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--json', '--debug'], environment);
    expect(ended.status).toBe(5);
    expect(server.count).toBe(1);
    expect(errorOf(ended.json()).code).toBe('MODEL_UNAUTHORIZED');
    expect(summaryOf(ended.json())).toMatchObject({
      status: 'paused',
      paused_because: 'model',
      pending_goals: 1,
    });
    expect(ended.out + ended.error).not.toContain(KEY);
    planOf(user);
  });

  test('a time budget that is used up begins no call, and keeps what the calls in flight bring', async () => {
    const { server, environment } = await serverFor({ tree, delay: 1500 });
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--json', '--budget-seconds', '1'], environment);
    expect(ended.status).toBe(6);
    expect(summaryOf(ended.json())).toMatchObject({
      status: 'paused',
      paused_because: 'budget',
      usage: { calls: 1 },
      pending_goals: 2,
    });
    expect(server.count).toBe(1);
  });

  test('calls that are dropped are charged at the most they may have used', async () => {
    const { server, environment } = await serverFor({ tree, faults: once({ kind: 'stall' }) });
    const user = newUser();
    const running = user.start(['init', tree.description, '--json', '--concurrency', '1'], environment);
    while (server.count < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    running.process.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    const { usage, total_tokens } = summaryOf(ended.json());
    expect(usage).toMatchObject({ calls: 2, estimated_calls: 1 });
    expect(total_tokens).toBeGreaterThan(4096);
    expect((await user.run(['status'])).out).toContain('2 calls (1 without a reply, at most)');
  });
});

describe('budgets', () => {
  const tree = uniformTree(3, 3, 'Build all');

  test.each([
    ['calls', '4', ({ usage }: ReturnType<typeof summaryOf>) => usage.calls, 4],
    ['tokens', '9000', ({ total_tokens }: ReturnType<typeof summaryOf>) => total_tokens, 9000],
  ])(
    'of %s are never exceeded; resuming with more finishes the same tree',
    async (name, amount, spent, limit) => {
      const { server, environment } = await serverFor({
        tree,
        usage: () => ({ prompt_tokens: 700, completion_tokens: 300 }),
      });
      const user = newUser();
      const first = await user.run(
        ['init', tree.description, '--json', `--budget-${name}`, amount],
        environment,
      );
      expect(first.status).toBe(6);
      const summary = summaryOf(first.json());
      expect(summary).toMatchObject({
        status: 'paused',
        paused_because: 'budget',
        usage: { calls: server.count },
      });
      expect(spent(summary)).toBeLessThanOrEqual(limit);
      expect(spent(summary)).toBeGreaterThan(0);
      const again = await user.run(['resume', '--json'], environment);
      expect(again.status).toBe(6);
      const second = await user.run(['resume', '--json', `--budget-${name}`, '1000000'], environment);
      expect(second.status).toBe(0);
      expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
      expect(summaryOf(second.json()).usage.calls).toBe(server.count);
      expect(server.count).toBe(innerNodes(tree));
    },
  );

  test('and numbers of workers that cannot be are refused before anything is made', async () => {
    const user = newUser();
    for (const [line, why] of [
      [['init', 'x', '--budget-calls', '1.5'], '--budget-calls must be a whole number, not 1.5'],
      [['init', 'x', '--budget-tokens', '99999999999999999999'], '--budget-tokens must be at most'],
      [['worker', '--concurrency', '0'], '--concurrency must be at least 1, not 0'],
      [['worker', '--concurrency', '1.5'], '--concurrency must be a whole number, not 1.5'],
      [['worker', '--concurrency', '99999'], '--concurrency must be at most 1000, not 99999'],
    ] as const)
      expect(await user.run(line)).toMatchObject({
        status: 2,
        error: expect.stringContaining(why) as string,
      });
    expect(existsSync(join(user.folder, '.plans'))).toBe(false);
  });

  test('of dollars need a price, and are kept with one', async () => {
    const { environment } = await serverFor({
      tree,
      usage: () => ({ prompt_tokens: 700, completion_tokens: 300 }),
    });
    const user = newUser();
    const unknown = await user.run(
      ['init', tree.description, '--json', '--budget-usd', '1', '--model', 'mine'],
      environment,
    );
    expect(unknown.status).toBe(2);
    expect(errorOf(unknown.json()).message + (errorOf(unknown.json()).hint ?? '')).toContain('prices');
    const priced = newUser();
    await priced.run(['config', 'set', 'prices', '{"mine":{"input":1000,"output":1000}}', '--user']);
    await priced.run(['config', 'set', 'model', 'mine', '--user']);
    const ended = await priced.run(['init', tree.description, '--json', '--budget-usd', '9'], environment);
    expect(ended.status).toBe(6);
    const spent = summaryOf(ended.json()).usage.cost_usd ?? 0;
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(9);
  });
});

describe('stopping and going on', () => {
  const tree = uniformTree(3, 3, 'Build all');

  test('kill -9 loses nothing that was stored, and no stored reply is paid again', async () => {
    const { server, environment } = await serverFor({ tree, delay: 40 });
    const user = newUser();
    const storedGoals = () => {
      const names = readdirSync(join(user.folder, '.plans'));
      const log = names.find((name) => name.endsWith('.events.jsonl')) ?? '';
      const events = readFileSync(join(user.folder, '.plans', log), 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('}'));
      const parsed = events.map(
        (line) =>
          JSON.parse(line) as {
            type: string;
            goal: string;
            sub_goals?: { id: string; description: string }[];
          },
      );
      const described = new Map(
        parsed.flatMap(({ sub_goals = [] }) => sub_goals.map(({ id, description }) => [id, description])),
      );
      return parsed
        .filter(({ type }) => type === 'goal_expanded')
        .map(({ goal }) => described.get(goal) ?? tree.description);
    };
    let stored: readonly string[] = [];
    for (let kills = 0; kills < scale(4, 2); kills += 1) {
      const before = server.count;
      const running = user.start(
        kills === 0 ? ['init', tree.description, '--concurrency', '2'] : ['resume', '--concurrency', '2'],
        environment,
      );
      while (server.count < before + 4 && running.process.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 5));
      running.process.kill('SIGKILL');
      await running.ended;
      const askedAgain = server.requests.slice(before).map(({ goal }) => goal);
      expect(askedAgain.filter((goal) => stored.includes(goal))).toEqual([]);
      stored = storedGoals();
      // Of two calls at a time, two may be in flight or have a reply that is not written.
      expect(askedAgain.filter((goal) => !stored.includes(goal)).length).toBeLessThanOrEqual(2);
    }
    const before = server.count;
    const ended = await user.run(['resume', '--json'], environment);
    expect(ended.status).toBe(0);
    expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
    expect(server.requests.slice(before).filter(({ goal }) => stored.includes(goal))).toEqual([]);
    expect(storedGoals().toSorted()).toEqual([...new Set(storedGoals())].toSorted());
    expect(storedGoals()).toHaveLength(innerNodes(tree));
  });

  test('the plan file is there and valid before the model is asked anything', async () => {
    const { server, environment } = await serverFor({ faults: () => ({ kind: 'stall' }) });
    const user = newUser();
    const running = user.start(['init', 'Build a thing'], environment);
    while (server.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.process.kill('SIGKILL');
    await running.ended;
    expect(planOf(user).counts.pending).toBe(1);
    expect((await user.run(['validate'])).status).toBe(0);
  });

  test('Ctrl-C is a pause: the calls in flight are kept, exit 130, and resume finishes', async () => {
    const { server, environment } = await serverFor({ tree, delay: 60 });
    const user = newUser();
    const running = user.start(['init', tree.description, '--json', '--concurrency', '2'], environment);
    while (server.count < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    running.process.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(errorOf(ended.json()).code).toBe('INTERRUPTED');
    expect(summaryOf(ended.json())).toMatchObject({
      status: 'paused',
      paused_because: 'user',
      usage: { calls: server.count },
    });
    expect((await user.run(['resume'], environment)).status).toBe(0);
    expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
    expect(server.count).toBe(innerNodes(tree));
  });

  test.each(['SIGINT', 'pause'])(
    '%s ends a wait for a server at once',
    async (how) => {
      const busy: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '59' } };
      const { server, environment } = await serverFor({
        tree,
        faults: ({ number }) => (number > 1 ? busy : undefined),
      });
      const user = newUser();
      const running = user.start(['init', tree.description, '--json'], environment);
      while (server.count < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      if (how === 'pause') await user.run(['pause']);
      else running.process.kill('SIGINT');
      const ended = await running.ended;
      expect(ended.status).toBe(130);
      expect(summaryOf(ended.json())).toMatchObject({
        paused_because: 'user',
        pending_goals: 3,
        usage: { calls: 1 },
      });
      expect(server.count).toBe(4);
    },
    30_000,
  );

  test('max_retries is a flag, a variable and a setting', async () => {
    const { server, environment } = await serverFor({ faults: () => ({ kind: 'status', status: 500 }) });
    const user = newUser();
    const counts: number[] = [];
    const attempt = async (
      args: readonly string[],
      more: Readonly<Record<string, string>> = {},
    ): Promise<void> => {
      const before = server.count;
      const ended = await user.run(['init', 'Build it', ...args], { ...environment, ...more });
      expect(ended.status).toBe(5);
      counts.push(server.count - before);
    };
    await attempt(['--max-retries', '0']);
    await attempt([], { FRCTL_MAX_RETRIES: '1' });
    await user.run(['config', 'set', 'max_retries', '2', '--user']);
    await attempt([]);
    expect(counts).toEqual([1, 2, 3]);
  });

  test('another process can pause it, and meanwhile nobody else can plan it', async () => {
    let delay = 600;
    const { server, environment } = await serverFor({ tree, delay: () => delay });
    const user = newUser();
    const running = user.start(['init', tree.description, '--json', '--concurrency', '1'], environment);
    while (server.count < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await user.run(['resume', '--json'], environment);
    expect(second.status).toBe(4);
    expect(errorOf(second.json()).code).toBe('PLANNER_BUSY');
    const paused = await user.run(['pause', '--json']);
    expect(summaryOf(paused.json())).toMatchObject({ status: 'paused', paused_because: 'user' });
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(summaryOf(ended.json())).toMatchObject({
      status: 'paused',
      paused_because: 'user',
      usage: { calls: server.count },
    });
    delay = 0;
    expect((await user.run(['resume', '--concurrency', '16'], environment)).status).toBe(0);
    expect(server.count).toBe(innerNodes(tree));
  });

  test('what it has still to ask about is asked about by nobody else', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { server, environment } = await serverFor({
      tree,
      until: async ({ number }) => (number === 1 ? undefined : released),
    });
    const user = newUser();
    const running = user.start(['init', tree.description, '--json', '--concurrency', '1'], environment);
    while (server.count < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const [beside, split, replan] = await Promise.all([
      user.run(['split', '1', '--json'], environment),
      user.run(['split', '2', '--json'], environment),
      user.run(['replan', '2', '--preview', '--json'], environment),
    ]);
    for (const refused of [beside, split, replan]) {
      expect(refused.status).toBe(4);
      expect(errorOf(refused.json()).code).toBe('PLANNER_BUSY');
    }
    release();
    expect((await running.ended).status).toBe(0);
    expect(server.count).toBe(innerNodes(tree));
  });

  test('a goal that somebody removes while it is asked about is paid for and left out', async () => {
    const { server, environment } = await serverFor({
      tree,
      delay: ({ number }) => (number === 2 ? 1500 : 0),
    });
    const user = newUser();
    const running = user.start(['init', tree.description, '--json', '--concurrency', '1'], environment);
    while (server.count < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await user.run(['remove', '1'])).status).toBe(0);
    const ended = await running.ended;
    expect(ended.status).toBe(0);
    expect(summaryOf(ended.json()).usage.calls).toBe(server.count);
    const plan = planOf(user);
    expect(plan.counts).toMatchObject({ pending: 0, total: 1 + 2 * (1 + 3 + 9) });
    expect(plan.header.usage?.calls).toBe(server.count);
  });

  test('a fallback model is asked when the first has failed for good', async () => {
    const { server, environment } = await serverFor({
      tree,
      faults: ({ body }) =>
        body.model === 'big'
          ? { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }
          : undefined,
    });
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--json', '--model', 'big'], {
      ...environment,
      FRCTL_FALLBACK_MODELS: 'small',
    });
    expect(ended.status).toBe(0);
    expect(shapeOf(planOf(user))).toEqual(shapeOfNode(tree));
    // What a server at its limit refused is no call.
    expect(summaryOf(ended.json()).usage.calls).toBe(server.count - 1);
  });

  test('what was recorded is replayed with no server, and a changed request says what differs', async () => {
    const { server, environment } = await serverFor({ tree });
    const user = newUser();
    await user.run(['init', tree.description, '--record', 'calls.jsonl'], environment);
    await server.close();
    const again = newUser();
    const recording = join(user.folder, 'calls.jsonl');
    expect(readFileSync(recording, 'utf8')).not.toContain(KEY);
    const replayed = await again.run(['init', tree.description, '--replay', recording, '--json']);
    expect(replayed.status).toBe(0);
    expect(summaryOf(replayed.json())).toMatchObject({ expander: 'replay', usage: { calls: 0 } });
    expect(shapeOf(planOf(again))).toEqual(shapeOfNode(tree));
    const other = await newUser().run([
      'init',
      tree.description,
      '--replay',
      recording,
      '--max-children',
      '3',
      '--json',
    ]);
    expect(other.status).toBe(5);
    expect(errorOf(other.json())).toMatchObject({
      code: 'REPLAY_MISSING',
      message: expect.stringContaining('system') as string,
    });
  });
});

describe('documents', () => {
  const sectionsOf = (count: number) =>
    Array.from(
      { length: count },
      (_, s) =>
        `## Section ${s + 1}\n\nWhy ${s + 1}.\n\n${Array.from({ length: 30 }, (_, i) => `- [${i === 0 ? 'x' : ' '}] Item ${s + 1}.${i + 1}`).join('\n')}\n`,
    );

  // Each item that is not done is a question to the model.
  test.each([
    [600, 'rules'],
    [scale(600, 150), 'model'],
  ])(
    '%i items are each in the tree once, nested and placed as written, with the %s expander',
    async (items, expander) => {
      const count = items / 30;
      const document = `# The document\n\n${sectionsOf(count).join('\n')}`;
      const { server, environment } = await serverFor({
        respond: () => '{"atomic":true,"reasoning":"small","sub_goals":[]}',
      });
      const user = newUser();
      writeFileSync(join(user.folder, 'prd.md'), document);
      const ended = await user.run(
        ['init', '--from', 'prd.md', '--json', '--concurrency', '16'],
        expander === 'model' ? environment : {},
      );
      expect(ended.status).toBe(0);
      const plan = planOf(user);
      const expected = [
        'The document',
        ...Array.from({ length: count }, (_, s) => [
          `Section ${s + 1}`,
          ...Array.from({ length: 30 }, (_, i) => `Item ${s + 1}.${i + 1}`),
        ]).flat(),
      ];
      expect(descriptions(plan)).toEqual(expected);
      const lines = document.split('\n');
      for (const goal of plan.goals.values())
        expect(lines[(goal.source?.start_line ?? 0) - 1]).toContain(goal.description);
      expect(plan.counts).toMatchObject({ atomic: items, complete: count, pending: 0 });
      expect(server.count).toBe(expander === 'model' ? items - count : 0);
      expect(server.requests.every(({ user }) => user.includes('<section>'))).toBe(true);
    },
  );
});
