import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { stringifyPlanFile, toPlanFile } from '../../src/plan/snapshot/plan-file.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { examplePlan } from '../support/plans.js';
import { complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { newFileStore } from '../support/stores.js';

const filesWith = (folder: string, part: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(part));

describe('deleting a plan for good', () => {
  test('leaves none of its files, also where others have it open', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a', 'b']));
    const others = [await place.open(), await place.open()];
    await others[0]?.append([complete('a')]);
    expect((await place.run(['delete', PLAN, '--purge'])).status).toBe(0);
    for (const log of others) {
      await log.publish('now');
      await expect(log.append([complete('b')])).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
      await expect(log.refresh()).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
      await log.publish('now');
    }
    expect(filesWith(place.store, PLAN)).toEqual([]);
    expect((await place.run(['status', PLAN])).status).toBe(3);
    expect((await place.run(['delete', PLAN, '--purge'])).status).toBe(3);
  });

  test('takes a plan file that has no log with it, and nobody can make a log of it afterwards', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    writeFileSync(join(folder, 'a1b2c3d4.json'), stringifyPlanFile(toPlanFile(examplePlan())));
    const log = await store.open('a1b2c3d4');
    await store.purge('a1b2c3d4');
    const change = log.append([{ type: 'goal_completed', goal: 'a1b2c3d4-g2' }]);
    await expect(change).rejects.toMatchObject({ code: 'PLAN_NOT_FOUND' });
    expect(filesWith(folder, 'a1b2c3d4')).toEqual([]);
  });

  test('a plan file that was edited before its first change is what that change is made of', async () => {
    const folder = join(temporaryFolder(), '.plans');
    const store = await newFileStore(folder);
    const planFile = join(folder, 'a1b2c3d4.json');
    const text = stringifyPlanFile(toPlanFile(examplePlan()));
    writeFileSync(planFile, text);
    const log = await store.open('a1b2c3d4');
    writeFileSync(planFile, text.replace('"description": "', '"description": "By hand: '));
    await log.append([{ type: 'goal_completed', goal: 'a1b2c3d4-g2' }]);
    expect(log.plan.header.description).toMatch(/^By hand: /);
    expect((await store.open('a1b2c3d4')).plan.header.description).toMatch(/^By hand: /);
  });

  test('that was stopped is as good as done: nothing shows the plan, and its id is free', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    const file = join(temporaryFolder(), 'plan.json');
    await place.run(['export', PLAN, '-o', file]);
    // What a process leaves that is killed as soon as it has renamed the log.
    renameSync(place.eventLog, `${place.eventLog}.purged.tmp`);
    expect((await place.run(['list', '--json'])).json()).toEqual({ plans: [] });
    expect((await place.run(['status', PLAN])).status).toBe(3);
    expect((await place.run(['doctor', '--json'])).json()).toMatchObject({
      healthy: false,
      findings: [{ code: 'PURGE_UNFINISHED' }],
    });
    expect((await place.run(['import', file])).status).toBe(0);
    expect((await place.run(['log', '--json'])).json().events).toHaveLength(1);
    expect(filesWith(place.store, 'purged')).toEqual([]);
    expect((await place.run(['doctor'])).status).toBe(0);
  });

  test('that was stopped is ended by the doctor', async () => {
    const place = await newWorkplace();
    renameSync(place.eventLog, `${place.eventLog}.purged.tmp`);
    expect((await place.run(['doctor', '--fix'])).status).toBe(0);
    expect(filesWith(place.store, PLAN)).toEqual([]);
  });

  test('a plan whose files are damaged', async () => {
    const user = newUser();
    await user.run(['init', 'Build it', '--no-decompose']);
    writeFileSync(join(user.folder, '.plans', 'ffffffff.json'), 'no plan');
    expect((await user.run(['delete', 'ffffffff', '--purge'])).status).toBe(0);
    expect(filesWith(join(user.folder, '.plans'), 'ffffffff')).toEqual([]);
  });
});

describe('the action plans of a plan that is deleted for good', () => {
  const OTHER = 'bbbbbbbb';

  async function withActionPlans(place: Workplace, ...ids: readonly string[]): Promise<void> {
    mkdirSync(join(place.store, 'actions'), { recursive: true });
    for (const one of ids) writeFileSync(join(place.store, 'actions', `${one}.json`), '{}');
    await place.change(
      ...ids.map((one) => ({ type: 'action_plan_linked' as const, goal: id('a'), action_plan: one })),
    );
  }

  /** The plan's file under another id, as somebody makes it who copies a plan by hand. */
  function copyUnderAnotherId(place: Workplace): string {
    const text = readFileSync(join(place.store, `${PLAN}.json`), 'utf8').replaceAll(PLAN, OTHER);
    const { log: _log, crc: _crc, ...plan } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(plan);
  }

  const left = (place: Workplace) => readdirSync(join(place.store, 'actions')).toSorted();

  test('go with it', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    await withActionPlans(place, 'ap-aaaaaa', 'ap-bbbbbb');
    await place.run(['delete', PLAN, '--purge']);
    expect(left(place)).toEqual([]);
  });

  test.each<[string, (place: Workplace) => Promise<void>]>([
    [
      'a plan that was imported names them',
      async (place) => {
        const file = join(temporaryFolder(), 'copy.json');
        writeFileSync(file, copyUnderAnotherId(place));
        expect((await place.run(['import', file])).status).toBe(0);
      },
    ],
    [
      'a plan file in the store names them, written as a hand may',
      async (place) => {
        const text = copyUnderAnotherId(place).replaceAll('"ap-', '"\\u0061p-');
        writeFileSync(join(place.store, `${OTHER}.json`), text);
      },
    ],
    [
      'a plan of the archive of 0.1 names them',
      async (place) => {
        mkdirSync(join(place.store, 'archive'));
        writeFileSync(join(place.store, 'archive', `${OTHER}.json`), copyUnderAnotherId(place));
      },
    ],
    [
      'a plan that cannot be read may name them',
      async (place) => {
        mkdirSync(join(place.store, `${OTHER}.events.jsonl`));
      },
    ],
  ])('stay where %s', async (_what, prepare) => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    await withActionPlans(place, 'ap-aaaaaa');
    await prepare(place);
    expect((await place.run(['delete', PLAN, '--purge'])).status).toBe(0);
    expect(left(place)).toEqual(['ap-aaaaaa.json']);
  });

  test('cannot be files elsewhere, whatever a hand wrote', async () => {
    const place = await newWorkplace();
    await place.change(expand('root', ['a']));
    await withActionPlans(place, 'ap-aaaaaa');
    const text = copyUnderAnotherId(place).replace('"ap-aaaaaa"', '"../config", "../../outside"');
    writeFileSync(join(place.store, 'config.json'), '{}');
    writeFileSync(join(place.store, `${OTHER}.json`), text);
    expect((await place.run(['delete', OTHER, '--purge'])).status).toBe(0);
    expect(existsSync(join(place.store, 'config.json'))).toBe(true);
    expect(left(place)).toEqual(['ap-aaaaaa.json']);
  });
});
