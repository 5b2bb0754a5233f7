import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** A store with three plans of one goal each. */
async function newStore() {
  const folder = temporaryFolder();
  const variables = { XDG_CONFIG_HOME: join(folder, 'config'), FRCTL_BY: 'me' };
  const environment = { workingFolder: folder, homeFolder: folder, variables };
  const store = join(folder, '.plans');
  // As another process each time: nothing is kept between two.
  const open = () => openWorkspace({ dir: store, environment });
  const ids: string[] = [];
  for (const goal of ['Paint the fence', 'Feed the cat', 'Buy milk']) {
    const { plan } = await open().init({ goal, decompose: false }).result;
    await open().add({ plan: plan.id, under: 'root', description: `${goal} soon` });
    ids.push(plan.id);
  }
  const [a = '', b = '', c = ''] = ids;
  const at = (name: string) => join(store, name);
  const listed = async () => {
    const { plans } = await open().list();
    return plans.map(({ description }) => description).toSorted();
  };
  const goalsOf = async (plan: string) => {
    const { goals } = await open().next({ plan });
    return goals.map(({ description }) => description);
  };
  const doctor = async (options: { readonly fix?: boolean } = {}) => {
    const { findings, backups, healthy } = await open().doctor(options);
    const named = findings.filter(({ severity }) => severity === 'error');
    return {
      healthy,
      backups,
      found: named.map(({ plan, code, file }) => `${plan ?? ''} ${code} ${basename(file)}`).toSorted(),
    };
  };
  return { a, b, c, at, open, listed, goalsOf, doctor };
}

type Store = Awaited<ReturnType<typeof newStore>>;

const ALL = ['Buy milk', 'Feed the cat', 'Paint the fence'];
const LOG = '.events.jsonl';
const FILE = '.json';

function rotate({ at }: Store, ids: readonly string[], ending: string): void {
  const [first = ''] = ids;
  renameSync(at(`${first}${ending}`), at('aside'));
  for (const [index, id] of ids.entries())
    renameSync(
      at(ids.length === index + 1 ? 'aside' : `${ids[index + 1] ?? ''}${ending}`),
      at(`${id}${ending}`),
    );
}

async function expectWhole(store: Store): Promise<void> {
  expect(await store.listed()).toEqual(ALL);
  const { a, b, c } = store;
  expect(await store.goalsOf(a)).toEqual(['Paint the fence soon']);
  expect(await store.goalsOf(b)).toEqual(['Feed the cat soon']);
  expect(await store.goalsOf(c)).toEqual(['Buy milk soon']);
  expect(await store.doctor()).toEqual({ healthy: true, found: [], backups: [] });
}

describe('files of plans that were exchanged', () => {
  test.each([
    ['logs of two plans', 2, [LOG]],
    ['all files of two plans', 2, [LOG, FILE]],
    ['logs of three plans', 3, [LOG]],
    ['all files of three plans', 3, [LOG, FILE]],
  ])('are named, plan by plan, and given their names again: %s', async (_what, count, endings) => {
    const store = await newStore();
    const ids = [store.a, store.b, store.c].slice(0, count);
    for (const ending of endings) rotate(store, ids, ending);
    // Nothing of one is mixed into the other before, whatever is run.
    for (const plan of ids) {
      await store
        .open()
        .status(plan)
        .catch(() => null);
      await store
        .open()
        .add({ plan, under: 'root', description: 'Never' })
        .catch(() => null);
    }
    const wanted = ids.flatMap((id) => endings.map((ending) => `${id} OTHER_PLAN ${id}${ending}`));
    expect((await store.doctor()).found).toEqual(wanted.toSorted());
    expect((await store.open().list()).problems).toHaveLength(count);
    expect((await store.doctor({ fix: true })).healthy).toBe(true);
    await expectWhole(store);
  });

  test('are of no use when they are plan files beside the right logs', async () => {
    const store = await newStore();
    rotate(store, [store.a, store.b], FILE);
    expect(await store.goalsOf(store.a)).toEqual(['Paint the fence soon']);
    await store.open().add({ plan: store.a, under: 'root', description: 'One more' });
    expect((await store.doctor({ fix: true })).healthy).toBe(true);
    expect(await store.goalsOf(store.a)).toEqual(['Paint the fence soon', 'One more']);
    expect(await store.goalsOf(store.b)).toEqual(['Feed the cat soon']);
  });

  test('are not mixed up by whoever has a plan open meanwhile', async () => {
    const store = await newStore();
    const workspace = store.open();
    await workspace.add({ plan: store.a, under: 'root', description: 'One more' });
    rotate(store, [store.a, store.b], LOG);
    const refused = workspace.add({ plan: store.a, under: 'root', description: 'Never' });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
    expect((await store.doctor({ fix: true })).healthy).toBe(true);
    expect(await store.goalsOf(store.a)).toEqual(['Paint the fence soon', 'One more']);
    expect(await store.goalsOf(store.b)).toEqual(['Feed the cat soon']);
  });
});

