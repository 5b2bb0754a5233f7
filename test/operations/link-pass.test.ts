import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { promptContext } from '../../src/planning/context.js';
import { isLinkDue } from '../../src/planning/link/link-due.js';
import { openWorkspace } from '../../src/workspace.js';
import { answerFrom } from '../support/answering-agent.js';
import { temporaryFolder } from '../support/folders.js';
import { expansionOf, startModelServer } from '../support/model-server.js';
import type { ModelServerOptions, SeenRequest, TreeNode } from '../support/model-server.js';

const leaf = (description: string): TreeNode => ({ description, atomic: true });

/** Two parts, the second of which waits for the first as a whole. */
const TREE: TreeNode = {
  description: 'Keep the books',
  atomic: false,
  children: [
    {
      description: 'Lay the ground',
      atomic: false,
      children: [leaf('Write the schema'), leaf('Write the seed')],
    },
    {
      description: 'Build the jobs',
      atomic: false,
      depends_on: [1],
      children: [leaf('Import rows'), leaf('Send the report')],
    },
  ],
};
const NODES = new Map<string, TreeNode>(
  [TREE, ...(TREE.children ?? []), ...(TREE.children ?? []).flatMap(({ children = [] }) => children)].map(
    (node) => [node.description, node],
  ),
);
/** Requests that divide the tree. */
const DIVIDING = 3;
const GOOD = {
  needs: { '1.1': [], '1.2': ['1.1'], '2.1': ['1.1'], '2.2': [] },
  missing: [{ what: 'An account at the bank', used_by: ['2.1'] }],
};

const isLink = ({ system }: SeenRequest) => system.startsWith('You set the order of work');

async function newPlace(links: unknown, options: Partial<ModelServerOptions> = {}) {
  const server = await startModelServer({
    respond: (request) =>
      isLink(request)
        ? links
        : expansionOf(NODES.get(request.goal) ?? { description: request.goal, atomic: true }),
    ...options,
  });
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  const environment = {
    workingFolder: folder,
    homeFolder: temporaryFolder(),
    variables: { OPENAI_BASE_URL: server.baseUrl },
  };
  const workspace = openWorkspace({ environment });
  const store = () => createContext({ environment: { ...defaultEnvironment(), ...environment } }).store();
  const open = async () => {
    const [summary] = (await workspace.list()).plans;
    return store().open(summary?.id ?? '', 'log');
  };
  const linkRequests = () => server.requests.filter(isLink);
  /** What each goal waits for, by the words of both. */
  const waits = async () => {
    const { plan } = await open();
    const words = (id: string) => plan.goals.get(id)?.description ?? id;
    return Object.fromEntries(
      [...plan.goals.values()]
        .filter(({ dependencies }) => dependencies.length > 0)
        .map(({ description, dependencies }) => [description, dependencies.map(words)]),
    );
  };
  return { workspace, server, folder, open, linkRequests, waits };
}

const WIDE = { 'Build the jobs': ['Lay the ground'] };
const LINKED = { 'Write the seed': ['Write the schema'], 'Import rows': ['Write the schema'] };

