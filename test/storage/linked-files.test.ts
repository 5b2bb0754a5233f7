import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/operations/workspace.js';
import { PlanError } from '../../src/kernel/errors.js';
import { temporaryFolder } from '../support/folders.js';
import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';

/** Commands that write; what they are refused is as good as what they are not. */
async function workOn(dir: string): Promise<void> {
  const workspace = openWorkspace({
    dir,
    environment: { workingFolder: dirname(dir), homeFolder: temporaryFolder() },
  });
  const deeds: readonly (() => Promise<unknown>)[] = [
    () => workspace.status(PLAN),
    () => workspace.list(),
    () => workspace.complete(id('a'), { summary: 'Did it' }),
    () => workspace.publish(PLAN),
    () => workspace.edit(id('b'), { description: 'Edited' }),
    () => workspace.archive(PLAN),
    () => workspace.restore(PLAN),
    () => workspace.config.set('max_depth', '3'),
    () => workspace.doctor({ fix: true }),
    () => workspace.doctor({ accept: true }),
    () => workspace.delete(PLAN, { purge: true }),
  ];
  for (const deed of deeds)
    await deed().catch((thrown: unknown) => {
      if (!(thrown instanceof PlanError)) throw thrown;
    });
}

test('a repository whose files of a store are links has nothing written over where they lead', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']), complete('b'));
  const journal = `journal/${PLAN}`;
  const names = [
    ...readdirSync(place.store, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name !== 'journal' && name !== journal,
    ),
    `${journal}/published.json`,
    `${journal}/checked.json`,
    `${journal}/taken.jsonl`,
    'index.json',
    'config.json',
    'config.json.lock.tmp',
    `${PLAN}.events.jsonl.purged.tmp`,
  ];
  for (const name of new Set(names)) {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const store = join(folder, '.plans');
    const copy = await newWorkplace(folder);
    await copy.change(expand('root', ['a', 'b']), complete('b'));
    writeFileSync(join(outside, 'precious'), 'precious');
    // Names of inodes differ from copy to copy.
    const [, ending] = /journal\/[0-9a-f]{8}\/\d+([.-].*)$/.exec(name) ?? [];
    const there = readdirSync(join(store, journal)).find(
      (one) => ending !== undefined && one.endsWith(ending),
    );
    const path = join(store, there === undefined ? name : `${journal}/${there}`);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(outside, 'precious'), path);
    await workOn(store);
    expect([name, readdirSync(outside)]).toEqual([name, ['precious']]);
    expect([name, readFileSync(join(outside, 'precious'), 'utf8')]).toEqual([name, 'precious']);
  }
  for (const name of ['journal', journal, 'backup', 'archive']) {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const store = join(folder, '.plans');
    const copy = await newWorkplace(folder);
    await copy.change(expand('root', ['a', 'b']), complete('b'));
    rmSync(join(store, name), { recursive: true, force: true });
    symlinkSync(outside, join(store, name));
    await workOn(store);
    expect([name, readdirSync(outside)]).toEqual([name, []]);
  }
});
