import { expect, onTestFinished, test } from 'vitest';

import { newUser } from '../support/command.js';
import { startModelServer } from '../support/model-server.js';
import type { SeenRequest } from '../support/model-server.js';

const LEAVES = [
  { description: 'Handle edge cases', atomic: true },
  { description: 'Build the login form', atomic: true, acceptance: ['It works'] },
  { description: 'Show the shop to the first guest', atomic: true, acceptance: ['Ana has bought bread'] },
];

const REPLIES: Readonly<Record<string, object>> = {
  'Handle edge cases': {
    reason: 'It names nothing.',
    is_problem: true,
    description: 'Refuse orders of no items and of more than 99',
    acceptance: ['An order of 100 loaves is refused with a message'],
  },
  'Build the login form': {
    reason: 'The check says nothing.',
    is_problem: true,
    description: null,
    acceptance: ['A wrong password is refused'],
  },
};

async function newPlace(
  respond = ({ goal }: SeenRequest): unknown => REPLIES[goal],
  until: (request: SeenRequest) => Promise<void> = async () => undefined,
) {
  const server = await startModelServer({ respond, until });
  onTestFinished(() => server.close());
  const user = newUser();
  await user.run(['init', 'Open the shop', '--expander', 'agent', '--no-link']);
  const answer = JSON.stringify({ goal: 'root', atomic: false, sub_goals: LEAVES });
  await user.run(['answer', '--from', '-'], {}, answer);
  const goals = async () =>
    (
      (await user.run(['tree', '--json'])).json().goals as readonly {
        description: string;
        acceptance?: readonly string[];
      }[]
    ).map(({ description, acceptance = [] }) => [description, ...acceptance].join(' | '));
  return { user, server, goals, environment: { OPENAI_BASE_URL: server.baseUrl } };
}

test('check --ask asks about the flagged goals alone, shows what would change, and changes nothing', async () => {
  const { user, server, goals, environment } = await newPlace();
  const before = await goals();
  const { out, status } = await user.run(['check', '--ask', '--model', 'small'], environment);
  expect(status).toBe(0);
  expect(server.requests.map(({ goal }) => goal).toSorted()).toEqual(Object.keys(REPLIES).toSorted());
  expect(out).toContain(
    '~ 1  Handle edge cases\n    It names nothing.\n      reads: Refuse orders of no items',
  );
  expect(out).toContain('      done when: A wrong password is refused');
  expect(out).toContain('2 goals would change; --apply changes what is shown.');
  expect(await goals()).toEqual(before);
  expect((await user.run(['status', '--json'])).json()).toMatchObject({ plan: { usage: { calls: 2 } } });
});

test('with --apply what was answered is one change, which one undo takes back', async () => {
  const { user, goals, environment } = await newPlace();
  const before = await goals();
  const { asked, total } = (
    await user.run(['check', '--ask', '--apply', '--model', 'small', '--json'], environment)
  ).json() as { asked: { applied: boolean; left_out: number }; total: number };
  expect(asked).toMatchObject({ applied: true, left_out: 0, usage: { calls: 2 } });
  expect(total).toBe(0);
  expect(await goals()).toEqual([
    before[0],
    'Refuse orders of no items and of more than 99 | An order of 100 loaves is refused with a message',
    'Build the login form | A wrong password is refused',
    before[3],
  ]);
  await user.run(['undo', '--yes']);
  expect(await goals()).toEqual(before);
});

test('what somebody else edits while the model is asked stays, and the command says so', async () => {
  const place = await newPlace(undefined, async ({ goal }) => {
    const number = goal === 'Handle edge cases' ? '1' : '2';
    await place.user.run(['edit', number, `Mine ${number}`]);
  });
  const { user, goals, environment } = place;
  const { out, status } = await user.run(['check', '--ask', '--apply', '--model', 'small'], environment);
  expect(status).toBe(0);
  expect(out.match(/not changed: it was edited while it was asked about/g)).toHaveLength(2);
  expect(out).toContain('No goal could be changed.');
  expect((await goals()).slice(1, 3)).toEqual(['Mine 1', 'Mine 2 | It works']);
});

test('a finding that is none, a reply of no use and a budget that is reached leave the goals as they are', async () => {
  const none = { reason: 'Clear.', is_problem: false, description: 'Something else', acceptance: null };
  const { user, server, goals, environment } = await newPlace(({ goal }) =>
    goal === 'Handle edge cases' ? none : { ...REPLIES[goal], acceptance: ['It works'] },
  );
  const before = await goals();
  const apply = ['check', '--ask', '--apply', '--model', 'small'];
  const { out } = await user.run(apply, environment);
  expect(out).toContain('✓ 1  Handle edge cases\n    Clear.\n');
  expect(out).toMatch(
    /Not answered: the model’s answer cannot be used: .*no more than that the goal is done/,
  );
  expect(out).toContain('No goal would change.');
  const asked = server.count;
  expect((await user.run([...apply, '--budget-calls', '1'], environment)).out).toContain('Not answered: ');
  expect([await goals(), server.count]).toEqual([before, asked]);
  expect((await user.run(['check', '--apply'])).status).toBe(2);
  expect((await user.run(['check', '--ask'])).error).toContain('plan ask --kind check');
});

