import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { expect, onTestFinished, test } from 'vitest';

import { newProfile, removeProfile } from '../../src/features/kits/browser/profile.js';

test('the profile of a process that was killed is removed when another is made, and that of one that lives is not', async () => {
  const own = await newProfile();
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  const ofDead = own.replace(`-${process.pid}-`, `-${pid}-`);
  const ofLaterNumber = own.replace(/-\d*(-[^-]*)$/, '-1$1');
  const elsewhere = own.replace(/frctl-browser-[^-]*/, 'frctl-browser-another.machine');
  // In a container, which has numbers of its own for processes.
  const contained = ofDead.replace(/^(.*frctl-browser-[^-]*-)\d*-/, '$11-');
  const others = [ofDead, ofLaterNumber, elsewhere, contained];
  onTestFinished(() => others.forEach((one) => rmSync(one, { recursive: true, force: true })));
  for (const folder of others) {
    mkdirSync(join(folder, 'Default'), { recursive: true });
    writeFileSync(join(folder, 'Default', 'Preferences'), '{}');
  }
  const next = await newProfile();
  const isThere = [own, next, elsewhere, contained, ofDead].map((folder) => existsSync(folder));
  expect(isThere).toEqual([true, true, true, true, false]);
  // Only Linux tells when a process began.
  expect(existsSync(ofLaterNumber)).toBe(process.platform !== 'linux');
  await removeProfile(own);
  await removeProfile(next);
  expect([own, next].some((folder) => existsSync(folder))).toBe(false);
});
