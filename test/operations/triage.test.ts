import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';

import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { startModelServer } from '../support/model-server.js';
import type { ModelServerOptions, SeenRequest } from '../support/model-server.js';

/** A document with work, with what is only told, and with a section that is one piece of work. */
const DOCUMENT = `# Booking desk

A desk for two clerks.

## Features

- Search rooms by date
- Book a room for a guest
- Cancel a booking
- Guests have a name and an e-mail
- The search answers within 200 ms
- No payment by card in this version
- Send a confirmation by e-mail

## Screen of the day

- Rooms in rows
- Hours in columns
- Taken hours are grey

## Reports

- Monthly report as CSV
- Report of cancelled bookings
`;

/** Numbers of what is no work in it. */
const TOLD = [
  { number: '1.4', as: 'context' },
  { number: '1.5', as: 'criterion' },
  { number: '1.6', as: 'excluded' },
  { number: '2.1', as: 'context' },
  { number: '2.2', as: 'context' },
  { number: '2.3', as: 'context' },
];
const WORK = [
  'Search rooms by date',
  'Book a room for a guest',
  'Cancel a booking',
  'Send a confirmation by e-mail',
  'Screen of the day',
  'Monthly report as CSV',
  'Report of cancelled bookings',
];

const isTriage = ({ system }: SeenRequest) => system.startsWith('A program has read a document');

async function newPlace(
  told: unknown,
  options: { document?: string; file?: string } & Pick<ModelServerOptions, 'faults' | 'until'> = {},
) {
  const { document = DOCUMENT, file = 'PRD.md', ...others } = options;
  const server = await startModelServer({
    respond: (request) =>
      isTriage(request) ? told : { reasoning: 'Small.', atomic: true, decisions: [], sub_goals: [] },
    ...others,
  });
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  writeFileSync(join(folder, file), document);
  const environment = {
    workingFolder: folder,
    homeFolder: temporaryFolder(),
    variables: { OPENAI_BASE_URL: server.baseUrl },
  };
  const workspace = openWorkspace({ environment });
  const opened = async () => {
    const [summary] = (await workspace.list()).plans;
    const context = createContext({ environment: { ...defaultEnvironment(), ...environment } });
    return context.store().open(summary?.id ?? '', 'log');
  };
  const goals = async () => [...(await opened()).plan.goals.values()];
  /** The leaves of the plan, in words. */
  const leaves = async () =>
    (await goals()).filter(({ child_ids: below }) => below.length === 0).map((goal) => goal.description);
  const named = async (description: string) =>
    (await goals()).find((goal) => goal.description === description);
  const settings = { link: false };
  return {
    workspace,
    server,
    opened,
    goals,
    leaves,
    named,
    init: (more: Parameters<typeof workspace.init>[0] & object = {}) =>
      workspace.init({ from: file, settings, ...more }).result,
    questions: () => server.requests.filter(isTriage),
  };
}

