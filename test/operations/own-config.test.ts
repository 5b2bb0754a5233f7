import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readUserConfig } from '../../src/operations/settings/config.js';
import { setConfig, unsetConfig } from '../../src/operations/settings/configure.js';
import { changeUserConfig } from '../../src/operations/settings/config-changes.js';
import { apiKeyOf } from '../../src/operations/settings/settings.js';
import { withTrusted } from '../../src/operations/settings/trust.js';
import { FEATURES } from '../../src/features.js';
import { createContext } from '../../src/operations/shared/context.js';
import { defaultEnvironment } from '../../src/operations/shared/default-environment.js';
import { temporaryFolder } from '../support/folders.js';

function newPlace() {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  const environment = { ...defaultEnvironment(), workingFolder: folder, homeFolder: home, variables: {} };
  const context = { ...createContext({ features: FEATURES, environment }), emit: () => undefined };
  const own = join(home, '.config', 'frctl');
  const set = (value: string) => setConfig.run(context, { name: 'database_url', value, user: true as const });
  const unset = (name: string, user?: true) => unsetConfig.run(context, { name, user });
  return { folder, home, environment, own, file: join(own, 'config.json'), set, unset };
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const URL_OF_DATABASE = 'postgres://me:secret@db.example/frctl';

describe('the user’s own config', () => {
  // Permissions are those of the system’s own files.
  test.skipIf(process.platform === 'win32')('is made for the user alone, and so is its folder', async () => {
    const set = newPlace();
    await set.set(URL_OF_DATABASE);
    const trusted = newPlace();
    await changeUserConfig(trusted.environment, (user) => withTrusted(user, 'https://a.example/v1'));
    for (const { own, file } of [set, trusted]) {
      expect(modeOf(file)).toBe('600');
      expect(modeOf(own)).toBe('700');
      expect(readdirSync(own)).toEqual(['config.json']);
    }
    await set.set('postgres://me:other@db.example/frctl');
    expect(modeOf(set.file)).toBe('600');
  });

  test.skipIf(process.platform === 'win32')('keeps the mode that it has', async () => {
    const { own, file, set } = newPlace();
    mkdirSync(own, { recursive: true });
    writeFileSync(file, '{}');
    for (const [path, mode] of [[file, 0o640] as const, [own, 0o755] as const]) chmodSync(path, mode);
    await set(URL_OF_DATABASE);
    expect(modeOf(file)).toBe('640');
    expect(modeOf(own)).toBe('755');
  });

  test('is not written where nothing changes, and no folder is made for it', async () => {
    const { home, own, file, set, unset } = newPlace();
    expect(await unset('model', true)).toMatchObject({ changed: false });
    expect(existsSync(join(home, '.config'))).toBe(false);
    mkdirSync(own, { recursive: true });
    const text = `{"database_url":"${URL_OF_DATABASE}"}`;
    writeFileSync(file, text);
    expect(await set(URL_OF_DATABASE)).toMatchObject({ changed: false });
    expect(await unset('budget.usd', true)).toMatchObject({ changed: false });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

test.each(['unasked_tools', 'model_command', 'trusted_base_urls', 'tools'])(
  'what is wrong with %s, which no command sets, has a hint that works',
  async (name) => {
    const { environment, own, file, unset } = newPlace();
    mkdirSync(own, { recursive: true });
    writeFileSync(file, JSON.stringify({ [name]: 'x' }));
    await expect(readUserConfig(environment)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      hint: `\`plan config unset ${name} --user\` takes it out; or mend it by hand.`,
    });
    expect(await unset(name, true)).toMatchObject({ changed: true });
    expect(await readUserConfig(environment)).toEqual({});
  },
);

test('what is wrong with a header is said in words', async () => {
  const { environment } = newPlace();
  const context = { ...createContext({ features: FEATURES, environment }), emit: () => undefined };
  const set = (value: string) => setConfig.run(context, { name: 'extra_headers', value, user: true });
  await expect(set('{"X-A":"b\\nc"}')).rejects.toMatchObject({
    message: expect.stringContaining('extra_headers.X-A is not the value of a header') as string,
  });
  await expect(set('{"X A":"b"}')).rejects.toMatchObject({
    message: expect.stringContaining(
      'extra_headers.X A is not allowed as a name: not the name of a header',
    ) as string,
  });
  await expect(set('{"Host":"b"}')).rejects.toMatchObject({
    message: expect.stringContaining(
      'extra_headers.Host is not allowed as a name: a header that cannot be set',
    ) as string,
  });
});

test('the config of a project is not written where nothing changes', async () => {
  const { folder, unset } = newPlace();
  mkdirSync(join(folder, '.plans'));
  expect(await unset('model')).toMatchObject({ changed: false });
  expect(readdirSync(join(folder, '.plans'))).toEqual([]);
});

test('a variable for the key that is empty hides no other', () => {
  expect(apiKeyOf({ FRCTL_API_KEY: '', OPENAI_API_KEY: 'sk-other' })).toBe('sk-other');
  expect(apiKeyOf({ FRCTL_API_KEY: ' ', OPENAI_API_KEY: ' sk-other ' })).toBe('sk-other');
  expect(apiKeyOf({ FRCTL_API_KEY: 'sk-own', OPENAI_API_KEY: 'sk-other' })).toBe('sk-own');
  expect(apiKeyOf({ FRCTL_API_KEY: '', OPENAI_API_KEY: '' })).toBeNull();
});

test('who is to work can be set in the user’s own config alone', async () => {
  const { environment, folder } = newPlace();
  mkdirSync(join(folder, '.plans'));
  const context = { ...createContext({ features: FEATURES, environment }), emit: () => undefined };
  const set = async (name: string, value: string, user?: true) =>
    setConfig.run(context, { name, value, user });
  await set('work.with', 'scripted', true);
  await set('work.agents', '{"scripted":{"command":["node","worker.mjs"]}}', true);
  expect((await readUserConfig(environment)).work).toMatchObject({ with: 'scripted' });
  for (const name of ['work.with', 'work.agents', 'trusted_tools'])
    await expect(set(name, 'x')).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  await expect(set('trusted_tools', '[]', true)).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
});
