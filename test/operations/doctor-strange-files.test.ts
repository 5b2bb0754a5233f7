import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** A store with three plans; the plan file of the last is damaged, which is to be found whatever else there is. */
async function sickStore() {
  const folder = temporaryFolder();
  const variables = { XDG_CONFIG_HOME: join(folder, 'config'), FRCTL_BY: 'me' };
  const environment = { workingFolder: folder, homeFolder: folder, variables };
  const workspace = openWorkspace({ dir: join(folder, '.plans'), environment });
  const ids: string[] = [];
  for (const goal of ['Paint the fence and water the roses', 'Feed the cat and the dog', 'Buy milk and eggs'])
    ids.push((await workspace.init(goal).result).plan.id);
  const [one = '', two = '', last = ''] = ids;
  const at = (name: string) => join(folder, '.plans', name);
  appendFileSync(at(`${last}.json`), 'x');
  const examine = async (options: { readonly fix?: boolean } = {}) => {
    const { findings, healthy } = await workspace.doctor(options);
    const open = findings.filter(({ fixed, severity }) => fixed === null && severity !== 'note');
    return {
      healthy,
      found: open.map(({ code, file }) => `${code} ${relative(at('.'), file)}`).toSorted(),
    };
  };
  return { workspace, folder, one, two, last, at, examine };
}

const instead = (path: string, make: (path: string) => void) => {
  rmSync(path, { recursive: true, force: true });
  make(path);
};
const pipe = (path: string) => void execFileSync('mkfifo', [path]);
const file = (path: string) => writeFileSync(path, 'x');

describe('doctor names what is no file, and goes on with the rest', () => {
  test('in place of a log and of a plan file', async () => {
    const { one, two, last, at, examine } = await sickStore();
    instead(at(`${one}.events.jsonl`), mkdirSync);
    instead(at(`${two}.json`), mkdirSync);
    const strange = [`NOT_A_FILE ${one}.events.jsonl`, `NOT_A_FILE ${two}.json`].toSorted();
    expect((await examine()).found).toEqual([...strange, `PLAN_FILE_DAMAGED ${last}.json`]);
    expect((await examine({ fix: true })).found).toEqual(strange);
  });

  test('logs that are a pipe and a link to a device', async () => {
    const { one, two, last, at, examine } = await sickStore();
    instead(at(`${one}.events.jsonl`), pipe);
    instead(at(`${two}.events.jsonl`), (path) => symlinkSync('/dev/zero', path));
    expect((await examine()).found).toEqual([
      `NOT_A_FILE ${one}.events.jsonl`,
      `PLAN_FILE_DAMAGED ${last}.json`,
      `SYMBOLIC_LINK ${two}.events.jsonl`,
    ]);
  });

  test('in place of the journal, of one plan’s and of all', async () => {
    const { one, last, at, examine } = await sickStore();
    instead(at(`journal/${one}`), pipe);
    expect((await examine()).found).toEqual([
      `NOT_A_FOLDER journal/${one}`,
      `PLAN_FILE_DAMAGED ${last}.json`,
    ]);
    instead(at('journal'), file);
    expect((await examine()).found).toEqual(['NOT_A_FOLDER journal', `PLAN_FILE_DAMAGED ${last}.json`]);
    instead(at('journal'), (path) => mkdirSync(join(path, one, 'taken.jsonl'), { recursive: true }));
    expect((await examine()).found).toEqual([
      `CANNOT_BE_READ journal/${one}/taken.jsonl`,
      `PLAN_FILE_DAMAGED ${last}.json`,
    ]);
  });

  test('in place of the index, of the archive, of settings and of what git reads', async () => {
    const { last, at, examine } = await sickStore();
    for (const name of ['index.json', 'config.json', '.replica']) instead(at(name), mkdirSync);
    instead(at('.gitignore'), pipe);
    instead(at('archive'), (path) => symlinkSync('/etc', path));
    const strange = ['.gitignore', '.replica', 'config.json', 'index.json'].map(
      (name) => `NOT_A_FILE ${name}`,
    );
    expect((await examine()).found).toEqual([
      ...strange,
      `PLAN_FILE_DAMAGED ${last}.json`,
      'SYMBOLIC_LINK archive',
    ]);
    expect((await examine({ fix: true })).found).toEqual([...strange, 'SYMBOLIC_LINK archive']);
  });
});

describe('a config that cannot be used', () => {
  test('is mended one setting after the other, and doctor names it until then', async () => {
    const { workspace, at, examine } = await sickStore();
    await examine({ fix: true });
    writeFileSync(at('config.json'), '{"max_depth": -4, "extra_body": {}, "odd": 1, "model": "mine"}');
    expect((await examine({ fix: true })).found).toEqual(['CONFIG_UNUSABLE config.json']);
    await expect(workspace.config.set('max_goals', 'many')).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    await workspace.config.unset('odd');
    await workspace.config.unset('extra_body');
    expect((await examine()).found).toEqual(['CONFIG_UNUSABLE config.json']);
    await workspace.config.set('max_depth', '4');
    expect(await examine()).toEqual({ healthy: true, found: [] });
    expect(JSON.parse(readFileSync(at('config.json'), 'utf8'))).toEqual({ max_depth: 4, model: 'mine' });
  });

  test('and is no JSON is set aside by doctor, where it is the store’s', async () => {
    const { workspace, folder, at, examine } = await sickStore();
    await examine({ fix: true });
    writeFileSync(at('config.json'), '{ "model": ');
    await expect(workspace.config.set('model', 'mine')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      hint: expect.stringContaining('plan doctor --fix') as string,
    });
    expect((await examine()).found).toEqual(['CONFIG_UNUSABLE config.json']);
    expect(await examine({ fix: true })).toEqual({ healthy: true, found: [] });
    expect(readFileSync(at('backup/config/config.json'), 'utf8')).toBe('{ "model": ');
    await workspace.config.set('model', 'mine');

    mkdirSync(join(folder, 'config', 'frctl'), { recursive: true });
    writeFileSync(
      join(folder, 'config', 'frctl', 'config.json'),
      '{"api_key": "sk-1", "timeout_ms": "long"}',
    );
    expect((await examine({ fix: true })).healthy).toBe(false);
    await workspace.config.unset('api_key', { user: true });
    await workspace.config.set('timeout_ms', '1000', { user: true });
    expect(await examine()).toEqual({ healthy: true, found: [] });
  });
});
