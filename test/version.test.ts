import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { VERSION } from '../src/kernel/version.js';
import { newUser } from './support/command.js';

test('the version that the command prints is the package’s', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(VERSION).toBe(version);
  expect((await newUser().run(['--version'])).out).toBe(`${version}\n`);
});
