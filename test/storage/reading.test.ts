import { appendFileSync, chmodSync, chownSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { twoClones } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { complete, expand, fail, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import { asUser, IS_ROOT } from '../faults/support/as-user.js';

/** Every command that only reads; none may end as if something went wrong inside. */
const READING: readonly (readonly string[])[] = [
  ['status'],
  ['status', '--verbose', '--json'],
  ['list'],
  ['list', '--archived'],
  ['show', id('a')],
  ['next'],
  ['waves'],
  ['context', id('b')],
  ['tree'],
  ['tree', '--format', 'mermaid'],
  ['export'],
  ['export', '--format', 'markdown'],
  ['validate'],
  ['log'],
  ['log', '--goal', id('a')],
  ['diff', PLAN],
  ['dependencies', 'check'],
  ['doctor'],
  ['config'],
  ['claim', id('nobody')],
  ['complete', id('nobody')],
];

describe('commands that only read', () => {
  /** The files of the plan, which git tracks. */
  const contentsOf = ({ store }: Clone) =>
    readdirSync(store)
      .filter((name) => name.startsWith(PLAN))
      .map((name) => [name, readFileSync(join(store, name), 'latin1')]);

  /** Both clones changed the plan; git merged the plan file by union, which is committed as it came out. */
  async function merged(): Promise<Clone> {
    const [one, two] = await twoClones();
    await one.change(complete('a'));
    one.commit('a');
    await two.change(fail('b'), expand('d', ['x', 'y']));
    two.commit('b');
    two.git('fetch', '-q', one.folder, 'main');
    two.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
    return two;
  }

  test.each<[string, (place: Clone) => void]>([
    ['as git left it after a merge', () => undefined],
    ['with conflict markers', ({ store }) => appendFileSync(join(store, `${PLAN}.json`), '<<<<<<< ours\n')],
    ['without a plan file', ({ store }) => rmSync(join(store, `${PLAN}.json`))],
    ['with a torn line in the log', ({ eventLog }) => appendFileSync(eventLog, '\n{"id":"torn')],
    [
      'with a plan file that is older',
      (place) => {
        place.git('checkout', '-q', 'HEAD~1', '--', `.plans/${PLAN}.json`);
        place.commit('older');
      },
    ],
  ])('leave every tracked file as it is: a plan %s', async (_what, prepare) => {
    const place = await merged();
    prepare(place);
    place.commit('prepared');
    const before = contentsOf(place);
    for (const args of READING) {
      const { status } = await place.run(args);
      expect([args, status === 70]).toEqual([args, false]);
      expect([args, contentsOf(place)]).toEqual([args, before]);
    }
    expect(place.git('status', '--porcelain')).toBe('');
  });

  test('a change makes the plan file anew, and the next pull works', async () => {
    const place = await merged();
    await place.run(['complete', id('c')]);
    expect((await place.run(['validate'])).error).toBe('');
    place.commit('c');
    expect((await place.run(['doctor'])).status).toBe(0);
  });
});

describe('a store that users share', () => {
  const [ANA, BO, GROUP] = [61_001, 61_002, 61_000];

  test.skipIf(!IS_ROOT)(
    'one whose umask is 077 locks no other out (with two users, which root alone can be)',
    async () => {
      const place = await newWorkplace();
      await place.change(expand('root', ['a', 'b', 'c', 'd']));
      share(place.folder);
      const as = (uid: number, ...args: readonly string[]) =>
        asUser({ uid, gid: GROUP, umask: 0o077 }, () => place.run(args));
      const turns = [ANA, BO, ANA, BO] as const;
      for (const [index, uid] of turns.entries()) {
        const goal = ['a', 'b', 'c', 'd'][index] ?? '';
        const { status, error } = await as(uid, 'complete', id(goal));
        expect([status, error]).toEqual([0, '']);
        for (const other of [ANA, BO]) {
          expect(await as(other, 'status')).toMatchObject({ status: 0, error: '' });
          expect(await as(other, 'list', '--json')).toMatchObject({ status: 0, error: '' });
          expect((await as(other, 'validate')).out).toBe('valid\n');
        }
      }
    },
  );

  test.skipIf(!IS_ROOT)('a plan file that may not be read is made of the log', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), complete('a'));
    share(place.folder);
    const planFile = join(place.store, `${PLAN}.json`);
    chownSync(planFile, ANA, ANA);
    chmodSync(planFile, 0o600);
    const as = (uid: number, args: readonly string[]) => asUser({ uid, gid: GROUP }, () => place.run(args));
    for (const args of [['status'], ['show', id('a')], ['next'], ['validate'], ['list']])
      expect([args, (await as(BO, args)).status]).toEqual([args, 0]);
    expect((await as(BO, ['complete', id('b')])).status).toBe(0);
    expect((await as(ANA, ['status'])).out).toContain('2 of 2');
  });

  /** As `git init --shared` leaves folders: the group may write, and new files are the group's. */
  function share(folder: string): void {
    for (const name of [folder, join(folder, '.plans')]) {
      chownSync(name, 0, GROUP);
      chmodSync(name, 0o2775);
    }
    for (const name of readdirSync(join(folder, '.plans'))) {
      chownSync(join(folder, '.plans', name), 0, GROUP);
      chmodSync(join(folder, '.plans', name), 0o664);
    }
  }
});
