import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

test('a wrong setting is told once, in our words, with the commands that mend it', async () => {
  const user = newUser();
  const set = async (name: string, value: string) =>
    (await user.run(['config', 'set', name, value, '--user'])).error;
  const hint =
    'hint: `plan config set max_depth VALUE` sets it, `plan config unset max_depth` takes it out; with --user in your own config.\n';
  expect(await set('max_depth', 'abc')).toBe(
    `error: the setting max_depth must be a number, not a text\n${hint}`,
  );
  expect(await set('max_depth', '99')).toBe(
    `error: the setting max_depth must be at most 64, not 99\n${hint}`,
  );
  const both = await set('budget', '{"calls":"sk-s3cret","usd":"y"}');
  expect(both).toContain('budget.calls must be a number, not a text');
  expect(both).not.toContain('s3cret');
  expect((await user.run(['init', 'x'], { FRCTL_MAX_DEPTH: 'abc' })).error).toBe(
    'error: FRCTL_MAX_DEPTH must be a number, not "abc"\n',
  );
});

test('an action that a command has not is told with those it has, and the one that was meant', async () => {
  const user = newUser();
  for (const word of ['get', 'list'])
    expect((await user.run(['config', word])).error).toMatch(
      new RegExp(
        `^error: \`plan config\` has no "${word}", it has show, set, .*; did you mean \`plan config show\`\\?\n`,
      ),
    );
  expect((await user.run(['runs', 'shwo'])).error).toContain('did you mean `plan runs show`?');
  expect((await user.run(['next', '--limti', '2'])).error).toContain('(Did you mean --limit?)');
});

test('a home that is no folder has no settings, and an empty name of a file is refused as one', async () => {
  const user = newUser();
  const nowhere = { HOME: '/dev/null', XDG_CONFIG_HOME: '', XDG_CACHE_HOME: '', XDG_STATE_HOME: '' };
  expect(await user.run(['init', 'Build a house', '--no-decompose'], nowhere)).toMatchObject({ status: 0 });
  expect(await user.run(['status'], nowhere)).toMatchObject({ status: 0 });
  const { status, error } = await user.run(['init', '--from', '']);
  expect([status, error]).toEqual([2, expect.stringContaining('--from <file> needs a name')]);
});
