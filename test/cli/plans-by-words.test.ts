import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const GOALS = [
  'Build an Android app for Überweisungen',
  'Move the checkout to Stripe',
  'Rewrite the checkout tests',
];

/** A user with three plans; their ids by their goals. */
async function newPlace() {
  const user = newUser();
  const ids = new Map<string, string>();
  for (const goal of GOALS) {
    const { plan } = (await user.run(['init', goal, '--expander', 'agent', '--json'])).json() as {
      plan: { id: string };
    };
    ids.set(goal, plan.id);
  }
  return { user, id: (index: number) => ids.get(GOALS[index] ?? '') ?? '' };
}

test.each([['android'], ['ANDROID app'], ['überw'], ['app android'], ['Build an And']])(
  'words of its goal name a plan, by position and by --plan: %s',
  async (words) => {
    const { user, id } = await newPlace();
    const status = (await user.run(['status', words, '--json'])).json() as { plan: { id: string } };
    expect(status.plan.id).toBe(id(0));
    const added = await user.run(['add', 'Write the notes', '--plan', words]);
    expect(added.status).toBe(0);
    expect((await user.run(['tree', id(0)])).out).toContain('Write the notes');
    expect((await user.run(['use', words])).status).toBe(0);
    expect((await user.run(['use'])).out).toContain(id(0));
  },
);

test.each([
  'status',
  'tree',
  'next',
  'check',
  'waves',
  'log',
  'export',
  'undo',
  'redo',
  'ask',
  'pause',
  'resume',
  'publish',
  'archive',
  'restore',
  'delete',
  'attempts list',
  'dependencies link',
])('%s takes the plan as an argument or as an option, and not as both', async (command) => {
  const user = newUser();
  await user.run(['init', 'Move house', '--no-decompose']);
  const words = command.split(' ');
  const asOption = await user.run([...words, '--plan', 'bakery']);
  expect(asOption).toMatchObject({ status: 3, error: expect.stringContaining('there is no plan “bakery”') });
  const both = await user.run([...words, 'house', '--plan', 'house']);
  expect(both).toMatchObject({ status: 2, error: expect.stringContaining('the plan is named twice') });
});

test('where several fit, they are listed, and more words choose one', async () => {
  const { user, id } = await newPlace();
  const several = await user.run(['status', 'checkout', '--json']);
  expect(several.status).toBe(2);
  const { error } = several.json() as {
    error: { code: string; hint: string; details: { matches: string[] } };
  };
  expect(error.code).toBe('AMBIGUOUS_NAME');
  expect(new Set(error.details.matches)).toEqual(new Set([id(1), id(2)]));
  expect(error.hint).toContain('“Move the checkout to Stripe”');
  expect((await user.run(['status', 'checkout stripe', '--json'])).out).toContain(id(1));
});

test('where none fits, it is said what a plan is named by', async () => {
  const { user } = await newPlace();
  const none = await user.run(['status', 'bakery']);
  expect(none.status).toBe(3);
  expect(none.error).toContain('there is no plan “bakery”');
  expect(none.error).toContain('words of its goal');
});

test('a plan that is deleted by words is asked about, and by its id it is not', async () => {
  const { user, id } = await newPlace();
  const asked = await user.run(['delete', 'android']);
  expect(asked.status).toBe(4);
  expect(asked.error).toContain(`Archive plan ${id(0)} “Build an Android app for Überweisungen”?`);
  expect(asked.error).toContain('--yes');
  expect((await user.run(['list'])).out).toContain('Android');
  expect((await user.run(['delete', 'android', '--yes'])).status).toBe(0);
  expect((await user.run(['delete', id(1).slice(0, 5)])).status).toBe(0);
});

test('a plan that was put away comes back by words; for good it goes by its id alone', async () => {
  const { user, id } = await newPlace();
  expect((await user.run(['archive', 'android', '--yes'])).status).toBe(0);
  expect((await user.run(['restore', 'android'])).status).toBe(0);
  const refused = await user.run(['delete', 'android', '--purge', '--yes']);
  expect(refused.status).toBe(2);
  expect(refused.error).toContain(`plan delete --purge ${id(0)}`);
  expect((await user.run(['list'])).out).toContain('Android');
});
