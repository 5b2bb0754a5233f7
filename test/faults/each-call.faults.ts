import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { readFixture } from '../support/plans.js';
import { newFileStore } from '../support/stores.js';
import { claim, complete, expand, id, newWorkplace, PLAN } from '../support/worked-plan.js';
import type { Workplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';
import { CAN_TRACE, runPlan, under } from './support/strace.js';

const IMPORTED = 'a1b2c3d4';
/** Calls that change names; a command is killed at the first of each kind, at the second, and on until it makes no more. */
const CALLS = ['rename', 'link', 'unlink'].map((call) => `/^${call}`);
/** No command makes more of one kind. */
const MOST_CALLS = 40;

interface Deed {
  readonly args: readonly string[];
  /** What is done before to a plan of three goals, of which the second is complete. */
  readonly before?: (place: Workplace) => Promise<unknown>;
  /** Whether what was asked for has been done. */
  readonly isDone: (place: Workplace) => Promise<boolean>;
}

const isArchived = async (place: Workplace) => (await place.open()).archived;
const textsOf = async (place: Workplace) =>
  [...(await place.open()).plan.goals.values()].map(({ description }) => description);

const DEEDS: Readonly<Record<string, Deed>> = {
  archive: { args: ['archive', PLAN], isDone: isArchived },
  restore: {
    args: ['restore', PLAN],
    before: (place) => place.change({ type: 'plan_archived' }),
    isDone: async (place) => !(await isArchived(place)),
  },
  purge: {
    args: ['delete', PLAN, '--purge'],
    isDone: async ({ eventLog }) => !existsSync(eventLog),
  },
  add: {
    args: ['add', 'More', '--plan', PLAN],
    isDone: async (place) => (await textsOf(place)).includes('More'),
  },
  complete: {
    args: ['complete', id('a'), '--summary', 'Did it'],
    isDone: async (place) => (await place.open()).plan.goals.get(id('a'))?.status === 'complete',
  },
  import: {
    args: ['import', 'imported.json'],
    before: async ({ folder }) =>
      writeFileSync(join(folder, 'imported.json'), readFixture('plans/complete-example.json')),
    isDone: async ({ store }) =>
      (await newFileStore(store)).open(IMPORTED).then(
        () => true,
        () => false,
      ),
  },
  'doctor --fix': {
    args: ['doctor', '--fix'],
    // A merge left its markers, the plan file is none, and what git needs is gone.
    before: async ({ eventLog, store }) => {
      writeFileSync(eventLog, `<<<<<<< ours\n${readFileSync(eventLog, 'utf8')}=======\n>>>>>>> theirs\n`);
      writeFileSync(join(store, `${PLAN}.json`), '{');
      writeFileSync(join(store, '.gitattributes'), '');
    },
    isDone: async ({ store }) => (await openWorkspace({ dir: store }).doctor()).healthy,
  },
};

async function newPlace({ before }: Deed): Promise<Workplace> {
  const place = await newWorkplace();
  await place.change(expand('root', ['a', 'b', 'c']), claim('c', 'token'), complete('b'));
  await before?.(place);
  return place;
}

/** After a kill nothing that was there is lost, the store can be gone on with, and there is nothing that is not mended. */
async function expectWhole(place: Workplace, deed: Deed, ids: readonly string[]): Promise<void> {
  const isGone = deed === DEEDS.purge && (await deed.isDone(place));
  const workspace = openWorkspace({ dir: place.store });
  const report = await workspace.doctor({ fix: true });
  expect([report.findings, report.healthy]).toEqual([report.findings, true]);
  expect((await workspace.doctor()).findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  const names = readdirSync(place.store).filter((name) => name.startsWith(PLAN) && !name.endsWith('.tmp'));
  if (isGone) expect(names).toEqual([]);
  else {
    expect(names.toSorted()).toEqual([`${PLAN}.events.jsonl`, `${PLAN}.json`]);
    const kept = new Set((await (await place.open()).events()).map((event) => event.id));
    expect(ids.filter((one) => !kept.has(one))).toEqual([]);
  }
  for (const { id: plan } of (await workspace.list()).plans)
    expect(await workspace.validate(plan)).toMatchObject({ valid: true, problems: [] });
  // What was not done can be done now; what was done is not done twice.
  if (!(await deed.isDone(place))) {
    const again = await place.run(deed.args);
    expect([again.status, again.error]).toEqual([0, again.error]);
  }
  expect(await deed.isDone(place)).toBe(true);
}

describe.skipIf(!CAN_TRACE)('killed at each call that changes a name, one after the other (strace)', () => {
  const small = new Set(['complete']);
  const deeds = Object.entries(DEEDS).filter(([name]) => scale(true, small.has(name)));
  test.each(deeds)('%s', async (_name, deed) => {
    let killed = 0;
    for (const call of CALLS) {
      for (let when = 1; when <= MOST_CALLS; when += scale(1, 5)) {
        const place = await newPlace(deed);
        const ids = (await (await place.open()).events()).map((event) => event.id);
        const { folder, home } = place;
        const end = await runPlan(
          { folder, home, under: under(`${call}:signal=KILL:when=${when}`) },
          deed.args,
        );
        const told = end.signal === null;
        expect([end.signal ?? 'SIGKILL', end.status ?? 0, end.stderr]).toEqual(['SIGKILL', 0, end.stderr]);
        if (told || end.out !== '') expect(await deed.isDone(place)).toBe(true);
        await expectWhole(place, deed, ids).catch((cause: unknown) => {
          throw new Error(`killed at ${call} number ${when}: ${String(cause)}`, { cause });
        });
        if (told) break;
        killed += 1;
      }
    }
    expect(killed).toBeGreaterThanOrEqual(scale(3, 1));
  });
});