test('replies of a weak model change no goal, and it is told of each that it was not answered', async () => {
  const good = { reason: 'r', is_problem: true, description: null, acceptance: ['A till rings 3 times'] };
  const weak: readonly unknown[] = [
    '',
    'The goal should be clearer, e.g. name the cases.',
    {},
    { ...good, acceptance: [] },
    { ...good, acceptance: ['One', 'Two', 'Three', 'Four'] },
    { ...good, acceptance: ['All tests pass'] },
    { ...good, description: ' ' },
    { ...good, description: 'open THE shop!' },
    { ...good, description: 'Build the login form.' },
    { ...good, description: 'and so on '.repeat(100) },
    { ...good, acceptance: [{ check: 'A till rings' }] },
    `\`\`\`json\n${JSON.stringify({ problem: [good] })}\n\`\`\``,
  ];
  for (const reply of weak) {
    const { user, goals, environment } = await newPlace(({ goal }) =>
      goal === 'Handle edge cases' ? reply : { ...good, is_problem: false },
    );
    const before = await goals();
    const { out } = await user.run(['check', '--ask', '--apply', '--model', 'small'], environment);
    expect([JSON.stringify(reply), await goals(), out.match(/Not answered: /g)]).toEqual([
      JSON.stringify(reply),
      before,
      ['Not answered: '],
    ]);
  }
});

test('an agent is asked the same, one question a goal, and its answer is undone by one undo', async () => {
  const { user, goals } = await newPlace();
  const before = await goals();
  const { questions, left } = (await user.run(['ask', '--kind', 'check', '--json'])).json() as {
    questions: readonly { goal: string; question: string; number: string; messages: readonly unknown[] }[];
    left: number;
  };
  expect([left, questions.map(({ number }) => number)]).toEqual([2, ['1', '2']]);
  expect(JSON.stringify(questions[0]?.messages)).toContain('VAGUE_LEAF: 1 “Handle edge cases”');
  const answer = { kind: 'check', ...questions[0], ...REPLIES['Handle edge cases'] };
  const { out } = await user.run(['answer', '--from', '-'], {}, JSON.stringify(answer));
  expect(out).toContain('Stored 1 answer.');
  expect((await goals())[1]).toBe(
    'Refuse orders of no items and of more than 99 | An order of 100 loaves is refused with a message',
  );
  expect((await user.run(['answer', '--from', '-'], {}, JSON.stringify(answer))).status).toBe(4);
  await user.run(['undo', '--yes']);
  expect(await goals()).toEqual(before);
});

test('several answers at once do not refuse one another, carry the name of who gave them, and end the questions', async () => {
  const { user, goals } = await newPlace();
  type Asked = { questions: readonly { goal: string; question: string }[]; left: number };
  const { questions } = (await user.run(['ask', '--kind', 'check', '--json'])).json() as Asked;
  const [first, second] = Object.values(REPLIES);
  const broken = { ...first, description: 'Refuse orders\nof no items' };
  const answers = [
    { kind: 'check', ...questions[0], ...broken },
    { kind: 'check', ...questions[1], ...second },
  ];
  const given = ['answer', '--from', '-', '--by', 'ana', '--json'];
  const stored = (await user.run(given, {}, JSON.stringify({ answers }))).json();
  expect(stored).toMatchObject({ refused: [], left: 0 });
  expect((await goals()).slice(1, 3)).toEqual([
    'Refuse orders of no items | An order of 100 loaves is refused with a message',
    'Build the login form | A wrong password is refused',
  ]);
  const { events } = (await user.run(['log', '--json'])).json() as { events: readonly object[] };
  expect(JSON.stringify(events)).toContain('"ana"');
});

test('a goal that was found to be well, or for which no better words are known, is not asked about again', async () => {
  const { user, goals } = await newPlace();
  const before = await goals();
  type Asked = { questions: readonly { goal: string; question: string }[]; left: number };
  let asked = (await user.run(['ask', '--kind', 'check', '--json'])).json() as Asked;
  for (const is_problem of [false, true]) {
    const reply = { reason: 'So.', is_problem, description: null, acceptance: null };
    const answer = JSON.stringify({ kind: 'check', ...asked.questions[0], ...reply });
    const next = (await user.run(['answer', '--from', '-', '--json'], {}, answer)).json();
    expect(next).toMatchObject({ refused: [], left: asked.left - 1 });
    asked = next as unknown as Asked;
  }
  expect((await user.run(['ask', '--kind', 'check', '--json'])).json()).toMatchObject({ left: 0 });
  expect(await goals()).toEqual(before);
});