describe('planning with a model', () => {
  test('asks one question more at its end, and its answer is one change, counted and told', async () => {
    const { workspace, server, linkRequests, waits, open } = await newPlace(GOOD);
    const { plan, stopped } = await workspace.init({ goal: TREE.description }).result;
    expect(stopped).toBeNull();
    expect(server.count).toBe(DIVIDING + 1);
    expect(plan).toMatchObject({ status: 'complete', usage: { calls: DIVIDING + 1 } });
    expect(linkRequests()).toHaveLength(1);
    expect(linkRequests()[0]?.user).toContain('2.1 [Build the jobs] Import rows');
    expect(await waits()).toEqual(LINKED);
    const { linked } = await workspace.status({});
    expect(linked).toMatchObject({
      added: 2,
      replaced: 1,
      chain: [2, 2],
      can_start: [2, 2],
      missing: [{ code: 'MISSING_RESULT', what: 'An account at the bank', used_by: [{ number: '2.1' }] }],
    });
    expect(linked?.missing[0]?.command).toMatch(/^plan add --plan \w+ -- 'An account at the bank'$/);
    const types = (await (await open()).events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'dependencies_linked')).toHaveLength(1);
    expect(types.at(-1)).toBe('planning_ended');
  });

  test('tells nothing more of what the leaves came to once it is undone, and again once it is redone', async () => {
    const { workspace, open } = await newPlace(GOOD);
    await workspace.init(TREE.description).result;
    const linkedOf = async () => (await open()).plan.header.linked;
    const linked = await linkedOf();
    expect(linked?.missing).toHaveLength(1);
    await workspace.undo({});
    expect(await linkedOf()).toBeUndefined();
    expect((await workspace.status()).linked).toBeUndefined();
    await workspace.redo({});
    expect(await linkedOf()).toEqual(linked);
  });

  test('that changed no wait is what undo takes back, and not what was done before it', async () => {
    const { workspace, open, waits } = await newPlace({ needs: {}, missing: GOOD.missing });
    await workspace.init({ goal: TREE.description, settings: { link: false } }).result;
    await workspace.add({ description: 'Frame it' });
    const before = await waits();
    await workspace.dependencies.link({ apply: true });
    expect(await waits()).toEqual(before);
    const { undone, goals } = await workspace.undo({});
    expect(undone).toMatchObject({
      type: 'dependencies_linked',
      message: expect.stringMatching(/^compared all leaves: 0 /),
    });
    expect(goals).toEqual([]);
    expect((await open()).plan.header.linked).toBeUndefined();
    expect((await workspace.undo({})).undone.type).toBe('goals_added');
  });

  test('is undone by one undo, which leaves the tree as it is', async () => {
    const { workspace, waits } = await newPlace(GOOD);
    await workspace.init({ goal: TREE.description }).result;
    await workspace.undo({});
    expect(await waits()).toEqual(WIDE);
    expect((await workspace.status({})).plan).toMatchObject({ total_goals: 7, status: 'complete' });
    await workspace.redo({});
    expect(await waits()).toEqual(LINKED);
  });

  test('asks nothing more with link off, of one leaf, by rules, or when it is resumed', async () => {
    const off = await newPlace(GOOD);
    await off.workspace.init({ goal: TREE.description, settings: { link: false } }).result;
    await off.workspace.resume({}).result;
    expect(off.linkRequests()).toEqual([]);
    expect(await off.waits()).toEqual(WIDE);
    const one = await newPlace(GOOD);
    await one.workspace.init({ goal: 'Write the schema' }).result;
    const rules = await newPlace(GOOD);
    await rules.workspace.init({ goal: 'Write a schema, a seed and a report', expander: 'rules' }).result;
    const again = await newPlace(GOOD);
    await again.workspace.init({ goal: TREE.description }).result;
    await again.workspace.resume({}).result;
    expect([one, rules, again].map(({ linkRequests }) => linkRequests().length)).toEqual([0, 0, 1]);
  });

  test('is not asked again by replan, which proposes it', async () => {
    const ground = TREE.children?.[0]?.children?.[0]?.description ?? '';
    const parts = {
      'Write the schema': ['Name the tables', 'Name the keys'],
      'Name the keys': ['Of rows', 'Of users'],
    };
    const { workspace, linkRequests, open } = await newPlace(GOOD);
    await workspace.init({ goal: TREE.description }).result;
    for (const [description, children] of Object.entries(parts))
      NODES.set(description, {
        description,
        atomic: false,
        children: children.map((child) => ({ description: child, atomic: !(child in parts) })),
      });
    onTestFinished(() => void NODES.set(ground, leaf(ground)));
    const replanning = workspace.replan('1.1', {});
    const notices: string[] = [];
    for await (const event of replanning) if (event.type === 'notice') notices.push(event.message);
    expect((await replanning.result).applied).toBe(true);
    expect((await open()).plan.counts).toMatchObject({ pending: 0, total: 11 });
    expect([linkRequests().length, notices.join()]).toEqual([
      1,
      expect.stringContaining('plan dependencies link'),
    ]);
    await workspace.resume({}).result;
    expect(linkRequests()).toHaveLength(1);
  });

  test('pauses where the budget does not hold the question, and goes on with that question alone', async () => {
    const { workspace, server, linkRequests, waits, open } = await newPlace(GOOD);
    const paused = await workspace.init({
      goal: TREE.description,
      settings: { budget: { calls: DIVIDING } },
    }).result;
    expect(paused.stopped).toMatchObject({ code: 'BUDGET_REACHED' });
    expect(paused.plan).toMatchObject({
      status: 'paused',
      paused_because: 'budget',
      pending_goals: 0,
      usage: { calls: DIVIDING },
    });
    expect((await open()).plan.header.link_left).toBe(true);
    expect(await waits()).toEqual(WIDE);
    const done = await workspace.resume({ settings: { budget: { calls: DIVIDING + 1 } } }).result;
    expect(done).toMatchObject({ stopped: null, plan: { status: 'complete', paused_because: null } });
    expect([server.count, linkRequests().length]).toEqual([DIVIDING + 1, 1]);
    expect(await waits()).toEqual(LINKED);
    expect((await open()).plan.header.link_left).toBeUndefined();
  });

  test('that is paused before the question ends without it where link is off then', async () => {
    const { workspace, linkRequests } = await newPlace(GOOD);
    await workspace.init({ goal: TREE.description, settings: { budget: { calls: DIVIDING } } }).result;
    const done = await workspace.resume({ settings: { link: false } }).result;
    expect(done.plan).toMatchObject({ status: 'complete', paused_because: null });
    expect(linkRequests()).toEqual([]);
  });

  test('that is interrupted while the question is asked asks it again when it is resumed', async () => {
    const stop = new AbortController();
    const { workspace, linkRequests, waits } = await newPlace(GOOD, {
      until: async (request) => {
        if (isLink(request) && !stop.signal.aborted) {
          stop.abort();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
    });
    const paused = await workspace.init(TREE.description, {
      signal: stop.signal,
      dropSignal: stop.signal,
    }).result;
    expect(paused.stopped).toMatchObject({
      code: 'INTERRUPTED',
      message: expect.stringContaining('all goals are planned'),
    });
    expect(paused.plan.status).toBe('paused');
    await workspace.resume({}).result;
    expect(linkRequests()).toHaveLength(2);
    expect(await waits()).toEqual(LINKED);
  });
});

describe('a reply that is of no use costs the question and not the plan', () => {
  const isWide = async (place: Awaited<ReturnType<typeof newPlace>>) => {
    const { plan, stopped } = await place.workspace.init({ goal: TREE.description }).result;
    expect(stopped).toBeNull();
    expect(plan.status).toBe('complete');
    expect(await place.waits()).toEqual(WIDE);
    return plan.warnings;
  };

  test.each([
    ['prose', 'First write the schema, then the rest.'],
    ['an empty object', {}],
    ['text for a list', { needs: 'none', missing: [] }],
    ['a list of lists', [['1.1', '1.2']]],
  ])('%s', async (_, links) => {
    const warnings = await isWide(await newPlace(links));
    expect(warnings).toMatchObject([{ code: 'not_linked', goal_id: null }]);
    expect(warnings[0]?.message).toContain('plan dependencies link');
  });

  test('a server that fails', async () => {
    const faults = (request: SeenRequest) =>
      isLink(request) ? ({ kind: 'status', status: 401 } as const) : undefined;
    const place = await newPlace(GOOD, { faults });
    expect(await isWide(place)).toMatchObject([{ code: 'not_linked' }]);
    expect((await place.open()).plan.header.link_left).toBeUndefined();
  });

  test.each([
    ['no need at all', { needs: {}, missing: [] }],
    [
      'an entry for each leaf and nothing in any',
      { needs: { '1.1': [], '1.2': [], '2.1': [], '2.2': [] }, missing: [] },
    ],
    ['leaves that are not there', { needs: { '9.1': ['8'], '2.1': ['7.7'] }, missing: [] }],
    ['leaves that need themselves', { needs: { '1.1': ['1.1'], '2.1': ['2.1'] }, missing: [] }],
    ['parts in place of leaves', { needs: { '2': ['1'] }, missing: [] }],
  ])('%s', async (_, links) => {
    const warnings = await isWide(await newPlace(links));
    expect(warnings).toMatchObject([{ code: 'link_answer' }, ...warnings.slice(1)]);
  });

  test('half the leaves: a wait between parts stays where a leaf concerned has no entry', async () => {
    const { workspace, waits } = await newPlace({ needs: { '1.1': [], '2.1': ['1.2'] }, missing: [] });
    await workspace.init({ goal: TREE.description }).result;
    expect(await waits()).toEqual({ ...WIDE, 'Import rows': ['Write the seed'] });
  });

  test('goals that need each other: what closes a cycle is left out, and that is told', async () => {
    const { workspace, waits } = await newPlace({
      needs: { '1.1': ['2.2'], '1.2': [], '2.1': ['1.1'], '2.2': ['1.1', '2.1'] },
      missing: [],
    });
    const { plan } = await workspace.init({ goal: TREE.description }).result;
    expect(await waits()).toEqual({
      'Import rows': ['Write the schema'],
      'Send the report': ['Write the schema', 'Import rows'],
    });
    expect(plan.warnings.map(({ message }) => message).join()).toContain('1.1 needs 2.2');
  });

  test.each([
    ['that all leaves need the last', { '1.1': ['2.2'], '1.2': ['2.2'], '2.1': ['2.2'], '2.2': [] }],
    ['the order backwards', { '1.1': ['2.1'], '1.2': ['2.1'], '2.1': [], '2.2': [] }],
  ])('%s: where most of it cannot be kept, none is, and that is told', async (_, needs) => {
    const warnings = await isWide(await newPlace({ needs, missing: [] }, { tree: TREE }));
    expect(warnings.map(({ message }) => message).join()).toMatch(/could be kept.*nothing was changed/);
  });

  test('missing results that are of another kind, or that a goal makes, cost no other', async () => {
    const { workspace, linkRequests } = await newPlace({
      needs: GOOD.needs,
      missing: [
        5,
        { what: 3 },
        { what: 'A key', used_by: { a: 1 } },
        { what: 'WRITE the seed', used_by: ['2.1'] },
      ],
    });
    await workspace.init({ goal: TREE.description }).result;
    expect(linkRequests()).toHaveLength(1);
    expect((await workspace.status({})).linked).toMatchObject({ added: 2, missing: [] });
  });

  test('a missing result that nobody uses is no missing result', async () => {
    const { workspace } = await newPlace({
      needs: GOOD.needs,
      missing: [
        { what: 'Anything', used_by: [] },
        { what: ' ', used_by: ['1.1'] },
        { what: 'X', used_by: ['99'] },
      ],
    });
    await workspace.init({ goal: TREE.description }).result;
    expect((await workspace.status({})).linked?.missing).toEqual([]);
  });
});

test('a recording has the question; one without its answer plans without it, with a warning', async () => {
  const place = await newPlace(GOOD);
  const file = join(place.folder, 'recording.jsonl');
  await place.workspace.init({ goal: TREE.description, record: file }).result;
  const other = await newPlace(GOOD);
  await other.workspace.init({ goal: TREE.description, replay: file }).result;
  expect(await other.waits()).toEqual(LINKED);
  const { readFileSync } = await import('node:fs');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines).toHaveLength(DIVIDING + 1);
  const older = join(place.folder, 'older.jsonl');
  writeFileSync(older, lines.filter((line) => !line.includes('"name":"link"')).join('\n'));
  const third = await newPlace(GOOD);
  const { plan, stopped } = await third.workspace.init({ goal: TREE.description, replay: older }).result;
  expect(stopped).toBeNull();
  expect(plan.warnings).toMatchObject([{ code: 'not_linked' }]);
  expect(await third.waits()).toEqual(WIDE);
  expect(other.server.count + third.server.count).toBe(0);
});

