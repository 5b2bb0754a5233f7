import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { decode } from '@toon-format/toon';
import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';
import { readFixture } from '../support/plans.js';

const RECOVER = readFixture('action-plans/wa/recover-rate-limited-agent.json');

function userWith(text: string) {
  const user = newUser();
  writeFileSync(join(user.folder, 'plan.json'), text);
  return user;
}

test('plan preview shows a plan of any dialect, in more and in less detail', async () => {
  const user = userWith(RECOVER);
  const shown = await user.run(['preview', 'plan.json']);
  expect([shown.status, shown.error]).toEqual([0, '']);
  expect(shown.out).toBe(readFixture('previews/wa-recover-rate-limited-agent.normal.txt'));
  const verbose = await user.run(['preview', 'plan.json', '--verbose']);
  expect(verbose.out).toBe(readFixture('previews/wa-recover-rate-limited-agent.verbose.txt'));
  const quiet = await user.run(['preview', 'plan.json', '--quiet']);
  expect(quiet.out).toMatch(/^(?:\d+\. \[PENDING\]\n)+$/);
});

test('as data it is one JSON document, and as TOON the same for a model; neither holds a secret', async () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const user = userWith(
    JSON.stringify({
      schema_version: '1.0',
      title: 'A',
      steps: [{ id: 's', tool: 't', args: { text: `x ${secret}` } }],
    }),
  );
  const json = (await user.run(['preview', 'plan.json', '--json'])).json();
  expect(json).toEqual({
    file: 'plan.json',
    dialect: 'frctl',
    action_plan: {
      schema_version: '1.0',
      title: 'A',
      steps: [{ id: 's', tool: 't', args: { text: 'x [secret]' } }],
    },
  });
  const toon = await user.run(['preview', 'plan.json', '--format', 'toon']);
  expect(decode(toon.out)).toEqual(json.action_plan);
});

test.each([
  ['a file that is not there', ['preview', 'none.json'], 3, 'FILE_NOT_FOUND'],
  ['an action plan that no store holds', ['preview', 'ap-k3f9x2'], 3, 'STORE_NOT_FOUND'],
  ['a dialect that it is not', ['preview', 'plan.json', '--dialect', 'soulbrowser'], 2, 'INVALID_INPUT'],
  ['two details at once', ['preview', 'plan.json', '--verbose', '--quiet'], 2, 'USAGE'],
])('plan preview refuses %s', async (_, args, status, code) => {
  const ended = await userWith(RECOVER).run([...args, '--json']);
  expect(ended.status).toBe(status);
  expect(ended.json()).toMatchObject({ error: { code } });
});
