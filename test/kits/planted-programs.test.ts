import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { expect, onTestFinished, test } from 'vitest';

import { agree, newPlace } from '../support/approving.js';
import { temporaryFolder } from '../support/folders.js';
import { hasTmux } from '../support/screen.js';

const PATH = process.env.PATH ?? '';

/** Makes a program that tells that it was run, and with which variables. @returns where it tells it */
function plant(path: string): string {
  const told = join(temporaryFolder(), 'told');
  outputFileSync(path, `#!/bin/sh\nenv > '${told}'\nexit 1\n`, { mode: 0o755 });
  return told;
}

test.runIf(hasTmux).each([
  ['a folder of the project', (folder: string) => join(folder, 'bin')],
  ['a relative folder', () => 'bin'],
  ['an empty entry', () => ''],
])('a PATH with %s has no tmux of the project run', async (_what, entryOf) => {
  const socket = join(temporaryFolder(), 'tmux');
  spawnSync('tmux', ['-f', '/dev/null', '-S', socket, 'new-session', '-d', 'exec sleep 60']);
  onTestFinished(() => void spawnSync('tmux', ['-S', socket, 'kill-server']));
  const step = { id: 's', tool: 'wa:send_text', args: { pane_id: 0, text: 'x' } };
  const place = await newPlace(
    { schema_version: '1.0', steps: [step] },
    JSON.stringify({ kits: { tmux: { socket } } }),
  );
  const told = ['bin/tmux', 'tmux'].map((name) => plant(join(place.folder, name)));
  const user = place.as({ path: `${entryOf(place.folder)}:${PATH}` });
  expect(await user.prepare('plan.json', {})).toMatchObject({ requires_approval: true });
  expect(told.filter(existsSync)).toEqual([]);
});

test('Chromium, often a script, is given no folder of the project to look for programs in', async () => {
  const chromium = join(temporaryFolder(), 'chromium');
  const told = plant(chromium);
  const step = { id: 's', tool: 'soul:Navigate', args: { url: 'http://127.0.0.1:9/' } };
  const place = await newPlace(
    { schema_version: '1.0', steps: [step] },
    JSON.stringify({ kits: { browser: { origins: ['http://127.0.0.1:9'], chromium } } }),
  );
  const user = place.as({ path: `${place.folder}/bin:.::/usr/bin` });
  const { run, approval } = await user.prepare('plan.json', {});
  await agree(user, approval?.code ?? '');
  expect(await user.run(run, {}).result).toMatchObject({ status: 'failed' });
  expect(readFileSync(told, 'utf8').split('\n')).toContain('PATH=/usr/bin');
});
