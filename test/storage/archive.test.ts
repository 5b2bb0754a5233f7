import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { twoClones } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { newUser } from '../support/command.js';
import type { Json, User } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { complete, expand, fail, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

/** A store as 0.1 wrote it, with two plans and one in `archive/`. */
const OLD_STORE = resolve('test/fixtures/store-0.1');
const [OLD_ARCHIVED, OLD_ACTIVE] = ['d27a40e9', '8f03b6d4'];

/** All but the empty files that note what was published. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.endsWith('.published'))
    .toSorted();
const listed = async (user: User, ...options: readonly string[]) => {
  const { plans } = (await user.run(['list', '--json', ...options])).json();
  return (plans as readonly { readonly id: string }[]).map((plan) => plan.id);
};
const statusOf = async (user: User, goal: string) =>
  ((await user.run(['show', id(goal), '--json'])).json().goal as Json).status;

interface Found {
  readonly code: string;
  readonly message: string;
  readonly fixed: string | null;
}

async function doctor(user: User, ...options: readonly string[]) {
  const ended = await user.run(['doctor', '--json', ...options]);
  const { status } = ended;
  const { findings, backups } = ended.json();
  return {
    status,
    findings: findings as readonly Found[],
    codes: (findings as readonly Found[]).map(({ code }) => code),
    backups: backups as readonly string[],
  };
}

describe('archiving', () => {
  test('is an event: no file goes anywhere, and none is made', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    await place.run(['list']);
    const before = filesOf(place.store);
    expect((await place.run(['archive', '--yes', '--json'])).json()).toMatchObject({
      plan: { id: PLAN, archived_at: expect.stringMatching(/^20/) as string },
    });
    expect(filesOf(place.store)).toEqual(before);
    expect([await listed(place), await listed(place, '--archived')]).toEqual([[], [PLAN]]);
    expect((await place.run(['status', PLAN])).out).toContain('archived');
    expect(await place.run(['archive', PLAN])).toMatchObject({
      status: 4,
      error: expect.stringContaining('archived already') as string,
    });
    expect((await place.run(['restore', '--json'])).json()).toMatchObject({ plan: { archived_at: null } });
    expect([await listed(place), await listed(place, '--archived')]).toEqual([[PLAN], []]);
    expect((await place.run(['restore', PLAN])).status).toBe(4);
    expect(readFileSync(place.eventLog, 'utf8').match(/"type":"plan_(un)?archived"/g)).toHaveLength(2);
    expect((await place.run(['log'])).out).toContain('brought the plan back from the archive');
  });

  test('loses nothing that others change meanwhile', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const worker = await place.open();
    await place.run(['archive', PLAN]);
    const [outcome] = await worker.append([complete('a')]);
    await worker.publish('now');
    expect(outcome?.refused).toBeNull();
    expect(await listed(place, '--archived')).toEqual([PLAN]);
    await place.run(['restore', PLAN]);
    expect(await statusOf(place, 'a')).toBe('complete');
  });

  test('what would take the id of an archived plan is refused without advice to delete it', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    const file = join(temporaryFolder(), 'plan.json');
    await place.run(['export', '-o', file]);
    await place.run(['archive', '--yes']);
    const ended = await place.run(['import', file]);
    expect(ended.status).toBe(4);
    expect(ended.error).toContain(`plan status ${PLAN}`);
    expect(ended.error).not.toContain('purge');
    expect(await statusOf(place, 'a')).toBe('atomic');
  });
});

describe('a store that 0.1 wrote', () => {
  function oldStore(): User & { readonly store: string } {
    const user = newUser();
    const store = join(user.folder, '.plans');
    cpSync(OLD_STORE, store, { recursive: true });
    return { ...user, store };
  }

  test('is read as it is: what it moved to the archive is archived', async () => {
    const user = oldStore();
    expect([...(await listed(user))].toSorted()).toEqual(['5c1e9a27', OLD_ACTIVE]);
    expect(await listed(user, '--archived')).toEqual([OLD_ARCHIVED]);
    expect((await user.run(['validate', OLD_ARCHIVED])).out).toBe('valid\n');
    expect((await user.run(['archive', OLD_ARCHIVED])).status).toBe(4);
    expect((await user.run(['add', 'More', '--plan', OLD_ARCHIVED])).status).toBe(4);
    expect((await doctor(user)).findings).toEqual([]);
    for (const name of filesOf(OLD_STORE).filter((each) => /\.jsonl?$/.test(each)))
      expect(readFileSync(join(user.store, name))).toEqual(readFileSync(join(OLD_STORE, name)));
  });

  test('gives a plan of its archive back by an event; the files stay where they are', async () => {
    const user = oldStore();
    expect((await user.run(['restore', '--json'])).json()).toMatchObject({ plan: { id: OLD_ARCHIVED } });
    expect((await listed(user))[0]).toBe(OLD_ARCHIVED);
    expect(await listed(user, '--archived')).toEqual([]);
    expect((await user.run(['add', 'More', '--plan', OLD_ARCHIVED])).status).toBe(0);
    expect((await user.run(['validate', OLD_ARCHIVED])).out).toBe('valid\n');
    const names = ['events.jsonl', 'json'].map((ending) => `${OLD_ARCHIVED}.${ending}`);
    expect(filesOf(join(user.store, 'archive'))).toEqual(names);
    expect(readdirSync(user.store)).not.toContain(names[0]);
    expect((await user.run(['archive', OLD_ARCHIVED])).status).toBe(0);
    expect(await listed(user, '--archived')).toEqual([OLD_ARCHIVED]);
    expect((await user.run(['delete', OLD_ARCHIVED, '--purge'])).status).toBe(0);
    expect(filesOf(join(user.store, 'archive'))).toEqual([]);
  });

  test.each([
    ['archiving', ['json'], OLD_ACTIVE, 'archive'],
    ['restoring', ['json'], OLD_ARCHIVED, '.'],
  ])('keeps the history of a plan when it was killed while %s it', async (_what, moved, plan, to) => {
    const user = oldStore();
    const from = to === '.' ? 'archive' : '.';
    const before = (await user.run(['log', plan, '--json'])).json();
    for (const ending of moved)
      renameSync(join(user.store, from, `${plan}.${ending}`), join(user.store, to, `${plan}.${ending}`));
    expect((await user.run(['log', plan, '--json'])).json()).toEqual(before);
    const archived = to === '.' ? [OLD_ARCHIVED] : [OLD_ARCHIVED];
    expect(await listed(user, '--archived')).toEqual(archived);
    expect((await doctor(user, '--fix')).status).toBe(0);
    expect((await doctor(user)).findings).toEqual([]);
    expect((await user.run(['log', plan, '--json'])).json()).toEqual(before);
  });
});

describe('a plan in two places', () => {
  /** Archives as 0.1 did. */
  function moveToArchive({ store }: Workplace): void {
    mkdirSync(join(store, 'archive'), { recursive: true });
    for (const name of [`${PLAN}.json`, `${PLAN}.events.jsonl`])
      renameSync(join(store, name), join(store, 'archive', name));
  }

  /** One clone completed `a` and archived as 0.1 did, the other completed `b`; whoever merged kept both files. */
  async function mergedWithBoth(): Promise<Clone> {
    const [one, two] = await twoClones();
    await one.change(complete('a'));
    moveToArchive(one);
    one.commit('archived by 0.1');
    await two.change(complete('b'), fail('c'));
    two.commit('b, c');
    two.git('fetch', '-q', one.folder, 'main');
    try {
      two.git('merge', '-q', '--no-edit', '-s', 'recursive', '-X', 'no-renames', 'FETCH_HEAD');
    } catch {
      // The plan was changed on one side and is gone on the other.
    }
    two.commit('both');
    return two;
  }

  test('after a merge: the one that was worked on counts, and doctor brings both together', async () => {
    const place = await mergedWithBoth();
    expect(await listed(place)).toEqual([PLAN]);
    expect([await statusOf(place, 'a'), await statusOf(place, 'b')]).toEqual(['atomic', 'complete']);
    const found = await doctor(place);
    expect([found.status, found.codes]).toEqual([1, ['IN_TWO_PLACES']]);
    const { status, backups, findings } = await doctor(place, '--fix');
    expect([status, findings[0]?.fixed]).toEqual([0, expect.stringContaining('appended 1 event') as string]);
    expect(await Promise.all(['a', 'b', 'c'].map((goal) => statusOf(place, goal)))).toEqual([
      'complete',
      'complete',
      'failed',
    ]);
    expect(existsSync(join(place.store, 'archive', `${PLAN}.events.jsonl`))).toBe(false);
    expect(filesOf(backups[0] ?? '')).toContain(join('archive', `${PLAN}.events.jsonl`));
    expect(await doctor(place)).toMatchObject({ status: 0, findings: [] });
    expect((await place.run(['validate'])).out).toBe('valid\n');
  });

  test.each(['file', 'log'])('keeping the %s does not overwrite the one that counts', async (side) => {
    const place = await mergedWithBoth();
    expect((await doctor(place, '--fix', '--keep', side)).status).toBe(0);
    expect(await listed(place)).toEqual([PLAN]);
    expect(await Promise.all(['a', 'b'].map((goal) => statusOf(place, goal)))).toEqual([
      'complete',
      'complete',
    ]);
  });

  test('with histories of their own: the one that counts stays as it is, the other is set aside', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']), complete('a'));
    moveToArchive(place);
    rmSync(join(place.store, 'journal'), { recursive: true });
    // A 0.1 that was killed while it restored the plan, and changed it then: a new log of the plan file.
    const { planFile } = { planFile: join(place.store, `${PLAN}.json`) };
    cpSync(join(place.store, 'archive', `${PLAN}.json`), planFile);
    renameSync(join(place.store, 'archive'), join(place.store, 'away'));
    await place.change(complete('b'));
    renameSync(join(place.store, 'away'), join(place.store, 'archive'));
    const log = readFileSync(place.eventLog);
    expect((await doctor(place)).codes).toEqual(['IN_TWO_PLACES']);
    const { status, backups } = await doctor(place, '--fix');
    expect(status).toBe(0);
    expect(readFileSync(place.eventLog)).toEqual(log);
    expect(filesOf(backups[0] ?? '')).toContain(join('archive', `${PLAN}.events.jsonl`));
    expect(await Promise.all(['a', 'b'].map((goal) => statusOf(place, goal)))).toEqual([
      'complete',
      'complete',
    ]);
  });

  test('is deleted for good from both', async () => {
    const place = await mergedWithBoth();
    expect((await place.run(['delete', PLAN, '--purge'])).status).toBe(0);
    expect(filesOf(place.store).filter((name) => name.includes(PLAN))).toEqual([]);
  });
});

test('the library archives and restores as the command does', async () => {
  const place = await newWorkplace();
  rmSync(join(place.store, `${PLAN}.json`));
  const workspace = openWorkspace({ dir: place.store });
  expect(typeof (await workspace.archive()).archived_at).toBe('string');
  expect((await workspace.list({ archived: true })).plans).toHaveLength(1);
  expect((await workspace.restore()).archived_at).toBeNull();
});
