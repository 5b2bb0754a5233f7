import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Goal } from '../../src/plan/schema.js';
import { mergeBothWays, twoClones } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';
import { claim, complete, expand, fail, id, newWorkplace, PLAN, workplace } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const statusOf = async (place: Workplace, goal: string): Promise<Goal['status'] | undefined> =>
  (await place.open()).plan.goals.get(id(goal))?.status;
const journalOf = (place: Workplace) => join(place.store, 'journal', PLAN);
const filesOf = (place: Workplace) =>
  [place.eventLog, join(place.store, `${PLAN}.json`)].map((path) => readFileSync(path, 'utf8'));
const findings = async (place: Workplace, ...options: readonly string[]) =>
  (await place.run(['doctor', '--json', ...options])).json().findings as readonly {
    readonly code: string;
    readonly message: string;
    readonly fixed: string | null;
  }[];

/** A clone with a commit behind it, and changes of its plan that are in no commit. */
async function cloneAtWork(): Promise<Clone> {
  const [one] = await twoClones();
  writeFileSync(join(one.folder, 'code.txt'), 'before\n');
  one.commit('code');
  await one.change(complete('a'));
  writeFileSync(join(one.folder, 'code.txt'), 'being changed\n');
  return one;
}

/**
 * What a merge does that git gives up because it would overwrite local changes, step by step: it notes them as a
 * stash, sets every file back, and puts the stash in place again.
 */
async function giveUpMerge(place: Clone, ...steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const stash = place.git('stash', 'create').trim();
  await steps[0]?.();
  place.git('read-tree', '--reset', '-u', 'HEAD');
  await steps[1]?.();
  try {
    place.git('stash', 'apply', '--index', '--quiet', stash);
  } catch {
    // It does not, when a file was changed meanwhile.
  }
  await steps[2]?.();
}

describe('a merge that git gives up', () => {
  test('loses no change that was acknowledged while git noted what there was', async () => {
    const one = await cloneAtWork();
    await giveUpMerge(one, () => one.change(fail('b')));
    expect(readFileSync(one.eventLog, 'utf8')).not.toContain('goal_failed');
    expect([await statusOf(one, 'a'), await statusOf(one, 'b')]).toEqual(['complete', 'failed']);
    await one.change(complete('c'));
    expect(readFileSync(one.eventLog, 'utf8')).toContain('goal_failed');
    rmSync(join(one.store, 'journal'), { recursive: true });
    expect([await statusOf(one, 'a'), await statusOf(one, 'b'), await statusOf(one, 'c')]).toEqual([
      'complete',
      'failed',
      'complete',
    ]);
    expect((await one.run(['validate'])).out).toBe('valid\n');
  });

  test('finds what was changed meanwhile, and all that was there before it', async () => {
    const one = await cloneAtWork();
    await giveUpMerge(
      one,
      () => one.change(fail('b')),
      () => one.change(complete('c')),
    );
    rmSync(join(one.store, 'journal'), { recursive: true });
    expect([await statusOf(one, 'a'), await statusOf(one, 'b'), await statusOf(one, 'c')]).toEqual([
      'complete',
      'failed',
      'complete',
    ]);
  });

  test('puts the other changes of the user in place again, though a writer that began before publishes meanwhile', async () => {
    const one = await cloneAtWork();
    const log = await one.open();
    await giveUpMerge(
      one,
      () => log.append([fail('b')]),
      () => log.publish('now'),
    );
    expect(readFileSync(join(one.folder, 'code.txt'), 'utf8')).toBe('being changed\n');
    expect(await statusOf(one, 'b')).toBe('failed');
  });

  test('is told of by whoever writes again what it took', async () => {
    const one = await cloneAtWork();
    await giveUpMerge(one, () => one.change(fail('b')));
    const end = await one.run(['complete', 'c', '--plan', PLAN]);
    expect(end).toMatchObject({ status: 0, error: expect.stringContaining('written again') as string });
    expect((await one.run(['complete', 'd', '--plan', PLAN])).error).not.toContain('written again');
  });

  test('makes nobody who only reads write a file that git knows', async () => {
    const one = await cloneAtWork();
    await giveUpMerge(one, () => one.change(fail('b')));
    const before = filesOf(one);
    for (const command of [['status'], ['list'], ['tree'], ['show', 'b'], ['log'], ['validate'], ['doctor']])
      await one.run(command);
    expect(filesOf(one)).toEqual(before);
    expect((await one.run(['show', 'b', '--json'])).json()).toMatchObject({ goal: { status: 'failed' } });
    expect((await one.run(['status', '--json'])).json()).toMatchObject({ plan: { failed_goals: 1 } });
    expect((await one.run(['list', '--json'])).json()).toMatchObject({ plans: [{ failed_goals: 1 }] });
    expect((await one.run(['log', '--json'])).out).toContain('goal_failed');
  });

  test('lets nobody claim what was claimed before', async () => {
    const one = await cloneAtWork();
    const early = await one.open();
    await giveUpMerge(one, () => one.change(claim('b', 'first')));
    const [late] = await early.append([claim('b', 'second')]);
    expect(late?.refused).not.toBeNull();
    expect((await one.change(claim('b', 'third')))[0]?.refused).not.toBeNull();
    expect((await one.open()).plan.goals.get(id('b'))?.claim?.token).toBe('first');
  });
});

