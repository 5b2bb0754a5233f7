import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';
import { creationOf, expansionOf } from '../support/store-contract.js';
import { newFileStore } from '../support/stores.js';
import { scale } from './support/scale.js';
import { CAN_TRACE, runPlan, under } from './support/strace.js';

const ROUNDS = scale(200, 2);
const PROCESSES = scale(8, 6);
const [SHARED, OTHER] = ['0398a958', 'bbbbbbbb'] as const;
const GOALS = ['a', 'b', 'c', 'd', 'e', 'f'];
/** What a command is killed at. */
const CALLS = ['/^rename', '/^rename', '/^link', '/^unlink', 'fsync', 'fsync', 'fdatasync'];
/** Few commands make more of one kind. */
const MOST_CALLS = 2;
/** Action plans: of the first plan, of the second, and of both. */
const ACTIONS = { [SHARED]: ['ap-first1', 'ap-shared1'], [OTHER]: ['ap-other1', 'ap-shared1'] };

interface Deed {
  readonly plan: typeof SHARED | typeof OTHER;
  readonly kind: 'archive' | 'restore' | 'purge' | 'add' | 'complete';
  /** The goal that is completed, or the text that is added. */
  readonly what: string;
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

function deedsOf(round: number): readonly Deed[] {
  // The first plan is deleted in every other round; the second never is.
  const purge: readonly Deed[] = round % 2 === 0 ? [] : [{ plan: SHARED, kind: 'purge', what: '' }];
  const others = Array.from({ length: PROCESSES - purge.length }, (_, index): Deed => {
    const kind = pick(['archive', 'restore', 'add', 'add', 'complete', 'complete'] as const);
    const plan = pick([SHARED, SHARED, OTHER] as const);
    return { plan, kind, what: kind === 'add' ? `Added ${round} ${index}` : `${plan}-${GOALS[index % 6]}` };
  });
  return [...others.slice(0, 3), ...purge, ...others.slice(3)];
}

function argumentsOf({ plan, kind, what }: Deed): readonly string[] {
  if (kind === 'purge') return ['delete', plan, '--purge'];
  if (kind === 'add') return ['add', what, '--plan', plan];
  return kind === 'complete' ? ['complete', what, '--summary', 'Did it'] : [kind, plan];
}

async function storeOfTwoPlans() {
  const folder = temporaryFolder();
  const store = join(folder, '.plans');
  const files = await newFileStore(store);
  mkdirSync(join(store, 'actions'));
  for (const plan of [SHARED, OTHER]) {
    const log = await files.create(creationOf(plan), [
      expansionOf(
        `${plan}-root`,
        GOALS.map((goal) => `${plan}-${goal}`),
      ),
    ]);
    for (const action of ACTIONS[plan]) {
      writeFileSync(join(store, 'actions', `${action}.json`), `{"of":"${action}"}`);
      await log.append([{ type: 'action_plan_linked', goal: `${plan}-f`, action_plan: action }]);
    }
    await log.publish('now');
  }
  return { folder, store };
}

/** What the deeds that were acknowledged must have left in a plan. */
async function expectDone(store: string, plan: string, done: readonly Deed[]): Promise<void> {
  const log = await (await newFileStore(store)).open(plan, 'log');
  const texts = new Set([...log.plan.goals.values()].map(({ description }) => description));
  for (const { kind, what } of done.filter((deed) => deed.plan === plan)) {
    if (kind === 'add') expect([what, texts.has(what)]).toEqual([what, true]);
    if (kind === 'complete') expect([what, log.plan.goals.get(what)?.status]).toEqual([what, 'complete']);
  }
  const shelving = done.filter((deed) => deed.plan === plan && ['archive', 'restore'].includes(deed.kind));
  const events = (await log.events()).filter(({ type }) => /^plan_(un)?archived$/.test(type));
  expect(events.length).toBeGreaterThanOrEqual(shelving.length);
}

function expectWhole(store: string, purged: 'asked for' | 'done' | null): void {
  const names = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('journal') && !name.startsWith('backup'),
  );
  for (const plan of [SHARED, OTHER]) {
    const logs = names.filter((name) => name.endsWith(`${plan}.events.jsonl`));
    const files = names.filter((name) => name.endsWith(`${plan}.json`));
    const isGone = plan === SHARED && (purged === 'done' || (purged === 'asked for' && logs.length === 0));
    expect([plan, logs, files]).toEqual([
      plan,
      isGone ? [] : [`${plan}.events.jsonl`],
      isGone ? [] : [`${plan}.json`],
    ]);
  }
  for (const action of ACTIONS[OTHER])
    expect(readFileSync(join(store, 'actions', `${action}.json`), 'utf8')).toBe(`{"of":"${action}"}`);
  if (existsSync(join(store, `${SHARED}.events.jsonl`)))
    expect(existsSync(join(store, 'actions', 'ap-first1.json'))).toBe(true);
}

describe.skipIf(!CAN_TRACE)(
  'plans that are archived, brought back, deleted and worked on at once (strace)',
  () => {
    test(`${ROUNDS} rounds of ${PROCESSES} processes, half of them killed at a call that changes files`, async () => {
      let killed = 0;
      let acknowledged = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { folder, store } = await storeOfTwoPlans();
        const home = temporaryFolder();
        const deeds = deedsOf(round);
        const ends = await Promise.all(
          deeds.map(async (deed, index) => {
            const at = `${pick(CALLS)}:signal=KILL:when=${1 + Math.floor(Math.random() * MOST_CALLS)}`;
            const running = { folder, home, ...(index % 2 === 0 ? { under: under(at) } : {}) };
            return { deed, ...(await runPlan(running, argumentsOf(deed))) };
          }),
        );
        killed += ends.filter(({ signal }) => signal === 'SIGKILL').length;
        for (const { stderr } of ends) expect(stderr).not.toMatch(/went wrong|^\s+at /m);
        for (const { status, signal, deed, stderr } of ends)
          expect([deed, stderr, signal ?? [0, 3, 4, 7].includes(status ?? -1)]).toEqual([
            deed,
            stderr,
            signal === null ? true : 'SIGKILL',
          ]);
        const done = ends.filter(({ status }) => status === 0).map(({ deed }) => deed);
        acknowledged += done.length;
        const asked = deeds.some(({ kind }) => kind === 'purge');
        const purged = done.some(({ kind }) => kind === 'purge') ? 'done' : asked ? 'asked for' : null;
        const workspace = openWorkspace({ dir: store });
        const report = await workspace.doctor({ fix: true });
        expect([report.findings, report.healthy]).toEqual([report.findings, true]);
        expectWhole(store, purged);
        await expectDone(store, OTHER, done);
        if (existsSync(join(store, `${SHARED}.events.jsonl`))) await expectDone(store, SHARED, done);
        for (const { id } of (await workspace.list()).plans)
          expect(await workspace.validate(id)).toMatchObject({ valid: true });
      }
      expect(killed).toBeGreaterThanOrEqual(scale(ROUNDS / 4, 0));
      expect(acknowledged).toBeGreaterThanOrEqual(scale(ROUNDS, 1));
    });
  },
);
