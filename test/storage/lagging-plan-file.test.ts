import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { mergeBothWays, withGit } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { readPlan } from '../support/format-reader.js';
import { claim, expand, fail, id, newWorkplace, PLAN, workplace } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';

const GOALS = Array.from({ length: 400 }, (_, index) => `g${index}`);
const MOST_BEHIND = 63;

interface LargePlan extends Workplace {
  readonly planFile: string;
  /** What the plan file says that it reflects. */
  shown(): { readonly event: string; readonly bytes: number };
}

/** A plan whose plan file is larger than one that every change writes: more than 1.25 MB. */
async function largePlan(): Promise<LargePlan> {
  const place = await newWorkplace();
  const { sub_goals, ...expansion } = expand('root', GOALS);
  await place.change({
    ...expansion,
    sub_goals: sub_goals.map((goal) => ({ ...goal, detail: 'Look at it from every side. '.repeat(125) })),
  });
  return withPlanFile(place);
}

function withPlanFile(place: Workplace): LargePlan {
  const planFile = join(place.store, `${PLAN}.json`);
  return {
    ...place,
    planFile,
    shown: () =>
      (JSON.parse(readFileSync(planFile, 'utf8')) as { log: { event: string; bytes: number } }).log,
  };
}

const lastEvent = async (place: Workplace) => (await (await place.open()).events()).at(-1)?.id;

describe('the plan file of a large plan', () => {
  test('stays as it is when the plan changes, and every command shows the change', async () => {
    const place = await largePlan();
    const before = readFileSync(place.planFile);
    expect(before.length).toBeGreaterThan(1_300_000);
    expect((await place.run(['complete', id('g0'), '--summary', 'Did it'])).status).toBe(0);
    expect((await place.run(['claim', id('g1'), '--by', 'me'])).status).toBe(0);
    expect((await place.run(['edit', id('g2'), '--description', 'Another text'])).status).toBe(0);
    expect(readFileSync(place.planFile).equals(before)).toBe(true);

    const json = async (...args: string[]) => (await place.run([...args, '--json'])).json();
    expect(await json('status')).toMatchObject({
      plan: { complete_goals: 1 },
      claimed: [{ goal: id('g1'), by: 'me' }],
    });
    expect(await json('list')).toMatchObject({ plans: [{ complete_goals: 1 }] });
    expect(await json('show', id('g0'))).toMatchObject({ goal: { status: 'complete' } });
    expect(await json('show', '3')).toMatchObject({ goal: { description: 'Another text' } });
    expect(await json('next')).toMatchObject({ total: GOALS.length - 2 });
    expect((await place.run(['tree'])).out).toContain('Another text');
    expect((await place.run(['export'])).out).toContain('Another text');
    expect((await place.run(['export', '--format', 'markdown'])).out).toContain('Another text');
    expect(readFileSync(place.planFile).equals(before)).toBe(true);
  });

  test('is healthy while it is behind', async () => {
    const place = await largePlan();
    await place.run(['complete', id('g0')]);
    expect(place.shown().event).not.toBe(await lastEvent(place));
    expect(await place.run(['validate'])).toMatchObject({ status: 0, out: 'valid\n', error: '' });
    expect((await place.run(['doctor', '--json'])).json()).toMatchObject({ findings: [] });
    expect((await place.run(['list'])).out).toContain('1 of 400 done');
  });

  test(`is behind by ${MOST_BEHIND} events at most, and names the event that it holds`, async () => {
    const place = await largePlan();
    const workspace = openWorkspace({ dir: place.store });
    const { event } = place.shown();
    for (let turn = 0; turn < MOST_BEHIND; turn += 1)
      await workspace.edit(id('g1'), { detail: `Turn ${turn}`, plan: PLAN });
    expect(place.shown().event).toBe(event);
    await workspace.edit(id('g1'), { detail: 'The last straw', plan: PLAN });
    expect(place.shown()).toMatchObject({
      event: await lastEvent(place),
      bytes: statSync(place.eventLog).size,
    });
  });

  test('is written by a change when it lacks one of ten minutes ago, or much text, or a new status', async () => {
    const place = await largePlan();
    let time = Date.now();
    const workspace = openWorkspace({ dir: place.store, environment: { now: () => time } });
    const changed = async (detail: string) => {
      await workspace.edit(id('g1'), { detail, plan: PLAN });
      return place.shown().event === (await lastEvent(place));
    };
    expect(await changed('one')).toBe(false);
    time += 9 * 60_000;
    expect(await changed('two')).toBe(false);
    time += 2 * 60_000;
    expect(await changed('three')).toBe(true);
    expect(await changed('four')).toBe(false);
    expect(await changed('x'.repeat(200_000))).toBe(true);
    expect(await changed('five')).toBe(false);
    // What was planned to the end is to be planned again.
    await workspace.add({ description: 'To be planned', composite: true, plan: PLAN });
    expect((await workspace.status(PLAN)).plan.status).toBe('in_progress');
    expect(place.shown().event).toBe(await lastEvent(place));
  });

  test('is written by `plan publish`, and by the commands that end or set aside planning', async () => {
    const place = await largePlan();
    await place.run(['complete', id('g0')]);
    const published = await place.run(['publish', '--json']);
    expect(published.json()).toEqual({ plan: PLAN, event: await lastEvent(place) });
    expect(place.shown()).toMatchObject({
      event: await lastEvent(place),
      bytes: statSync(place.eventLog).size,
    });
    for (const args of [
      ['archive', '--yes'],
      ['restore', PLAN],
    ]) {
      await place.run(['edit', id('g1'), '--detail', args.join(' '), '--plan', PLAN]);
      expect((await place.run(args)).status).toBe(0);
      expect([args, place.shown().event]).toEqual([args, await lastEvent(place)]);
    }
    expect((await place.run(['publish', 'ffff'])).status).toBe(3);
  });

  test('tells of a plan file that was edited while it was behind, and keeps it', async () => {
    const place = await largePlan();
    await place.run(['complete', id('g0')]);
    const edited = readFileSync(place.planFile, 'utf8').replace('Goal g5"', 'My own words"');
    writeFileSync(place.planFile, edited);
    expect((await place.run(['show', id('g0'), '--json'])).json()).toMatchObject({
      goal: { status: 'complete' },
    });
    expect((await place.run(['validate', '--json'])).json()).toMatchObject({
      problems: [{ code: 'DIFFERS_FROM_LOG', path: `$.goals["${id('g5')}"]` }],
    });
    expect((await place.run(['doctor', '--json'])).json()).toMatchObject({
      findings: [{ code: 'PLAN_FILE_DIFFERS' }],
    });
    await place.run(['complete', id('g1')]);
    expect(readFileSync(join(place.store, 'backup', `${PLAN}.json`), 'utf8')).toBe(edited);
    expect(place.shown().event).toBe(await lastEvent(place));
  });

  test('says that the log lost its end, as far as the plan file holds it', async () => {
    const place = await largePlan();
    await place.run(['complete', id('g0')]);
    await place.run(['publish']);
    const { bytes } = place.shown();
    await place.run(['complete', id('g1')]);
    truncateSync(place.eventLog, bytes - 10);
    expect(await place.run(['complete', id('g2')])).toMatchObject({ status: 7 });
    expect(await place.run(['publish'])).toMatchObject({ status: 7 });
    expect((await place.run(['status', '--json'])).json()).toMatchObject({ plan: { complete_goals: 1 } });
  });

  test('is read by a reader that was written from the page', async () => {
    const place = await largePlan();
    await place.run(['complete', id('g0')]);
    await place.run(['edit', id('g2'), '--description', 'Another text']);
    const content = (await place.run(['export', '--json'])).json().content;
    expect(readPlan(place.eventLog)).toEqual(JSON.parse(String(content)));
    const start = JSON.parse(readFileSync(place.planFile, 'utf8')) as { goals: object };
    expect(start.goals).not.toEqual((JSON.parse(String(content)) as { goals: object }).goals);
  });

  test('takes in what many processes change at the same time', async () => {
    const place = await largePlan();
    const ends = await Promise.all(
      GOALS.slice(0, 8).map((goal) => place.run(['complete', id(goal), '--by', goal])),
    );
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 0));
    expect((await place.run(['status', '--json'])).json()).toMatchObject({ plan: { complete_goals: 8 } });
    const [fromView, fromLog] = [await (await place.open()).refresh(), (await place.open()).plan];
    expect(toPlanFile(fromView)).toEqual(toPlanFile(fromLog));
  });
});