describe('planning a document with a model', () => {
  test('asks first which of its goals are work, and divides only those', async () => {
    const { init, server, questions, leaves, named, opened } = await newPlace({ told: TOLD });
    const { warnings, plan } = await init();
    expect(isTriage(server.requests[0] as SeenRequest)).toBe(true);
    expect(questions()).toHaveLength(1);
    expect(questions()[0]?.user).toContain('\n  1.4 Guests have a name and an e-mail\n');
    expect((await leaves()).toSorted()).toEqual(WORK.toSorted());
    // One question, and one for each goal that is left: three parts of the screen are asked about as one.
    expect([server.count, plan.usage?.calls]).toEqual([WORK.length + 1, WORK.length + 1]);
    expect(await named('Features')).toMatchObject({
      detail: '- Guests have a name and an e-mail\n- Not to be done: No payment by card in this version',
      acceptance: ['The search answers within 200 ms'],
    });
    expect(await named('Screen of the day')).toMatchObject({
      status: 'atomic',
      detail: '- Rooms in rows\n- Hours in columns\n- Taken hours are grey',
    });
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'triaged',
        message: expect.stringMatching(/^6 of 15 goals of the document are no work by the model’s answer; /),
      }),
    ]);
    const types = (await (await opened()).events()).map(({ type }) => type);
    expect(types.indexOf('usage_added')).toBeLessThan(types.indexOf('goal_removed'));
    expect(types.filter((type) => type === 'goal_removed')).toHaveLength(3);
  });

  test('is taken back as a whole by undo', async () => {
    const { init, workspace, opened } = await newPlace({ told: TOLD });
    await init();
    await workspace.undo({});
    expect((await opened()).plan.counts.total).toBe(1);
    await workspace.redo({});
    expect((await opened()).plan.counts.total).toBe(10);
  });

  test.each([
    ['boxes', DOCUMENT.replaceAll('\n- ', '\n- [ ] '), {}],
    ['few goals', DOCUMENT.slice(0, DOCUMENT.indexOf('- Guests')), {}],
    ['all of its sections', DOCUMENT, { all: true }],
    ['the setting off', DOCUMENT, { settings: { link: false, triage: false } }],
    ['rules', DOCUMENT, { settings: {}, expander: 'rules' as const }],
  ])('asks nothing before of a document with %s', async (_what, document, more) => {
    const { init, questions, workspace } = await newPlace({ told: TOLD }, { document });
    await init(more);
    await workspace.resume({}).result;
    expect(questions()).toEqual([]);
  });

  test('takes boxes as work among others, and shows them', async () => {
    const document = DOCUMENT.replace('- Guests', '- [ ] Guests').replace('- Hours', '- [ ] Hours');
    const { init, questions, leaves, goals } = await newPlace({ told: [...TOLD, '2'] }, { document });
    await init();
    expect(questions()[0]?.user).toContain('\n  1.4 Guests have a name and an e-mail\n');
    expect(await leaves()).toEqual(
      expect.arrayContaining(['Guests have a name and an e-mail', 'Hours in columns']),
    );
    expect((await goals()).map(({ description }) => description)).not.toContain('Rooms in rows');
  });

  test('leaves alone what somebody has taken in hand, and what those wait for who take over', async () => {
    const document = DOCUMENT.replace(
      '- Rooms in rows',
      '- Rooms in rows (depends on “Book a room for a guest”)',
    );
    const { init, workspace, leaves, named, goals } = await newPlace({ told: TOLD }, { document });
    await init({ decompose: false });
    await workspace.edit('1.4', { description: 'Guests have a name, an e-mail and a phone' });
    await workspace.decide('1.6', { what: 'cards', choice: 'none' });
    await workspace.resume({}).result;
    expect(await leaves()).toEqual(
      expect.arrayContaining([
        'Guests have a name, an e-mail and a phone',
        'No payment by card in this version',
      ]),
    );
    const booking = (await goals()).find(({ description }) => description === 'Book a room for a guest');
    expect(await named('Screen of the day')).toMatchObject({ status: 'atomic', dependencies: [booking?.id] });
  });

  test('leaves alone what somebody changes or removes while it is asked', async () => {
    const { init, workspace, leaves } = await newPlace(
      { told: [...TOLD, '1.1'] },
      {
        until: async (request) => {
          if (!isTriage(request)) return;
          await workspace.edit('1.4', { description: 'Guests have a name' });
          await workspace.depend('2.1', { on: ['1.2'] });
          await workspace.remove('1.1');
        },
      },
    );
    const { warnings } = await init();
    expect(await leaves()).toEqual(expect.arrayContaining(['Guests have a name', 'Rooms in rows']));
    expect(await leaves()).not.toContain('Hours in columns');
    expect(warnings.map(({ code }) => code)).toEqual(['triaged']);
  });

  test('does not follow an answer by which nothing would be left to do', async () => {
    const document = DOCUMENT.replace('## Reports', '## Reports (done)')
      .replaceAll('- Monthly', '- [x] Monthly')
      .replaceAll('- Report of', '- [x] Report of');
    const { init, leaves, opened } = await newPlace({ told: ['1', '2'] }, { document });
    await init();
    expect(await leaves()).toHaveLength(12);
    expect((await opened()).plan.header.warnings).toMatchObject([
      { code: 'triage_answer', message: expect.stringContaining('nothing would be left to do') },
    ]);
  });

  test('keeps all that the document says of what goes', async () => {
    const document = DOCUMENT.replace(
      '- Cancel a booking\n',
      '- **FR-007 (P1):** Cancel a booking\n  - Until the evening before\n\n    ```sql\n    delete from bookings\n    ```\n',
    ).replace(
      '## Reports',
      '## Archive\n\n### Out of scope\n\n- Paper\n\n### Work\n\n- Keep bookings for ten years\n\n## Reports',
    );
    const { init, goals } = await newPlace({ told: ['1.3', '3'] }, { document });
    await init();
    const all = JSON.stringify((await goals()).map(({ detail }) => detail));
    for (const said of ['FR-007', 'P1', 'Until the evening before', 'delete from bookings', 'Archive'])
      expect(all).toContain(said);
    expect(all).toContain('Not to be done: Paper');
    expect(all).toContain('Keep bookings for ten years');
  });

  test('asks nothing before of the tasks of another tool', async () => {
    const tasks = Array.from({ length: 12 }, (_, index) => ({
      id: index + 1,
      title: `Task ${index + 1}`,
      description: '',
      status: 'pending',
      dependencies: [],
    }));
    const { init, questions, leaves } = await newPlace(
      { told: [{ number: '1', as: 'context' }] },
      { document: JSON.stringify({ master: { tasks } }), file: 'tasks.json' },
    );
    await init();
    expect([questions().length, (await leaves()).length]).toEqual([0, 12]);
  });

  test.each([
    ['numbers alone', { told: ['1.4', '[2]'] }, 5],
    ['an object', { told: { 1.4: 'context', 2: 'whatever' } }, 5],
    ['numbers that are none in quotes', { told: [{ number: 1.4, as: 'context' }, { number: 2 }] }, 5],
    ['a section of which a part is named too', { told: [...TOLD, { number: '2', as: 'criterion' }] }, 7],
    ['nothing', { told: [] }, 0],
    ['what is not there', { told: ['9.9', '__proto__', 'root', '', '1.4.4'] }, 0],
    ['everything', { told: ['1', '2', '3'] }, 15],
  ])('understands an answer of %s', async (_what, answer, gone) => {
    const { init, goals, opened } = await newPlace(answer);
    await init();
    expect(16 - (await goals()).length).toBe(gone);
    expect((await opened()).plan.counts.pending).toBe(0);
  });

  test.each([
    ['words', 'I would rather not.'],
    ['another question', { reasoning: 'One thing.', atomic: true, decisions: [], sub_goals: [] }],
  ])('goes on without an answer that cannot be used, and says so: %s', async (_what, answer) => {
    const { init, leaves, opened, workspace, questions } = await newPlace(answer);
    await init();
    expect((await leaves()).length).toBe(12);
    expect((await opened()).plan.header.warnings).toEqual([expect.objectContaining({ code: 'not_triaged' })]);
    const asked = questions().length;
    await workspace.resume({}).result;
    expect(questions().length).toBe(asked);
  });

  test('pauses where nobody answers or the budget is spent, and begins with that question again', async () => {
    let isDown = true;
    const { init, leaves, workspace, questions, opened } = await newPlace(
      { told: TOLD },
      { faults: () => (isDown ? { kind: 'status', status: 401 } : undefined) },
    );
    const { stopped } = await init({ decompose: false });
    expect([stopped, questions()]).toEqual([null, []]);
    expect((await workspace.resume({}).result).stopped).not.toBeNull();
    isDown = false;
    const spent = await workspace.resume({ settings: { link: false, budget: { calls: 2 } } }).result;
    expect(spent.stopped).toMatchObject({ code: 'BUDGET_REACHED' });
    const before = questions().length;
    await workspace.resume({ settings: { link: false, budget: { calls: 50 } } }).result;
    expect(questions().length - before).toBe(0);
    expect((await opened()).plan.counts.pending).toBe(0);
    expect((await leaves()).toSorted()).toEqual(WORK.toSorted());
  });

  test('asks an agent by a question of its own, and stores its answer as that of a model', async () => {
    const { workspace, leaves, server, opened } = await newPlace({ told: [] });
    const planning = workspace.init({ from: 'PRD.md', settings: { link: false, expander: 'agent' } });
    const notices: string[] = [];
    for await (const event of planning) if (event.type === 'notice') notices.push(event.message);
    expect(notices.join('\n')).toMatch(/First `plan ask \w+ --kind triage` asks which goals .* are work\./);
    const { questions } = await workspace.ask({ kind: 'triage' });
    expect(questions).toMatchObject([{ kind: 'triage', number: '' }]);
    expect(questions[0]?.schema).toMatchObject({ properties: { told: { type: 'array' } } });
    const { question } = questions[0] ?? {};
    const answer = { question, told: TOLD };
    expect((await workspace.answer({ answers: [{ told: TOLD }] })).refused[0]?.message).toContain(question);
    const stored = await workspace.answer({ answers: [answer] });
    expect([stored.stored.length, stored.refused]).toEqual([1, []]);
    expect((await leaves()).toSorted()).toEqual(WORK.toSorted());
    expect((await workspace.ask({ kind: 'triage' })).questions).toEqual([]);
    // What was asked is asked about as goals, the screen as one.
    expect((await workspace.ask({ count: 20 })).questions).toHaveLength(WORK.length);
    expect((await workspace.answer({ answers: [answer] })).refused).toMatchObject([{ code: 'late' }]);
    const { usage } = (await opened()).plan.header;
    expect([server.count, usage?.calls, usage?.cost_usd]).toEqual([0, 0, null]);
  });

  test('tells before what the question takes', async () => {
    const { init, workspace, server } = await newPlace({ told: TOLD });
    const { dry } = await init({ dryRun: true });
    expect(dry?.estimate.assumptions).toContainEqual(
      expect.stringMatching(/^one call before to ask which goals of the document are work, of [\d,]+ tokens/),
    );
    const without = await workspace.init({
      from: 'PRD.md',
      dryRun: true,
      settings: { link: false, triage: false },
    }).result;
    expect((dry?.estimate.calls.low ?? 0) - (without.dry?.estimate.calls.low ?? 0)).toBe(1);
    expect(server.count).toBe(0);
  });
});