test('what no goal makes is told until a goal is added that its user waits for, or its user is done', async () => {
  const { workspace, open } = await newPlace(GOOD);
  await workspace.init({ goal: TREE.description }).result;
  const missing = async () => (await workspace.status({})).linked?.missing.map(({ what }) => what);
  expect((await workspace.show('2.1')).missing_results).toMatchObject([{ code: 'MISSING_RESULT' }]);
  expect((await workspace.show('2.2')).missing_results).toEqual([]);
  expect((await workspace.context('2.1')).markdown).toContain(
    '## Missing\n\n- No goal makes: An account at the bank',
  );
  expect((await workspace.context('2.2')).markdown).not.toContain('An account');
  const { plan } = await open();
  const finished = async (words: string) => {
    const goal = [...plan.goals.values()].find(({ description }) => description === words);
    if (goal === undefined) throw new Error(`there is no ${words}`);
    return (await promptContext({ plan, goal }, { limit: 4000, slots: new Set(['finished']) })).slots
      .finished;
  };
  expect(await finished('Import rows')).toContain('made by no goal: An account at the bank');
  expect(await finished('Send the report')).toBe('');
  await workspace.add('Open an account at the bank');
  expect(await missing()).toEqual(['An account at the bank']);
  await workspace.depend('2.1', { on: ['3'] });
  expect(await missing()).toEqual([]);
  await workspace.undo({});
  expect(await missing()).toEqual(['An account at the bank']);
  await workspace.remove('2.1');
  expect(await missing()).toEqual([]);
});

