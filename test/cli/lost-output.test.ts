import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { newUser } from '../support/command.js';

test.skipIf(!existsSync('/dev/full'))(
  'what a change has to say goes to standard error where standard output fails, and a command does without that one',
  async () => {
    const user = newUser();
    await user.run(['init', 'Paint the fence and water the roses']);
    const full = openSync('/dev/full', 'w');
    const run = (args: readonly string[], stdio: readonly ('pipe' | 'ignore' | number)[]) =>
      spawnSync(process.execPath, [resolve('dist/cli/plan.js'), ...args], {
        cwd: user.folder,
        env: { PATH: process.env.PATH ?? '', HOME: user.home },
        stdio: [...stdio],
        encoding: 'utf8',
      });

    const claimed = run(['claim', '1', '--by', 'ann'], ['ignore', full, 'pipe']);
    expect(claimed.status).toBe(7);
    expect(claimed.stderr).toMatch(
      /^error: standard output cannot be written: .*\n.*is stored\. It was to print:\nClaimed 1 .*\nBy +ann\n/,
    );
    const token = /^Token +(\S+)$/m.exec(claimed.stderr)?.[1] ?? '';
    expect((await user.run(['complete', '1', '--token', token])).status).toBe(0);

    const document = run(['claim', '2', '--by', 'ann', '--json'], ['ignore', full, 'pipe']);
    expect([document.status, /"token": "\w+"/.test(document.stderr)]).toEqual([7, true]);
    const refused = run(['claim', '2', '--by', 'ben', '--json'], ['ignore', full, 'pipe']);
    expect([refused.status, refused.stderr.includes('"REFUSED"')]).toEqual([7, true]);

    const shown = run(['tree'], ['ignore', full, 'pipe']);
    expect([shown.status, shown.stderr.split('\n')]).toEqual([
      7,
      [expect.stringMatching(/^error: standard output/), ''],
    ]);
    // Without a standard error the status alone tells.
    expect(run(['claim', '2', '--by', 'ben'], ['ignore', 'pipe', full]).status).toBe(4);
    expect(run(['release', '2', '--by', 'ann'], ['ignore', full, full]).status).toBe(7);
    expect(run(['claim', '2', '--by', 'ben'], ['ignore', 'pipe', full]).status).toBe(0);
    closeSync(full);
  },
);

test('what a change has to say is said on standard error where nobody reads standard output', async () => {
  const user = newUser();
  await user.run(['init', 'Paint the fence and water the roses']);
  const claiming = user.start(['claim', '1']);
  claiming.process.stdout?.destroy();
  const { status, error } = await claiming.ended;
  expect([status, /^Token +\S+$/m.test(error)]).toEqual([0, true]);
});