describe('a document of several questions', () => {
  const SECTIONS = Array.from({ length: 30 }, (_, part) => part + 1);
  const LARGE = [
    '# Large',
    ...SECTIONS.flatMap((part) => [
      `## Part ${part}`,
      ...Array.from({ length: 9 }, (_, item) => `- Build thing ${part}.${item + 1}`),
    ]),
  ].join('\n');

  test('is asked about goal by goal once, whatever went before, and also across a pause', async () => {
    // In each question the first of its goals goes; its number is another one by then.
    const { init, workspace, server, questions, opened } = await newPlace(null, {
      document: LARGE,
      faults: (request) => {
        if (!isTriage(request)) return undefined;
        const [, number] = /<goals>\s*(?:\d+ Part.*\n\s*)?(\d+\.\d+) /.exec(request.user) ?? [];
        return { kind: 'content', content: JSON.stringify({ told: [number] }) };
      },
    });
    const { stopped } = await init({ settings: { link: false, budget: { calls: 2 } } });
    expect([stopped?.code, server.count]).toEqual(['BUDGET_REACHED', 2]);
    await workspace.resume({ settings: { link: false, budget: { calls: 2000 } } }).result;
    const shown = questions().flatMap(({ user }) => user.match(/Build thing \d+\.\d+/g) ?? []);
    expect(questions()).toHaveLength(3);
    expect([shown.length, new Set(shown).size]).toEqual([270, 270]);
    const { plan } = await opened();
    expect(plan.counts).toMatchObject({ total: 1 + 30 + 270 - 3, pending: 0 });
  });
});

