import { expect, test } from 'vitest';

import { errorOf, newUser } from '../support/command.js';

test('an action that takes a list takes as many as are given', async () => {
  const user = newUser();
  await user.run(['init', 'Tidy up', '--no-decompose']);
  for (const runs of [['run-aaaaaaaa'], ['run-aaaaaaaa', 'run-bbbbbbbb', 'run-cccccccc']]) {
    const ended = await user.run(['runs', 'prune', ...runs, '--json']);
    expect([ended.status, errorOf(ended.json()).code]).toEqual([3, 'E_PLAN_NOT_FOUND']);
  }
  expect((await user.run(['runs', 'prune', '--json'])).json()).toMatchObject({ removed: [] });
});

test('an action beside it takes no more than its own', async () => {
  const user = newUser();
  await user.run(['init', 'Tidy up', '--no-decompose']);
  const show = await user.run(['runs', 'show', 'run-aaaaaaaa', 'x', '--json']);
  expect(errorOf(show.json())).toMatchObject({ code: 'USAGE', message: 'plan runs show takes no "x"' });
  const settle = await user.run(['runs', 'settle', 'run-aaaaaaaa', 'a', 'b', '--as', 'done', '--json']);
  expect(errorOf(settle.json())).toMatchObject({ code: 'USAGE', message: 'plan runs settle takes no "b"' });
  const list = await user.run(['runs', 'list', 'x', '--json']);
  expect(errorOf(list.json())).toMatchObject({ code: 'USAGE', message: 'plan runs list takes no "x"' });
});