test('what no goal makes is over when the leaves are compared again and it is not named', async () => {
  let missing: unknown = GOOD.missing;
  const server = await startModelServer({
    respond: (request) =>
      isLink(request)
        ? { ...GOOD, missing }
        : expansionOf(NODES.get(request.goal) ?? { description: request.goal, atomic: true }),
  });
  onTestFinished(() => server.close());
  const environment = {
    workingFolder: temporaryFolder(),
    homeFolder: temporaryFolder(),
    variables: { OPENAI_BASE_URL: server.baseUrl },
  };
  const workspace = openWorkspace({ environment });
  await workspace.init({ goal: TREE.description }).result;
  expect((await workspace.show('2.1')).missing_results).toHaveLength(1);
  missing = [];
  await workspace.dependencies.link({ apply: true });
  expect((await workspace.show('2.1')).missing_results).toEqual([]);
});

describe('an agent that answers', () => {
  async function planned() {
    const place = await newPlace(GOOD);
    const { workspace } = place;
    await workspace.init({ goal: TREE.description, expander: 'agent' }).result;
    const answer = answerFrom(TREE);
    let { questions, left } = await workspace.ask({ count: 5 });
    while (questions.some(({ kind }) => kind === 'expand'))
      ({ questions, left } = await workspace.answer({ answers: questions.map(answer), count: 5 }));
    return { ...place, questions, left };
  }

  test('has that question as the one that is left, and the plan waits for it alone', async () => {
    const { workspace, questions, left, waits } = await planned();
    expect(left).toBe(1);
    const [question] = questions;
    expect(question).toMatchObject({ kind: 'link', number: '' });
    expect(question?.schema).toMatchObject({
      properties: { needs: { type: 'array' }, missing: { type: 'array' } },
    });
    expect((await workspace.status({})).plan).toMatchObject({
      status: 'paused',
      paused_because: 'agent',
      pending_goals: 0,
    });
    expect((await workspace.next({})).goals).toHaveLength(2);
    expect(await workspace.ask({})).toMatchObject({ questions: [{ kind: 'link' }], left: 1 });
    const answers = [{ kind: 'link', question: question?.question, goal: question?.goal, ...GOOD }];
    const next = await workspace.answer({ answers });
    expect(next).toMatchObject({ refused: [], questions: [], left: 0 });
    expect(next.stored).toHaveLength(1);
    expect(next.links).toEqual([
      expect.objectContaining({
        goal: next.stored[0],
        replaced: [expect.objectContaining({ on_number: '1' })],
        missing: [expect.objectContaining({ what: 'An account at the bank' })],
        chain: [2, 2],
        can_start: [2, 2],
      }),
    ]);
    expect(next.links?.[0]?.added).toHaveLength(2);
    expect(await waits()).toEqual(LINKED);
    expect((await workspace.status({})).plan).toMatchObject({ status: 'complete', paused_because: null });
    await workspace.undo({});
    expect(await waits()).toEqual(WIDE);
  });

  test('need not name the question or goal while no leaf has changed; an empty answer ends it', async () => {
    const { workspace, waits } = await planned();
    const next = await workspace.answer({ answers: [{ kind: 'link', needs: {}, missing: [] }] });
    expect(next).toMatchObject({ refused: [], left: 0 });
    expect(await waits()).toEqual(WIDE);
    expect(await workspace.ask({})).toEqual({ questions: [], left: 0 });
    expect((await workspace.status({})).plan.status).toBe('complete');
  });

  test('is asked again after a leaf has changed, and after an answer that cannot be read', async () => {
    const { workspace, questions, waits } = await planned();
    const bad = await workspace.answer({ answers: [{ kind: 'link', needs: 'all' }] });
    expect(bad).toMatchObject({ refused: [{ code: 'malformed' }], left: 1, questions: [{ kind: 'link' }] });
    await workspace.edit('1.1', { description: 'Write another schema' });
    const late = await workspace.answer({ answers: [{ kind: 'link', ...GOOD }] });
    expect(late).toMatchObject({ stored: [], refused: [{ code: 'malformed' }], left: 1 });
    const named = await workspace.answer({
      answers: [{ kind: 'link', question: questions[0]?.question, ...GOOD }],
    });
    expect(named).toMatchObject({ stored: [], refused: [{ code: 'late' }], left: 1 });
    expect(await waits()).toEqual(WIDE);
    const again = await workspace.answer({
      answers: [{ kind: 'link', question: named.questions[0]?.question, ...GOOD }],
    });
    expect(again).toMatchObject({ refused: [], left: 0 });
  });
});

test('a question is left open by what was divided, until it was answered or planning ended', () => {
  const stamp = { id: 'e', at: '2026-01-01T00:00:00Z', by: 'x', replica: 'r', clock: 1 };
  const usage = { calls: 1, input_tokens: 1, output_tokens: 1, cost_usd: 0 };
  const divided = {
    ...stamp,
    type: 'goal_expanded' as const,
    goal: 'p-a',
    atomic: true,
    reasoning: null,
    sub_goals: [],
  };
  const paused = { ...stamp, type: 'plan_paused' as const, because: 'user' as const };
  const ended = { ...stamp, type: 'planning_ended' as const, run: 'r' };
  expect(isLinkDue([divided])).toBe(false);
  expect(isLinkDue([{ ...divided, usage }])).toBe(true);
  expect(isLinkDue([{ ...divided, usage }, paused, ended])).toBe(true);
  expect(isLinkDue([{ ...divided, usage }, ended])).toBe(false);
});
