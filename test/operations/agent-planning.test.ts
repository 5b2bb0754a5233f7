import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openHandOuts } from '../../src/operations/planning/agent/hand-outs.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { answerFrom } from '../support/answering-agent.js';
import { temporaryFolder } from '../support/folders.js';
import { uniformTree } from '../support/model-server.js';
import { countNodes, innerNodes, shapeOf, shapeOfNode } from '../support/shapes.js';
import { UNLINKED } from '../support/unlinked.js';

function newPlace() {
  const folder = temporaryFolder();
  const home = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: home, variables: UNLINKED };
  const open = () => openWorkspace({ environment });
  const store = () =>
    createContext({ features: FEATURES, environment: { ...defaultEnvironment(), ...environment } }).store();
  return { folder, home, open, store, workspace: open() };
}

type Place = ReturnType<typeof newPlace>;

async function planOf({ store, workspace }: Place) {
  const [summary] = (await workspace.list()).plans;
  return (await store().open(summary?.id ?? '', 'log')).plan;
}

test('an agent that answers plans the very tree, without a call and at a cost that nobody knows', async () => {
  const place = newPlace();
  const tree = uniformTree(3, 7);
  expect(countNodes(tree)).toBe(400);
  const made = await place.workspace.init({ goal: tree.description, expander: 'agent' }).result;
  expect(made).toMatchObject({
    stopped: null,
    plan: { status: 'paused', paused_because: 'agent', expander: 'agent' },
  });
  const answer = answerFrom(tree);
  let { questions, left } = await place.workspace.ask({ count: 5 });
  let answered = 0;
  while (left > 0) {
    // Every call is a workspace of its own: nothing lives in memory between them.
    const next = await place.open().answer({ answers: questions.map(answer), count: 5 });
    expect(next.refused).toEqual([]);
    answered += next.stored.length;
    ({ questions, left } = next);
  }
  expect(answered).toBe(innerNodes(tree));
  const plan = await planOf(place);
  expect(shapeOf(plan)).toEqual(shapeOfNode(tree));
  expect(plan.header).toMatchObject({
    status: 'complete',
    paused_because: null,
    usage: { calls: 0, cost_usd: null },
  });
});

test('a question is the model’s, with the schema of its answer and nothing that could end its quotation', async () => {
  const { workspace } = newPlace();
  await workspace.init({
    goal: 'Build </goal> <b>it</b> & more',
    expander: 'agent',
    settings: { max_children: 4 },
  }).result;
  const { questions, left } = await workspace.ask();
  expect(left).toBe(1);
  const [question] = questions;
  expect(Object.keys(question ?? {})).toEqual([
    'goal',
    'number',
    'kind',
    'messages',
    'schema',
    'max_children',
  ]);
  expect(question).toMatchObject({ number: '', kind: 'expand', max_children: 4 });
  expect(question?.messages[1]?.content).toContain(
    '<goal>Build &lt;/goal&gt; &lt;b&gt;it&lt;/b&gt; &amp; more</goal>',
  );
  expect(question?.schema).toMatchObject({
    properties: { goal: { const: question?.goal }, atomic: { type: 'boolean' } },
    required: ['goal', 'atomic'],
  });
});

test('questions that are asked together say once how to answer, with the tags of all of them', async () => {
  const { workspace } = newPlace();
  await workspace.init({ goal: 'Open a bakery', expander: 'agent' }).result;
  const sub_goals = ['Find a place', 'Hire two bakers', 'Sell bread'].map((description) => ({
    description,
    atomic: false,
    acceptance: description === 'Sell bread' ? ['A loaf is sold'] : [],
  }));
  const first = await workspace.answer({ answers: [{ goal: 'root', atomic: false, sub_goals }] });
  for (const { questions } of [first, await workspace.ask()]) {
    expect(questions.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['system', 'user'],
      ['user'],
      ['user'],
    ]);
    expect(questions[0]?.messages[0]?.content).toContain('- `acceptance`: what must hold');
    expect(questions[0]?.messages.at(-1)?.content).not.toContain('<acceptance>');
    expect(questions[2]?.messages.at(-1)?.content).toContain('<acceptance>');
  }
});

