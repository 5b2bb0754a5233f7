import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

const hasMan = spawnSync('man', ['--version']).status === 0;

test('plan help --man prints a page that has every command, and nothing that man takes for an order of ours', async () => {
  const user = newUser();
  const { out } = await user.run(['help', '--man']);
  const { commands } = (await user.run(['help', '--all', '--json'])).json() as {
    commands: { name: string }[];
  };
  const headings = [...out.matchAll(/^\.SS ([\w\\-]+)/gm)].map(([, name]) => name?.replaceAll('\\', ''));
  expect(new Set(headings)).toEqual(
    new Set(commands.map(({ name }) => name).filter((name) => name !== 'help')),
  );
  const orders = new Set(out.match(/^[.'].\S*/gm));
  expect([...orders].toSorted()).toEqual(
    ['.B', '.I', '.PP', '.SH', '.SS', '.TH', '.TP', '.br', '.fi', '.nf'].toSorted(),
  );
});

test.skipIf(!hasMan)('man shows it without a warning (needs man)', async () => {
  const { out } = await newUser().run(['help', '--man']);
  const shown = spawnSync('man', ['--local-file', '--warnings', '-'], {
    input: out,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' },
  });
  expect([shown.status, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toContain('--budget-usd <n>');
});

test('npm is given the page in the form of which it makes a link', () => {
  const { man } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    man: readonly string[];
  };
  // npm passes over a text that is no list.
  expect(man).toEqual(['dist/plan.1']);
});