test('the plan file of a small plan shows every change', async () => {
  const place = withPlanFile(await newWorkplace());
  await place.change(expand('root', ['a', 'b']));
  await place.run(['complete', id('a')]);
  expect(place.shown().event).toBe(await lastEvent(place));
});

describe('git', () => {
  async function twoLargeClones(): Promise<readonly [Clone, Clone]> {
    const first = withGit(await largePlan());
    first.git('init', '-q');
    first.commit('a plan');
    const folder = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', first.folder, folder]);
    return [first, withGit(workplace(newUser(folder)))];
  }

  const planOf = async (place: Clone) => toPlanFile((await place.open()).plan);

  test.each<[string, (one: Clone, two: Clone) => Promise<unknown>]>([
    ['both are behind', async () => undefined],
    ['one is behind', async (one) => one.run(['publish'])],
    ['both were written', async (one, two) => Promise.all([one.run(['publish']), two.run(['publish'])])],
  ])('merges plan files of which %s, and both sides see one plan', async (_which, prepare) => {
    const [one, two] = await twoLargeClones();
    await one.run(['complete', id('g0')]);
    await one.run(['edit', id('g2'), '--description', 'One']);
    await two.run(['claim', id('g1'), '--by', 'me']);
    await two.run(['edit', id('g2'), '--description', 'Two']);
    await prepare(one, two);
    one.commit('one');
    two.commit('two');
    mergeBothWays(one, two);
    const plan = await planOf(one);
    expect(await planOf(two)).toEqual(plan);
    expect(plan.goals[id('g0')]?.status).toBe('complete');
    expect(plan.goals[id('g1')]?.claim?.by).toBe('me');
    for (const clone of [one, two]) {
      expect((await clone.run(['status', '--json'])).json()).toMatchObject({ plan: { complete_goals: 1 } });
      expect((await clone.run(['validate'])).out).toBe('valid\n');
      expect(clone.git('status', '--porcelain')).toBe('');
      await clone.run(['complete', id('g3')]);
      expect((await clone.run(['doctor'])).status).toBe(0);
      expect((await clone.open()).plan.counts.complete).toBe(2);
    }
  });

  test('a commit whose plan file is behind is a whole plan in every clone', async () => {
    const [one, two] = await twoLargeClones();
    await one.run(['complete', id('g0')]);
    await one.change(claim('g1', 'token'), fail('g4'));
    await one.run(['complete', id('g3')]);
    one.commit('one');
    two.git('pull', '-q', '--ff-only', one.folder, 'main');
    expect(await planOf(two)).toEqual(await planOf(one));
    expect((await two.run(['doctor', '--json'])).json()).toMatchObject({ findings: [] });
    expect((await two.run(['list', '--json'])).json()).toMatchObject({ plans: [{ complete_goals: 2 }] });
    expect(two.git('status', '--porcelain')).toBe('');
  });
});
