import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { planAnswer } from '../../src/features/mcp/tools/plan-answer.js';
import { planEdit } from '../../src/features/mcp/tools/plan-edit.js';
import { newUser } from '../support/command.js';
import { toolWorld } from '../support/tool-world.js';

/** A plan that an agent has answered for: 1 is divided into three, of which 1.2 is divided; 2 is atomic. */
async function newPlace() {
  const { folder, home } = newUser();
  const environment = { workingFolder: folder, homeFolder: home, variables: { FRCTL_BY: 'ana' } };
  const workspace = openWorkspace({ environment });
  await workspace.init({ goal: 'Run a bakery', expander: 'agent' }).result;
  const open = (description: string) => ({ description, atomic: false });
  const atomic = (description: string) => ({ description, atomic: true });
  const answers = [
    { goal: 'root', atomic: false, sub_goals: [open('Bake the bread'), atomic('Open the doors')] },
    {
      goal: '1',
      atomic: false,
      sub_goals: [atomic('Buy the flour'), open('Make the dough'), atomic('Heat the oven')],
    },
    { goal: '1.2', atomic: false, sub_goals: [atomic('Mix it'), atomic('Let it rise')] },
  ];
  for (const answer of answers) await workspace.answer({ answers: [answer], count: 0 });
  const redo = async (goal: string, because?: string) =>
    planEdit.run(toolWorld(environment), planEdit.input.parse({ changes: [{ op: 'redo', goal, because }] }));
  const ask = async () => (await workspace.ask({ count: 5 })).questions;
  const asked = async (number: string) =>
    (await ask()).find((question) => question.number === number)?.messages[1]?.content ?? '';
  const answer = async (given: Record<string, unknown>) =>
    planAnswer.run(toolWorld(environment), planAnswer.input.parse({ answers: [given] }));
  const outline = async () =>
    [...(await workspace.tree()).goals]
      .filter(({ number }) => number !== '')
      .map(({ number, description, status }) => `${number} ${description}: ${status}`);
  return { workspace, redo, ask, asked, answer, atomic, open, outline };
}

const idsOf = async ({ workspace }: Awaited<ReturnType<typeof newPlace>>) =>
  new Map((await workspace.tree()).goals.map(({ description, id }) => [description, id]));

test('redo asks anew with what it replaces and why, and keeps what the answer repeats', async () => {
  const place = await newPlace();
  const before = await idsOf(place);
  await place.redo('1', 'The oven is a gas one');
  const question = await place.asked('1');
  expect(question).toMatch(/<failure>\s*The oven is a gas one\s*<\/failure>/);
  expect(question).toMatch(
    /<parts>[^]*Buy the flour[^]*Make the dough[^]*Mix it[^]*Heat the oven[^]*<\/parts>/,
  );
  const { goal } = (await place.ask())[0] ?? {};
  await place.answer({
    goal,
    atomic: false,
    sub_goals: [place.atomic('Buy the flour'), place.open('Make the dough'), place.atomic('Light the gas')],
  });
  expect(await place.outline()).toEqual([
    '1 Bake the bread: decomposing',
    '1.1 Buy the flour: atomic',
    '1.2 Make the dough: decomposing',
    '1.2.1 Mix it: atomic',
    '1.2.2 Let it rise: atomic',
    '1.3 Light the gas: atomic',
    '2 Open the doors: atomic',
  ]);
  const after = await idsOf(place);
  for (const kept of ['Buy the flour', 'Make the dough', 'Mix it', 'Let it rise'])
    expect(after.get(kept)).toBe(before.get(kept));
  expect((await place.workspace.log()).map(({ message }) => message).join('\n')).toContain(
    'The oven is a gas one',
  );
});

test('an answer that repeats nothing divides the goal as if it were new', async () => {
  const place = await newPlace();
  await place.redo('1', 'wrong');
  const { goal } = (await place.ask())[0] ?? {};
  await place.answer({
    goal,
    atomic: false,
    sub_goals: [place.atomic('Buy bread'), place.atomic('Sell it')],
  });
  expect(await place.outline()).toEqual([
    '1 Bake the bread: decomposing',
    '1.1 Buy bread: atomic',
    '1.2 Sell it: atomic',
    '2 Open the doors: atomic',
  ]);
  // What was asked is answered: the next question of the goal's parts has nothing of it.
  await place.redo('1.1');
  expect(await place.asked('1.1')).not.toMatch(/wrong|<parts>/);
});

test('redo of a goal that was found atomic, or has failed, asks about it with the reason', async () => {
  const place = await newPlace();
  await place.redo('2', 'There are three doors');
  expect(await place.asked('2')).toMatch(/<failure>\s*There are three doors\s*<\/failure>/);
  await expect(place.redo('2')).rejects.toMatchObject({
    code: 'WRONG_STATE',
    message: expect.stringContaining('waits to be planned already') as string,
  });
  await place.workspace.fail('1.1', { reason: 'The mill is closed' });
  await place.redo('1.1', 'Another way');
  expect(await place.asked('1.1')).toMatch(/<failure>[^]*Another way[^]*The mill is closed[^]*<\/failure>/);
});