describe('a log under the name of another plan', () => {
  test('that has no files makes no second plan, and goes', async () => {
    const store = await newStore();
    copyFileSync(store.at(`${store.a}${LOG}`), store.at(`ffffffff${LOG}`));
    expect(await store.listed()).toEqual(ALL);
    expect((await store.doctor()).found).toEqual([`ffffffff OTHER_PLAN ffffffff${LOG}`]);
    const { backups, healthy } = await store.doctor({ fix: true });
    expect(healthy).toBe(true);
    expect(existsSync(join(backups[0] ?? '', `ffffffff${LOG}`))).toBe(true);
    await expectWhole(store);
  });

  test('that was written over is brought back from the journal', async () => {
    const store = await newStore();
    const copy = store.at('copy');
    copyFileSync(store.at(`${store.a}${LOG}`), copy);
    renameSync(copy, store.at(`${store.b}${LOG}`));
    expect((await store.doctor()).found).toEqual([`${store.b} OTHER_PLAN ${store.b}${LOG}`]);
    await store.doctor({ fix: true });
    await expectWhole(store);
  });

  test('has what the log of its own name lacks added to that', async () => {
    const store = await newStore();
    const { a, at } = store;
    const before = readFileSync(at(`${a}${LOG}`));
    await store.open().add({ plan: a, under: 'root', description: 'Added later' });
    const newer = readFileSync(at(`${a}${LOG}`));
    // A copy of before was put in its place, as from a backup, where nothing is known of what was after it.
    rmSync(at('journal'), { recursive: true });
    rmSync(at(`${a}${FILE}`));
    writeFileSync(at(`${a}${LOG}`), before);
    writeFileSync(at(`ffffffff${LOG}`), newer);
    expect((await store.doctor({ fix: true })).healthy).toBe(true);
    expect(await store.goalsOf(a)).toEqual(['Paint the fence soon', 'Added later']);
  });

  test('moves to its own when nothing is there', async () => {
    const store = await newStore();
    renameSync(store.at(`${store.a}${LOG}`), store.at(`ffffffff${LOG}`));
    expect((await store.doctor({ fix: true })).healthy).toBe(true);
    await expectWhole(store);
  });

  test('stays where it cannot be told what stands in its place', async () => {
    const store = await newStore();
    renameSync(store.at(`${store.a}${LOG}`), store.at(`ffffffff${LOG}`));
    writeFileSync(store.at(`${store.a}${LOG}`), 'x\n');
    const log = readFileSync(store.at(`ffffffff${LOG}`));
    expect((await store.doctor({ fix: true })).found).toContain(`ffffffff OTHER_PLAN ffffffff${LOG}`);
    expect(readFileSync(store.at(`ffffffff${LOG}`)).equals(log)).toBe(true);
  });
});

test('a plan file of another plan without a log is none of the plan of its name', async () => {
  const store = await newStore();
  copyFileSync(store.at(`${store.a}${FILE}`), store.at(`ffffffff${FILE}`));
  expect(await store.listed()).toEqual(ALL);
  expect((await store.doctor({ fix: true })).healthy).toBe(true);
  await expectWhole(store);
});

describe('a plan file of a later format', () => {
  const later = ({ at }: Store, name: string) => {
    const file = JSON.parse(readFileSync(at(name), 'utf8')) as object;
    writeFileSync(at(name), JSON.stringify({ ...file, schema_version: '2.0', news: true }));
  };

  test.each([
    ['beside its log', false, ALL],
    ['without a log', true, ['Buy milk', 'Paint the fence']],
  ])('is named and left alone, and the others are looked at and mended: %s', async (_, isAlone, listed) => {
    const store = await newStore();
    const { a, b, c, at } = store;
    later(store, `${b}${FILE}`);
    if (isAlone) {
      rmSync(at(`${b}${LOG}`));
      rmSync(at(`journal/${b}`), { recursive: true });
    }
    const kept = readFileSync(at(`${b}${FILE}`));
    writeFileSync(at(`${a}${FILE}`), 'x');
    writeFileSync(at(`${c}${FILE}`), 'x');
    const named = `${b} UNSUPPORTED_VERSION ${b}${FILE}`;
    const damaged = [a, c].map((id) => `${id} PLAN_FILE_DAMAGED ${id}${FILE}`);
    expect((await store.doctor()).found).toEqual([named, ...damaged].toSorted());
    expect((await store.doctor({ fix: true })).healthy).toBe(false);
    expect((await store.doctor()).found).toEqual([named]);
    expect(readFileSync(at(`${b}${FILE}`)).equals(kept)).toBe(true);
    expect(await store.listed()).toEqual(listed);
    await expect(store.open().status(b)).rejects.toMatchObject({ code: 'UNSUPPORTED_VERSION' });
  });

  test('in the archive stops nothing either', async () => {
    const store = await newStore();
    mkdirSync(store.at('archive'));
    renameSync(store.at(`${store.b}${FILE}`), store.at(`archive/${store.b}${FILE}`));
    renameSync(store.at(`${store.b}${LOG}`), store.at(`archive/${store.b}${LOG}`));
    later(store, `archive/${store.b}${FILE}`);
    expect((await store.doctor()).found).toEqual([`${store.b} UNSUPPORTED_VERSION ${store.b}${FILE}`]);
  });
});