describe('whatever a model says is no work', () => {
  test('every line of the document is in the plan', async () => {
    const { triageChanges } = await import('../../src/planning/triage/triage-changes.js');
    const { init, opened } = await newPlace({ told: [] });
    await init({ decompose: false });
    const { plan } = await opened();
    const { simulate } = await import('../../src/plan/simulate.js');
    const { depthFirst } = await import('../../src/plan/tree.js');
    const all = new Map([...depthFirst(plan)].map(({ goal, number }) => [number, goal.id]));
    all.delete('');
    const who = { by: 'ana', at: '2026-01-01T00:00:00.000Z' };
    const lines = DOCUMENT.split('\n').flatMap((line) => line.replace(/^(?:- |#+ )/, '').trim() || []);
    const told = fc.array(
      fc.record({
        number: fc.constantFrom(...all.keys()),
        as: fc.constantFrom('context' as const, 'criterion' as const, 'excluded' as const),
      }),
      { maxLength: 12 },
    );
    const seen = fc.subarray([...all]);
    fc.assert(
      fc.property(told, seen, (answer, asked) => {
        const { events, gone } = triageChanges(
          plan,
          { told: answer },
          { goals: new Map(asked), settled: new Set(), at: who.at },
        );
        let next = plan;
        for (const event of events) {
          const { plan: changed, refused } = simulate(next, event, who);
          expect(refused).toBeNull();
          next = changed ?? next;
        }
        expect(plan.goals.size - next.goals.size).toBe(gone);
        const text = JSON.stringify([...next.goals.values()]);
        for (const line of lines) expect(text).toContain(line);
      }),
    );
  });
});