test('replan of a plan that an agent answers for asks it, and undo takes that back', async () => {
  const place = await newPlace();
  const before = await place.outline();
  const shown = await place.workspace.replan('1', { because: 'x', preview: true }).result;
  expect([shown.applied, shown.changes.length > 0, await place.outline()]).toEqual([false, true, before]);
  const done = await place.workspace.replan('1', { because: 'The oven is a gas one' }).result;
  expect(done).toMatchObject({ applied: true, plan: { status: 'paused', paused_because: 'agent' } });
  expect(await place.asked('1')).toMatch(/The oven is a gas one[^]*<parts>|<parts>[^]*The oven is a gas one/);
  const { goal } = (await place.ask())[0] ?? {};
  await place.answer({
    goal,
    atomic: false,
    sub_goals: [place.open('Make the dough'), place.atomic('Sell')],
  });
  expect(await place.outline()).toContain('1.1.2 Let it rise: atomic');
  await place.workspace.undo({});
  expect(await place.outline()).toEqual(before);
  await place.workspace.complete('1.1');
  await expect(place.redo('1')).rejects.toMatchObject({ code: 'REFUSED' });
});

test.each([
  ['a part that it repeats', 'Heat the oven'],
  ['no part', 'Light the gas'],
])('what was moved out is not added to a goal again by an answer with %s', async (_case, other) => {
  const place = await newPlace();
  await place.workspace.move('1.1', { under: 'root' });
  const there = (await idsOf(place)).get('Buy the flour');
  await place.redo('1', 'The oven is a gas one');
  const { goal } = (await place.ask())[0] ?? {};
  const waiting = { ...place.atomic('Weigh the flour'), depends_on: [1] };
  const sub_goals = [place.atomic('Buy the flour'), place.atomic(other), waiting];
  const { warnings } = await place.workspace.answer({ answers: [{ goal, atomic: false, sub_goals }] });
  expect(JSON.stringify(warnings)).toContain('repeated what was moved to another part');
  expect((await place.outline()).filter((line) => line.includes('Buy the flour'))).toHaveLength(1);
  const { goals } = await place.workspace.tree();
  expect(goals.find(({ description }) => description === 'Weigh the flour')?.dependencies).toEqual([there]);
});

test('a goal whose work became its first part keeps that part when an answer repeats it', async () => {
  const place = await newPlace();
  await place.workspace.add('Weigh the flour', { under: '1.1' });
  const before = (await idsOf(place)).get('Buy the flour');
  await place.redo('1.1');
  const { goal } = (await place.ask())[0] ?? {};
  const sub_goals = ['Buy the flour', 'Weigh the flour', 'Carry it home'].map(place.atomic);
  await place.answer({ goal, atomic: false, sub_goals });
  expect((await place.outline()).slice(1, 5)).toEqual([
    '1.1 Buy the flour: decomposing',
    '1.1.1 Buy the flour: atomic',
    '1.1.2 Weigh the flour: atomic',
    '1.1.3 Carry it home: atomic',
  ]);
  expect((await idsOf(place)).get('Buy the flour')).toBe(before);
});

test('two goals that are divided anew at once both keep what is repeated', async () => {
  const place = await newPlace();
  await place.answer({ goal: 'root', atomic: true });
  const before = await idsOf(place);
  await place.redo('1.2', 'one');
  await place.redo('1', 'two');
  const { goal } = (await place.ask())[0] ?? {};
  await place.answer({
    goal,
    atomic: false,
    sub_goals: [place.open('Make the dough'), place.atomic('Sell')],
  });
  const question = await place.asked('1.1');
  expect(question).toMatch(/<failure>\s*one\s*<\/failure>/);
  await place.answer({
    goal: before.get('Make the dough'),
    atomic: false,
    sub_goals: [place.atomic('Mix it'), place.atomic('Wait')],
  });
  const after = await idsOf(place);
  expect(after.get('Mix it')).toBe(before.get('Mix it'));
});

test('what is divided anew is not compared with the other leaves unasked, which is told', async () => {
  const { workspace, redo, ask, atomic } = await newPlace();
  expect((await ask()).map(({ kind }) => kind)).toEqual(['link']);
  await workspace.answer({ answers: [{ kind: 'link', needs: {}, missing: [] }] });
  await redo('1', 'wrong');
  const [question] = await ask();
  const sub_goals = [atomic('Buy bread'), atomic('Sell it')];
  const answered = await workspace.answer({ answers: [{ goal: question?.goal, atomic: false, sub_goals }] });
  expect(answered).toMatchObject({ questions: [], left: 0, warnings: [{ code: 'not_linked' }] });
  expect((await workspace.status()).plan).toMatchObject({ status: 'complete', paused_because: null });
});