test('the first answer counts; a late one is told what stands there, a malformed one where it is wrong', async () => {
  const place = newPlace();
  const { workspace } = place;
  await workspace.init({ goal: 'Build a shop', expander: 'agent' }).result;
  const first = { goal: 'root', atomic: false, sub_goals: [{ description: 'Sell bread', atomic: true }] };
  const bad = [
    { goal: 'root', atomic: 'yes' },
    { goal: 'root', atomic: true, sub_goals: [{ description: 'Sell bread', atomic: true }] },
    { goal: 'root', atomic: false, sub_goals: [{ description: 5, atomic: true, depends_on: ['x'] }] },
    { goal: 'zzzzzz', atomic: true },
    'nonsense',
    null,
  ];
  const { refused, stored } = await workspace.answer({ answers: bad });
  expect(stored).toEqual([]);
  expect(refused.map(({ code }) => code)).toEqual([
    'malformed',
    'malformed',
    'malformed',
    'no_goal',
    'malformed',
    'malformed',
  ]);
  expect(refused[0]?.message).toContain('$.atomic: ');
  expect(refused[1]?.message).toBe('$.sub_goals: must be empty when $.atomic is true');
  expect(refused[2]?.message).toMatch(
    /\$\.sub_goals\[0\]\.description: .*; \$\.sub_goals\[0\]\.depends_on\[0\]: /,
  );
  expect((await workspace.answer({ answers: [first, { goal: 'root', atomic: true }] })).refused).toEqual([
    {
      goal: expect.stringMatching(/-root$/),
      code: 'late',
      message: 'another answer came first; it is divided into 1: “Sell bread”',
    },
  ]);
  const before = readFileSync(join(place.folder, '.plans', await logOf(place)), 'utf8');
  expect((await workspace.answer({ answers: [first] })).refused[0]?.code).toBe('late');
  expect(readFileSync(join(place.folder, '.plans', await logOf(place)), 'utf8')).toBe(before);
});

async function logOf({ folder }: Place): Promise<string> {
  return readdirSync(join(folder, '.plans')).find((name) => name.endsWith('.events.jsonl')) ?? '';
}

test('the limits of depth, children and goals hold in what is answered, and an adversary ends', async () => {
  const place = newPlace();
  const settings = { max_depth: 3, max_children: 3, max_goals: 12 };
  await place.workspace.init({ goal: 'Work for ever', expander: 'agent', settings }).result;
  let { questions, left } = await place.workspace.ask({ count: 9 });
  const seen: string[] = [];
  for (let round = 0; left > 0; round += 1) {
    expect(round).toBeLessThan(20);
    const answers = questions.map(({ goal }) => ({
      goal,
      atomic: false,
      sub_goals: Array.from({ length: 9 }, (_, index) => ({
        description: `Piece ${index} of round ${round} below ${goal.slice(9)}`,
        atomic: false,
        depends_on: [index + 2, 0, 1],
      })),
    }));
    const next = await place.workspace.answer({ answers, count: 9 });
    seen.push(...next.warnings.map(({ code }) => code));
    ({ questions, left } = next);
  }
  const plan = await planOf(place);
  expect(plan.counts.total).toBeLessThanOrEqual(12);
  expect(Math.max(...[...plan.goals.values()].map(({ depth }) => depth))).toBeLessThanOrEqual(3);
  expect(plan.counts.pending).toBe(0);
  expect(seen).toContain('too_many_children');
  expect(plan.header.warnings?.map(({ code }) => code)).toContain('max_goals');
});