describe('what git took out of the log because it was told to', () => {
  const TOLD: readonly (readonly [string, (place: Clone) => void])[] = [
    ['reset --hard', (place) => place.git('reset', '-q', '--hard')],
    ['stash', (place) => place.git('stash', '-q')],
    [
      'checkout --force',
      (place) => {
        place.git('checkout', '-q', '--force', '-b', 'other', 'HEAD~1');
      },
    ],
  ];

  test.each(TOLD)('%s: is not brought back by itself, but named and offered', async (_name, command) => {
    const one = await cloneAtWork();
    command(one);
    const end = await one.run(['complete', 'b', '--plan', PLAN]);
    expect(end).toMatchObject({ status: 0, error: expect.stringContaining('plan doctor') as string });
    expect(await statusOf(one, 'a')).toBe('atomic');
    expect((await one.run(['doctor'])).status).toBe(1);
    expect(await findings(one)).toMatchObject([
      { code: 'TAKEN_BY_GIT', message: expect.stringContaining('goal_completed') as string },
    ]);
    expect(await findings(one, '--fix')).toMatchObject([
      { code: 'TAKEN_BY_GIT', fixed: expect.any(String) as string },
    ]);
    expect(await statusOf(one, 'a')).toBe('complete');
    expect((await one.run(['doctor'])).status).toBe(0);
    expect((await findings(one)).filter(({ code }) => code === 'TAKEN_BY_GIT')).toEqual([]);
  });

  test('goes for good when that was meant', async () => {
    const one = await cloneAtWork();
    one.git('reset', '-q', '--hard');
    expect((await one.run(['status'])).status).toBe(0);
    expect((await one.run(['doctor', '--accept'])).status).toBe(0);
    expect((await one.run(['doctor'])).out).toBe('The store is healthy.\n');
    expect(await statusOf(one, 'a')).toBe('atomic');
  });

  test('is not offered any more once a stash that has it was put in place again', async () => {
    const one = await cloneAtWork();
    one.git('stash', '-q');
    expect(await statusOf(one, 'a')).toBe('atomic');
    expect(await findings(one)).toHaveLength(1);
    one.git('stash', 'pop', '-q');
    expect(await statusOf(one, 'a')).toBe('complete');
    expect(await findings(one)).toEqual([]);
  });

  test('is not offered at all where a branch has it', async () => {
    const one = await cloneAtWork();
    one.commit('a');
    one.git('checkout', '-q', '-b', 'other', 'HEAD~1');
    const end = await one.run(['complete', 'b', '--plan', PLAN]);
    expect([end.status, end.error]).toEqual([0, '']);
    expect(await findings(one)).toEqual([]);
    one.commit('b');
    one.git('checkout', '-q', 'main');
    expect([await statusOf(one, 'a'), await statusOf(one, 'b')]).toEqual(['complete', 'atomic']);
    one.git('merge', '-q', '--no-edit', 'other');
    expect([await statusOf(one, 'a'), await statusOf(one, 'b')]).toEqual(['complete', 'complete']);
    expect((await findings(one)).filter(({ code }) => code === 'TAKEN_BY_GIT')).toEqual([]);
  });

  test('is told of from what a commit without a branch had', async () => {
    const one = await cloneAtWork();
    one.commit('a');
    one.git('reset', '-q', '--hard', 'HEAD~1');
    one.git('checkout', '-q', '--detach');
    // The branch still leads to an older commit only.
    expect(await statusOf(one, 'a')).toBe('atomic');
    expect(await findings(one)).toMatchObject([{ code: 'TAKEN_BY_GIT' }]);
  });
});

