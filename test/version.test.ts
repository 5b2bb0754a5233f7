import { readJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';

import { VERSION } from '../src/kernel/version.js';
import { newUser } from './support/command.js';

test('the version that the command prints is the package’s', async () => {
  const { version } = readJsonSync('package.json') as { version: string };
  expect(VERSION).toBe(version);
  expect((await newUser().run(['--version'])).out).toBe(`${version}\n`);
});
