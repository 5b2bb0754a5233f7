import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { expand, id, newWorkplace } from '../support/worked-plan.js';

async function place() {
  const made = await newWorkplace();
  const environment = { workingFolder: made.folder, homeFolder: made.home, variables: { FRCTL_BY: 'ana' } };
  return { ...made, workspace: openWorkspace({ dir: made.store, environment }) };
}

test('refusals say how it stands with a goal in the words of the screen, and what can be done', async () => {
  const there = await place();
  const { workspace } = there;
  const change: typeof there.change = (...payloads) => there.change(...payloads);
  await change(expand('root', ['b'], ['a', 'c']), expand('a', ['d']));
  const divided = {
    code: 'WRONG_STATE',
    message: 'goal 2 “Goal a” is divided; only an atomic goal can be completed',
    hint: expect.stringContaining('sub-goals') as string,
    details: expect.objectContaining({ status: 'decomposing', goal: id('a') }) as object,
  };
  await expect(workspace.complete('2')).rejects.toMatchObject(divided);
  await expect(workspace.claim('3')).rejects.toMatchObject({
    message: 'goal 3 “Goal c” is to plan; only an atomic goal can be claimed',
  });
  await expect(workspace.digest('1')).rejects.toMatchObject({
    message: 'goal 1 “Goal b” is to do; only finished work has a digest',
  });
  await expect(workspace.draft('2')).rejects.toMatchObject({
    message: 'goal 2 “Goal a” is divided; only an atomic goal has action plans',
  });
  await workspace.complete('1');
  await expect(workspace.complete('1', { summary: 'Done twice' })).rejects.toMatchObject({
    message: 'goal 1 “Goal b” is done already',
    hint: '`plan reopen 1` makes it one to be done again.',
  });
  await expect(workspace.claim('1')).rejects.toMatchObject({
    message: 'goal 1 “Goal b” is done already',
    hint: '`plan reopen 1` makes it one to be done again.',
  });
  await expect(workspace.edit('1', { description: 'Goal x' })).rejects.toMatchObject({
    message: 'goal 1 “Goal b” is done; reopen it first',
  });
  await expect(workspace.reopen('2')).rejects.toMatchObject({
    message: expect.stringMatching(/^goal 2 “Goal a” /) as string,
  });
});

test('the log names goals in refusals by number and words, also those that are gone by then', async () => {
  const there = await place();
  const { workspace } = there;
  const change: typeof there.change = (...payloads) => there.change(...payloads);
  await change(expand('root', ['b', 'c'], ['a']), expand('a', ['d']));
  await change({ type: 'goal_completed', goal: id('a') });
  await change({
    type: 'dependencies_changed',
    changes: [
      { goal: id('b'), add: [id('c')], remove: [] },
      { goal: id('c'), add: [id('b')], remove: [] },
    ],
  });
  await change({ type: 'goal_removed', goal: id('b') });
  await change({ type: 'goal_claimed', goal: id('b'), token: 'abc', expires_at: '2099-01-01T00:00:00Z' });
  const { length } = await workspace.log();
  const refused = (await workspace.log()).filter((entry) => entry.refused !== null);
  expect(length).toBeGreaterThan(refused.length);
  expect(refused.map((entry) => entry.refused)).toEqual([
    'goal 3 “Goal a” is divided; only an atomic goal can be completed',
    'goals would wait for each other: 1 “Goal b” → 2 “Goal c” → 1 “Goal b”',
    'there is no goal “Goal b”, which is gone',
  ]);
  expect(refused.at(-1)?.message).toContain('“Goal b”');
});

test('who claims a goal that failed, or has another token, is told what is so and what leads on', async () => {
  const there = await place();
  const { workspace } = there;
  const change: typeof there.change = (...payloads) => there.change(...payloads);
  await change(expand('root', ['a', 'b']));
  await workspace.fail('1', { reason: 'No sandbox' });
  await expect(workspace.claim('1')).rejects.toMatchObject({
    message: 'goal 1 “Goal a” has failed already',
    hint: '`plan reopen 1` makes it one to be done again.',
  });
  await expect(workspace.complete('2', { token: 'mistyped' })).rejects.toMatchObject({
    message: 'no claim on goal 2 “Goal b” has that token now',
  });
  await workspace.claim('2', { by: 'bob' });
  await expect(workspace.complete('2', { token: 'mistyped' })).rejects.toMatchObject({
    message: expect.stringMatching(/^that token is not that of the claim on goal 2 “Goal b”; bob /) as string,
  });
});

test('goals that would wait for each other are named without the way through their sub-goals', async () => {
  const there = await place();
  const { workspace } = there;
  const change: typeof there.change = (...payloads) => there.change(...payloads);
  await change(
    expand('root', ['c'], ['a', 'b']),
    expand('a', [], ['a1']),
    expand('a1', ['a2']),
    expand('b', ['b1']),
  );
  await workspace.depend('3', { on: ['2'] });
  await expect(workspace.depend('2', { on: ['2'] })).rejects.toMatchObject({
    message: 'goal 2 “Goal a” cannot wait for itself',
    hint: undefined,
  });
  await expect(workspace.depend('2', { on: ['3'] })).rejects.toMatchObject({
    message: 'goals would wait for each other: 2 “Goal a” → 3 “Goal b” → 2 “Goal a”',
    hint: '3 waits for 2 already; `plan depend 3 --not-on 2` ends that.',
  });
  await expect(workspace.depend('2.1', { on: ['3.1'] })).rejects.toMatchObject({
    message:
      'goals would wait for each other: 2.1 “Goal a1” → 3.1 “Goal b1” → 3 “Goal b” → 2 “Goal a” → 2.1 “Goal a1”',
    hint: '3 waits for 2 already; `plan depend 3 --not-on 2` ends that.',
  });
  for (const [goal, on] of [
    ['2', '2.1'],
    ['2.1', '2'],
  ] as const)
    await expect(workspace.depend(goal, { on: [on] })).rejects.toMatchObject({
      hint: 'A goal and its own sub-goals cannot wait for each other.',
    });
});