test('an answer whose members are not where they belong is told where that is', async () => {
  const place = newPlace();
  await place.workspace.init({ goal: 'Build a shop', expander: 'agent' }).result;
  const { refused } = await place.workspace.answer({
    answers: [
      { atomic: true, reasoning: 'small' },
      { goal: 'root', answer: { atomic: true } },
    ],
  });
  expect(refused.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^\$\.goal is missing; an answer is one object with `goal`/) as string,
    expect.stringMatching(/^\$\.atomic is missing; /) as string,
  ]);
});

test('hostile answers: text without end, members that are none, a plan that is archived meanwhile', async () => {
  const place = newPlace();
  const { workspace } = place;
  await workspace.init({ goal: 'Build a shop', expander: 'agent' }).result;
  const long = 'x'.repeat(10 * 1024 * 1024);
  const { stored } = await workspace.answer({
    answers: [
      JSON.parse(
        `{"goal":"root","atomic":false,"__proto__":{"atomic":true},"sub_goals":[{"description":"A \\u001b[31mred ${long}","atomic":false},{"description":"Second","atomic":true}]}`,
      ),
    ],
  });
  expect(stored).toHaveLength(1);
  const plan = await planOf(place);
  expect(plan.counts.total).toBe(3);
  expect(Math.max(...[...plan.goals.values()].map(({ description }) => description.length))).toBeLessThan(
    20_000,
  );
  const file = join(place.folder, 'answers.json');
  writeFileSync(file, '{"answers":[');
  await expect(workspace.answer({ from: file })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  writeFileSync(file, `${'['.repeat(5000)}${']'.repeat(5000)}`);
  await expect(workspace.answer({ from: file })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(workspace.answer({})).rejects.toMatchObject({ code: 'USAGE' });
  await workspace.archive({ plan: plan.header.id });
  await expect(workspace.ask({ plan: plan.header.id })).rejects.toMatchObject({ code: 'WRONG_STATE' });
});

test('four agents at once plan the tree; no question is answered in vain more than once', async () => {
  const place = newPlace();
  const tree = uniformTree(3, 4);
  const knows = answerFrom(tree);
  await place.workspace.init({ goal: tree.description, expander: 'agent' }).result;
  const vain = new Map<string, number>();
  let stored = 0;
  const agent = async (by: string): Promise<void> => {
    const workspace = place.open();
    for (;;) {
      const { questions, left } = await workspace.ask({ count: 2, by });
      if (left === 0) return;
      if (questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      // Thinking takes some time, and not the same to each.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      if (questions.length === 0) continue;
      const done = await workspace.answer({ answers: questions.map(knows), by, count: 0 });
      stored += done.stored.length;
      for (const { goal, code } of done.refused) {
        expect(code).toBe('late');
        vain.set(goal ?? '', (vain.get(goal ?? '') ?? 0) + 1);
      }
    }
  };
  await Promise.all(['ana', 'bo', 'cy', 'di'].map(agent));
  expect(shapeOf(await planOf(place))).toEqual(shapeOfNode(tree));
  expect(stored).toBe(innerNodes(tree));
  expect(Math.max(0, ...vain.values())).toBeLessThanOrEqual(1);
});

test('who asks while others have the questions gets different ones, and is never kept waiting by a name that is gone', async () => {
  const { workspace } = newPlace();
  await workspace.init({ goal: 'Build a shop', expander: 'agent' }).result;
  const three = ['Sell bread', 'Bake cakes', 'Clean windows'].map((description) => ({
    description,
    atomic: false,
  }));
  await workspace.answer({ answers: [{ goal: 'root', atomic: false, sub_goals: three }], count: 0 });
  const goals = async (by?: string, count = 1) =>
    (await workspace.ask(by === undefined ? { count } : { count, by })).questions.map(({ number }) => number);
  expect(await goals('ana')).toEqual(['1']);
  expect(await goals('bo')).toEqual(['2']);
  expect(await goals('ana')).toEqual(['1']);
  expect(await goals('cy', 3)).toEqual(['3', '2', '1']);
  expect(await workspace.ask({ by: 'di', count: 3 })).toMatchObject({ left: 3, held: 2 });
  // Ana, killed and started under another name or none, is not waited for.
  expect(await goals(undefined, 3)).toHaveLength(3);
});

test('who read the plan just before a question was answered does not get it when two have had it', async () => {
  const { home, folder } = newPlace();
  const environment = {
    ...defaultEnvironment(),
    workingFolder: folder,
    homeFolder: home,
    variables: UNLINKED,
  };
  const handOuts = openHandOuts(environment, folder, '0398a958');
  const handOut: typeof handOuts.handOut = (...args) => handOuts.handOut(...args);
  expect((await handOut(['g'], { by: 'ana', count: 1 })).goals).toEqual(['g']);
  expect((await handOut(['g', 'h'], { by: 'bo', count: 2 })).goals).toEqual(['h', 'g']);
  // It is answered, as Cy knows already and Di does not.
  expect((await handOut(['h'], { by: 'cy', count: 1 })).goals).toEqual(['h']);
  expect(await handOut(['g', 'h'], { by: 'di', count: 2 })).toEqual({ goals: [], held: 2 });
});

test('an agent takes over from a model that is out of budget or from rules, and hands over to them', async () => {
  const { workspace } = newPlace();
  await workspace.init({ goal: 'Build a shop with a cart and a checkout', expander: 'agent' }).result;
  await expect(workspace.replan('root').result).rejects.toMatchObject({ code: 'WRONG_STATE' });
  const ruled = await workspace.resume({ expander: 'rules' }).result;
  expect(ruled.plan).toMatchObject({ expander: 'rules', pending_goals: 0 });
  await workspace.rollback('root');
  const again = await workspace.resume({ expander: 'agent' }).result;
  expect(again.plan).toMatchObject({ expander: 'agent', status: 'paused', paused_because: 'agent' });
  const { plan } = await workspace.resume({}).result;
  expect(plan).toMatchObject({ status: 'paused', paused_because: 'agent' });
  expect((await workspace.ask()).left).toBe(1);
});

test('digests, dependencies and action plans are asked for and answered by the same pair', async () => {
  const place = newPlace();
  const { workspace } = place;
  await workspace.init({ goal: 'Run a bakery', expander: 'agent' }).result;
  const part = (description: string, inner: readonly string[]) => ({ description, inner });
  const parts = [
    part('Prepare the dough', ['Buy the flour', 'Write recipes.md for the dough']),
    part('Sell the bread', ['Bake the dough by recipes.md', 'Open the doors']),
  ];
  await workspace.answer({
    answers: [
      {
        goal: 'root',
        atomic: false,
        sub_goals: parts.map(({ description }) => ({ description, atomic: false })),
      },
      ...parts.map(({ inner }, index) => ({
        goal: String(index + 1),
        atomic: false,
        sub_goals: inner.map((description) => ({ description, atomic: true })),
      })),
    ],
  });

  const pairs = (await workspace.ask({ kind: 'dependencies' })).questions[0];
  expect(pairs).toMatchObject({ kind: 'dependencies', number: '' });
  const numbers = new Map(
    [
      ...(pairs?.messages[1]?.content ?? '').replaceAll(/<[^>]*>/g, '\n').matchAll(/^(\d+)\. .*› (.*)$/gm),
    ].map(([, number, text]) => [text, Number(number)]),
  );
  const mark = Object(pairs?.schema).properties.question.const as string;
  const reply = {
    goal: 'root',
    question: mark,
    dependencies: [
      {
        reason: 'it bakes by them',
        goal: numbers.get('Bake the dough by recipes.md'),
        on: numbers.get('Write recipes.md for the dough'),
      },
    ],
  };
  expect(await workspace.answer({ kind: 'dependencies', answers: [reply], count: 0 })).toMatchObject({
    stored: [expect.stringMatching(/-root$/)],
    refused: [],
    links: [{ added: [{ goal: expect.any(String), on: expect.any(String) }] }],
  });
  // The plan has changed, so the numbers may mean other goals.
  expect((await workspace.answer({ kind: 'dependencies', answers: [reply] })).refused[0]?.code).toBe('late');
  const after = await planOf(place);
  expect(
    [...after.goals.values()].find(({ description }) => description.startsWith('Bake'))?.dependencies,
  ).toEqual([[...after.goals.values()].find(({ description }) => description.startsWith('Write'))?.id]);

  // An answer that finds nothing ends the question, which asks about the pairs that are left.
  const [rest] = (await workspace.ask({ kind: 'dependencies' })).questions;
  const question = Object(rest?.schema).properties.question.const as string;
  const nothing = { goal: 'root', question, dependencies: [] };
  expect(await workspace.answer({ kind: 'dependencies', answers: [nothing] })).toMatchObject({
    stored: [expect.stringMatching(/-root$/)],
    left: 0,
  });
  expect((await workspace.ask({ kind: 'dependencies' })).questions).toEqual([]);

  const days = Array.from(
    { length: 40 },
    (_, day) =>
      `Delivery ${day} brought ${day * 7 + 3} kg from mill${day}.ts, billed in docs/invoice-${day}.pdf.`,
  );
  const text = `We bought 40 kg of rye flour, not wheat, because it keeps. ${days.join(' ')}`;
  await workspace.complete('1.1', { text, from: '-', decisions: ['Mill 3 delivers on Mondays'] });
  const digest = (await workspace.ask({ kind: 'digest' })).questions;
  expect(digest).toHaveLength(1);
  const [about] = digest;
  const invented = await workspace.answer({
    kind: 'digest',
    answers: [
      {
        goal: about?.goal,
        question: Object(about?.schema).properties.question.const as string,
        summary: 'Bought 99 kg of barley from mill77.ts.',
        key_decisions: [],
        artifacts: [],
      },
    ],
    count: 0,
  });
  expect(invented.refused).toMatchObject([
    { code: 'malformed', message: expect.stringMatching(/99.*; stored instead: .+, “.+”$/) as unknown },
  ]);
  const answered = await workspace.answer({
    kind: 'digest',
    answers: [
      {
        goal: about?.goal,
        question: Object(about?.schema).properties.question.const as string,
        summary: 'Bought 40 kg of rye flour, not wheat, because it keeps.',
        key_decisions: ['Rye flour, not wheat'],
        artifacts: ['docs/invoice-1.pdf'],
      },
    ],
    count: 0,
  });
  expect(answered.stored).toEqual([about?.goal]);
  expect(answered.digests).toMatchObject([
    { goal: about?.goal, made_by: 'answer', reason: expect.stringContaining('Mondays') as unknown },
  ]);
  expect((await workspace.ask({ kind: 'digest' })).left).toBe(0);

  writeFileSync(
    join(place.folder, 'tools.json'),
    JSON.stringify({
      tools: [
        {
          name: 'oven.bake',
          description: 'Bakes',
          inputSchema: { type: 'object', properties: { c: { type: 'number' } } },
        },
      ],
    }),
  );
  const drafting = { kind: 'action_plan', tools: 'tools.json' } as const;
  const asked = (await workspace.ask({ ...drafting, goal: '2.1' })).questions[0];
  const draft = (tool: string) => ({
    goal: asked?.goal,
    question: Object(asked?.schema).properties.question.const as string,
    title: 'Bake',
    assumptions: [],
    risks: [],
    steps: [
      {
        id: 'bake',
        tool,
        title: 'Bake',
        args: '{"c":220}',
        depends_on: [],
        on_error: 'stop',
        requires_approval: false,
      },
    ],
  });
  const wrong = await workspace.answer({ ...drafting, answers: [draft('oven.fry')], count: 0 });
  expect(wrong.refused[0]?.message).toContain('oven.fry');
  const right = await workspace.answer({ ...drafting, answers: [draft('oven.bake')], count: 0 });
  expect(right.stored).toEqual([asked?.goal]);
  const goal = await workspace.show('2.1');
  expect(goal.goal.action_plans).toHaveLength(1);
});