describe('the journal', () => {
  test('is no part of any commit, in no clone, and has one link however often git replaces the log', async () => {
    const one = await cloneAtWork();
    for (let round = 0; round < 6; round += 1) {
      await one.change({ type: 'goal_reopened', goal: id('a') }, complete('a'));
      one.commit(`round ${round}`);
      one.git('checkout', '-q', 'HEAD~1');
      await one.open();
      one.git('checkout', '-q', 'main');
    }
    expect(one.git('ls-files')).not.toContain('journal');
    expect(one.git('status', '--porcelain')).toBe('');
    expect(readdirSync(journalOf(one)).filter((name) => name.endsWith('.jsonl')).length).toBeLessThanOrEqual(
      2,
    );
    await one.change(complete('b'));
    expect(readdirSync(journalOf(one)).filter((name) => name.endsWith('.jsonl'))).toEqual([
      `${statSync(one.eventLog).ino}.jsonl`,
    ]);
  });

  test('costs no second file: it is the log itself under another name', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    expect(statSync(place.eventLog).nlink).toBe(2);
  });

  test('of a store that was copied does no harm: neither copy learns of the other’s changes', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c']));
    const folder = join(temporaryFolder(), 'copy');
    cpSync(place.folder, folder, { recursive: true, preserveTimestamps: true });
    await place.change(complete('a'));
    const copy = workplace({ ...place, folder });
    await copy.change(complete('b'));
    expect([await statusOf(place, 'a'), await statusOf(place, 'b')]).toEqual(['complete', 'atomic']);
    expect([await statusOf(copy, 'a'), await statusOf(copy, 'b')]).toEqual(['atomic', 'complete']);
    const replicas = [place, copy].map(({ eventLog }) =>
      readFileSync(eventLog, 'utf8')
        .match(/"replica":"[^"]+"/g)
        ?.at(-1),
    );
    expect(new Set(replicas).size).toBe(2);
  });

  test('is made anew where it was removed, or is not to be had', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b', 'c']));
    rmSync(join(place.store, 'journal'), { recursive: true });
    await place.change(complete('a'));
    expect(statSync(place.eventLog).nlink).toBe(2);
    rmSync(join(place.store, 'journal'), { recursive: true });
    writeFileSync(join(place.store, 'journal'), 'not a folder');
    await expect(place.change(complete('b'))).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    expect(await statusOf(place, 'b')).toBe('atomic');
  });

  test('goes with the plan when that is deleted for good, and is none of another plan of that id', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']), complete('a'));
    const kept = readFileSync(join(place.store, `${PLAN}.json`));
    expect((await place.run(['delete', '--purge', PLAN])).status).toBe(0);
    expect(existsSync(journalOf(place)) ? readdirSync(journalOf(place)) : []).toEqual([]);
    writeFileSync(join(place.folder, 'kept.json'), kept);
    expect((await place.run(['import', 'kept.json'])).status).toBe(0);
    rmSync(place.eventLog);
    rmSync(join(place.store, `${PLAN}.json`));
    expect((await place.run(['import', 'kept.json'])).status).toBe(0);
    await place.change({ type: 'goal_reopened', goal: id('a') });
    expect((await (await place.open()).events()).map(({ type }) => type)).toEqual([
      'plan_imported',
      'goal_reopened',
    ]);
  });

  test('keeps a plan file from being taken for a plan without a log while the log is gone', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const log = await place.open();
    renameSync(place.eventLog, join(place.folder, 'elsewhere'));
    await expect(log.append([complete('a')])).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
    await expect(place.change(complete('a'))).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      hint: expect.stringContaining('`plan doctor --fix`') as string,
    });
    expect(existsSync(place.eventLog)).toBe(false);
    expect(await findings(place)).toMatchObject([{ code: 'LOG_REMOVED' }]);
    rmSync(join(place.store, `${PLAN}.json`));
    expect(await findings(place, '--fix')).toMatchObject([
      { code: 'LOG_REMOVED', fixed: expect.any(String) as string },
      {},
    ]);
    await place.change(complete('a'));
    expect(await statusOf(place, 'a')).toBe('complete');
    expect((await log.events()).map(({ type }) => type)).toEqual([
      'plan_created',
      'goal_expanded',
      'goal_completed',
    ]);
  });
});

describe('a writer that had read before git brought something new', () => {
  test('stands after what others were told since', async () => {
    const [one, two] = await twoClones();
    const early = await one.open();
    for (let round = 0; round < 5; round += 1)
      await two.change(complete('c'), { type: 'goal_reopened', goal: id('c') });
    two.commit('two');
    one.git('pull', '-q', two.folder, 'main');
    const [first] = await one.change(claim('a', 'first'));
    const [second] = await early.append([claim('a', 'second')]);
    expect([first?.refused, second?.refused === null]).toEqual([null, false]);
    expect((await one.open()).plan.goals.get(id('a'))?.claim?.token).toBe('first');
    one.commit('one');
    mergeBothWays(one, two);
    expect((await two.open()).plan.goals.get(id('a'))?.claim?.token).toBe('first');
  });
});

test('a copy that says it is the original writes under another name', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']));
  const folder = join(temporaryFolder(), 'copy');
  cpSync(place.folder, folder, { recursive: true });
  const copy = join(folder, '.plans');
  const known = JSON.parse(readFileSync(join(copy, '.replica'), 'utf8')) as { id: string };
  writeFileSync(join(copy, '.replica'), JSON.stringify({ ...known, folder: statSync(copy).ino }));
  await place.change(complete('a'));
  await (await (await newFileStore(copy)).open(PLAN)).append([complete('b')]);
  const lastReplica = (path: string) =>
    readFileSync(path, 'utf8')
      .match(/"replica":"[^"]+"/g)
      ?.at(-1);
  expect(lastReplica(join(copy, `${PLAN}.events.jsonl`))).not.toBe(lastReplica(place.eventLog));
});
