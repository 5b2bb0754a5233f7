import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { mergeBothWays, twoClones } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { complete, expand, fail, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const refusals = z.object({
  events: z.array(z.looseObject({ event: z.string(), refused: z.string().nullable() })),
});

async function refusedIn(place: Workplace) {
  const { events } = refusals.parse((await place.run(['log', PLAN, '--json'])).json());
  return events.filter(({ refused }) => refused !== null).map(({ event, refused }) => [event, refused]);
}

/** The state that both came to, which must be the same to the byte and valid. */
async function agreed(one: Clone, two: Clone): Promise<Record<string, string>> {
  const before = await Promise.all([one, two].map((place) => place.run(['validate', PLAN])));
  expect(before.map(({ out }) => out)).toEqual(['valid\n', 'valid\n']);
  const [ours, theirs] = await Promise.all(
    [one, two].map(async (place) => (await place.run(['export', PLAN])).out),
  );
  expect(ours).toBe(theirs);
  expect(await refusedIn(one)).toEqual(await refusedIn(two));
  expect(one.git('status', '--porcelain')).not.toContain('U');
  const plan = z
    .looseObject({ goals: z.record(z.string(), z.looseObject({ status: z.string() })) })
    .parse(JSON.parse(ours ?? ''));
  return Object.fromEntries(Object.entries(plan.goals).map(([key, goal]) => [key.slice(9), goal.status]));
}

describe('two clones that both worked on a plan', () => {
  test('merge in both directions without a conflict, with the work of both', async () => {
    const [one, two] = await twoClones();
    await one.change(complete('a'));
    one.commit('a');
    await two.change(complete('b'));
    await two.change(fail('c'));
    two.commit('b, c');
    mergeBothWays(one, two);
    expect(await agreed(one, two)).toMatchObject({ a: 'complete', b: 'complete', c: 'failed' });
    expect(await refusedIn(one)).toEqual([]);
  });

  test('are told by the doctor that nothing is wrong: the merged plan file is a note, until it is made anew', async () => {
    const [one, two] = await twoClones();
    await one.change(complete('a'));
    one.commit('a');
    await two.change(complete('b'));
    two.commit('b');
    mergeBothWays(one, two);
    const found = await one.run(['doctor', '--json']);
    expect(found.json()).toMatchObject({
      healthy: true,
      findings: [{ code: 'PLAN_FILE_MERGED', severity: 'note' }],
    });
    expect(found.status).toBe(0);
    expect((await two.run(['doctor', '--fix'])).status).toBe(0);
    expect((await two.run(['doctor'])).out).toBe('The store is healthy.\n');
    await one.change(complete('c'));
    expect((await one.run(['doctor'])).out).toBe('The store is healthy.\n');
  });

  test.each([
    ['completed the same goal', [complete('a')], [complete('a')]],
    ['divided the same goal', [expand('d', ['e'])], [expand('d', ['f', 'g'])]],
    ['ended the same goal differently', [complete('a')], [fail('a')]],
  ])('agree on one outcome where they %s, and report the other', async (_what, ours, theirs) => {
    const [one, two] = await twoClones();
    await one.change(...ours);
    one.commit('ours');
    await two.change(...theirs);
    two.commit('theirs');
    mergeBothWays(one, two);
    await agreed(one, two);
    expect((await refusedIn(one)).length).toBeGreaterThan(0);
    expect((await one.run(['log'])).out).toContain('refused: ');
  });

  test('agree where both undid the same change', async () => {
    const [one, two] = await twoClones();
    for (const clone of [one, two]) {
      expect((await clone.run(['undo', '--any', '--yes'])).status).toBe(0);
      clone.commit('undo');
    }
    mergeBothWays(one, two);
    expect(await agreed(one, two)).toEqual({ root: 'pending' });
    expect(await refusedIn(one)).toHaveLength(1);
  });

  test('agree where one undid what the other built on', async () => {
    const [one, two] = await twoClones();
    await one.run(['undo', '--any', '--yes']);
    one.commit('undo');
    await two.change(complete('a'));
    two.commit('a');
    mergeBothWays(one, two);
    await agreed(one, two);
    expect(await refusedIn(one)).toHaveLength(1);
  });

  test('agree after many small commits and merges, and on the plan file once it is written anew', async () => {
    const [one, two] = await twoClones();
    for (const goal of ['a', 'b', 'c']) {
      await one.change(complete(goal), { type: 'goal_reopened', goal: id(goal) });
      one.commit(`one ${goal}`);
      await two.change(fail(goal));
      two.commit(`two ${goal}`);
      mergeBothWays(one, two);
      await agreed(one, two);
      one.commit('merged');
      two.commit('merged');
    }
    two.git('fetch', '-q', one.folder, 'main');
    two.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
    one.git('fetch', '-q', two.folder, 'main');
    one.git('merge', '-q', '--ff-only', 'FETCH_HEAD');
    await agreed(one, two);
    for (const name of [`${PLAN}.json`, `${PLAN}.events.jsonl`]) {
      expect(readFileSync(join(one.store, name), 'utf8')).toBe(readFileSync(join(two.store, name), 'utf8'));
    }
  });

  test('merge when one of them archived the plan', async () => {
    const [one, two] = await twoClones();
    await one.run(['archive', '--yes']);
    one.commit('archive');
    await two.change(complete('a'));
    two.commit('a');
    mergeBothWays(one, two);
    expect((await agreed(one, two)).a).toBe('complete');
    for (const clone of [one, two]) {
      expect((await clone.run(['list'])).out).toBe('');
      expect((await clone.run(['list', '--archived'])).out).toContain(PLAN);
      expect(existsSync(join(clone.store, 'archive'))).toBe(false);
    }
  });
});

describe('branches of one clone', () => {
  async function twoBranches(): Promise<readonly [Clone, Clone]> {
    const [one, two] = await twoClones();
    one.git('checkout', '-q', '-b', 'x');
    await one.change(complete('a'));
    await one.change(fail('c'));
    one.commit('x');
    one.git('checkout', '-q', 'main');
    one.git('checkout', '-q', '-b', 'y');
    await one.change(fail('a'));
    await one.change(complete('c'), complete('b'));
    one.commit('y');
    two.git('fetch', '-q', 'origin', 'x:x', 'y:y');
    return [one, two];
  }

  test('come to the same whichever is merged into which', async () => {
    const [one, two] = await twoBranches();
    one.git('merge', '-q', '--no-edit', 'x');
    two.git('checkout', '-q', 'x');
    two.git('merge', '-q', '--no-edit', 'y');
    expect((await agreed(one, two)).b).toBe('complete');
    expect(await refusedIn(one)).toHaveLength(2);
  });

  test('come to the same rebased as merged', async () => {
    const [one, two] = await twoBranches();
    one.git('rebase', '-q', 'x');
    two.git('checkout', '-q', 'x');
    two.git('merge', '-q', '--no-edit', 'y');
    expect((await agreed(one, two)).b).toBe('complete');
  });

  test('may be rebased commit by commit', async () => {
    const [one] = await twoBranches();
    for (const payload of [{ type: 'goal_reopened' as const, goal: id('b') }, complete('b')]) {
      await one.change(payload);
      one.commit(payload.type);
    }
    const before = (await one.run(['log', '--goal', 'b', '--json'])).out;
    one.git('rebase', '-q', 'x');
    expect((await one.run(['validate'])).out).toBe('valid\n');
    expect((await one.run(['log', '--goal', 'b', '--json'])).out).toBe(before);
  });

  test('take a single commit of another, and its whole later', async () => {
    const [one, two] = await twoClones();
    one.git('checkout', '-q', '-b', 'x');
    await one.change(complete('a'));
    one.commit('a');
    await one.change(complete('b'));
    one.commit('b');
    one.git('checkout', '-q', 'main');
    await one.change(fail('c'));
    one.commit('c');
    one.git('cherry-pick', 'x');
    expect((await one.run(['validate'])).out).toBe('valid\n');
    expect((await one.run(['show', 'b', '--json'])).json()).toMatchObject({ goal: { status: 'complete' } });
    await one.change({ type: 'goal_reopened', goal: id('b') });
    one.commit('reopened');
    two.git('fetch', '-q', 'origin', 'x:x', 'main:m');
    one.git('merge', '-q', '--no-edit', 'x');
    two.git('checkout', '-q', 'x');
    two.git('merge', '-q', '--no-edit', 'm');
    expect(await agreed(one, two)).toMatchObject({ a: 'complete', b: 'atomic', c: 'failed' });
  });

  test('that were switched while the plan was worked on keep apart what belongs apart', async () => {
    const [one] = await twoBranches();
    one.git('checkout', '-q', 'x');
    expect((await one.run(['show', 'b', '--json'])).json()).toMatchObject({ goal: { status: 'atomic' } });
    await one.change(complete('b'));
    const replicas = readFileSync(one.eventLog, 'utf8').match(/"replica":"[^"]+"/g) ?? [];
    expect(new Set(replicas).size).toBeGreaterThan(2);
  });
});

describe('a merged plan file', () => {
  test('that is valid JSON is not mistaken for a good one', async () => {
    const [one] = await twoClones();
    const file = join(one.store, `${PLAN}.json`);
    await one.change(complete('a'));
    // As a union would leave it: the position of one side, and beside a goal's status the other side's.
    const published = readFileSync(file, 'utf8');
    const goal = published.indexOf('"Goal a"');
    const mixed =
      published.slice(0, goal) +
      published.slice(goal).replace('"status": "complete",', '$&\n      "status": "atomic",');
    writeFileSync(file, mixed);
    expect(JSON.parse(mixed)).toMatchObject({ goals: { [id('a')]: { status: 'atomic' } } });
    expect((await one.open()).plan.goals.get(id('a'))?.status).toBe('complete');
    expect((await one.run(['show', 'a', '--json'])).json()).toMatchObject({ goal: { status: 'complete' } });
  });

  test('that somebody edited stays, and is copied before it is written anew', async () => {
    const [one] = await twoClones();
    const file = join(one.store, `${PLAN}.json`);
    const edited = readFileSync(file, 'utf8').replace('Goal a', 'Another goal');
    writeFileSync(file, edited);
    expect((await one.run(['tree'])).out).not.toContain('Another goal');
    expect((await one.run(['validate', '--json'])).json()).toMatchObject({
      problems: [{ code: 'DIFFERS_FROM_LOG' }],
    });
    expect(readFileSync(file, 'utf8')).toBe(edited);
    await one.change(complete('a'));
    expect(readFileSync(join(one.store, 'backup', `${PLAN}.json`), 'utf8')).toBe(edited);
    expect(one.git('status', '--porcelain')).not.toContain('backup');
  });

  test('with conflict markers does not count, and is made anew by the next change', async () => {
    const [one] = await twoClones();
    const file = join(one.store, `${PLAN}.json`);
    appendFileSync(file, '<<<<<<< ours\n');
    const merged = readFileSync(file, 'utf8');
    expect((await one.run(['status'])).status).toBe(0);
    const checked = await one.run(['validate']);
    expect([checked.out, checked.error]).toEqual([
      'valid\n',
      expect.stringContaining('PLAN_FILE_STALE') as string,
    ]);
    expect(readFileSync(file, 'utf8')).toBe(merged);
    await one.change(complete('a'));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      goals: { [id('a')]: { status: 'complete' } },
    });
    expect((await one.run(['validate'])).error).toBe('');
    rmSync(file);
    expect((await one.run(['status'])).status).toBe(0);
  });
});

test('a log that lost its end can be read, as the plan file has it, and is not gone on with', async () => {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b']));
  await place.change(complete('a'));
  writeFileSync(place.eventLog, readFileSync(place.eventLog).subarray(0, -20));
  expect((await place.run(['show', 'a', '--json'])).json()).toMatchObject({ goal: { status: 'complete' } });
  await expect(place.change(complete('b'))).rejects.toMatchObject({ code: 'STORE_DAMAGED' });
});
