import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace, PlanError } from '../../src/index.js';
import type { Clone } from '../support/clones.js';
import { withGit } from '../support/clones.js';
import { newUser } from '../support/command.js';
import { readFixture } from '../support/plans.js';
import { temporaryFolder } from '../support/folders.js';
import { newFileStore } from '../support/stores.js';
import { expand, newWorkplace, PLAN, workplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';

const HISTORIES = scale(25, 1);
const DEEDS = scale(10, 6);
/** Plans beside the one that all work on: one that clones import, each for itself, and one that they delete. */
const [IMPORTED, PURGED] = ['eeeeeeee', 'dddddddd'] as const;

type Workspace = ReturnType<typeof openWorkspace>;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

/** Every command that changes a plan, on goals drawn at random. */
const DEEDS_OF_ALL_KINDS: readonly ((space: Workspace, goals: readonly string[]) => Promise<unknown>)[] = [
  (space, goals) => space.add({ description: 'More', under: pick(goals), plan: PLAN }),
  (space, goals) => space.edit(pick(goals), { description: `Edited ${Math.random()}`, plan: PLAN }),
  (space, goals) => space.move(pick(goals), { under: pick(goals), plan: PLAN }),
  (space, goals) => space.remove(pick(goals), { plan: PLAN }),
  (space, goals) => space.split(pick(goals), { into: ['One half', 'The other half'], plan: PLAN }).result,
  (space, goals) => space.merge([pick(goals), pick(goals)], { description: 'Both', plan: PLAN }),
  (space, goals) => space.depend(pick(goals), { on: [pick(goals)], plan: PLAN }),
  (space, goals) => space.claim(pick(goals), { plan: PLAN }),
  async (space, goals) => {
    const goal = pick(goals);
    await space.claim(goal, { plan: PLAN });
    await space.release(goal, { force: true, plan: PLAN });
  },
  (space, goals) => space.complete(pick(goals), { summary: 'Did it', plan: PLAN }),
  (space, goals) => space.complete(pick(goals), { summary: 'Did it', plan: PLAN }),
  (space, goals) => space.fail(pick(goals), { reason: 'no sandbox', plan: PLAN }),
  async (space, goals) => {
    const goal = pick(goals);
    await space.fail(goal, { reason: 'no sandbox', plan: PLAN });
    await space.reopen(goal, { plan: PLAN });
  },
  async (space, goals) => {
    const goal = pick(goals);
    await space.split(goal, { into: ['One half', 'The other half'], plan: PLAN }).result;
    await space.rollback(goal, { plan: PLAN });
  },
  async (space, goals) => {
    const goal = pick(goals);
    const { claimed } = await space.claim(goal, { plan: PLAN });
    await space.renew(goal, { token: claimed.token, for: '2h', plan: PLAN });
  },
  async (space, goals) => {
    const goal = pick(goals);
    await space.edit(goal, { description: 'Paint the fence and water the roses', plan: PLAN });
    await space.replan(goal, { expander: 'rules', plan: PLAN }).result;
  },
  (space, goals) => space.draft(pick(goals), { request: 'Open https://example.com', plan: PLAN }),
  (space) => space.undo(PLAN),
  (space) => space.undo(PLAN, { any: true, force: true, skip: true }),
  (space) => space.redo(PLAN),
  (space) => space.import(planToImport(pick([IMPORTED, randomId()]))),
  (space) => space.delete(PURGED, { purge: true }),
  (space) => space.pause(PLAN),
  (space) => space.archive(PLAN),
  (space) => space.restore(PLAN),
];

/** The kinds that were not refused each time. */
const accepted = new Set<unknown>();

/** A plan file from elsewhere. */
function planToImport(plan: string): string {
  const text = readFixture('plans/complete-example.json');
  const path = join(temporaryFolder(), `${plan}.json`);
  writeFileSync(path, text.replaceAll('a1b2c3d4', plan));
  return path;
}

const randomId = () =>
  Math.floor(Math.random() * 0xffffffff)
    .toString(16)
    .padStart(8, '0');

/** Does some things in a clone, with commits between them. What is refused is as good as what is not. */
async function work(clone: Clone): Promise<void> {
  const space = openWorkspace({ dir: clone.store });
  for (let number = 0; number < DEEDS; number += 1) {
    const goals = [...(await clone.open()).plan.goals.keys()];
    const deed = pick(DEEDS_OF_ALL_KINDS);
    try {
      await deed(space, goals);
      accepted.add(deed);
    } catch (thrown) {
      if (!(thrown instanceof PlanError) || thrown.code === 'STORAGE_FAILED') throw thrown;
    }
    if (Math.random() < 0.4) clone.commit(`deed ${number}`);
  }
  clone.commit('done');
}

async function threeClones(): Promise<readonly [Clone, Clone, Clone]> {
  const first = withGit(await newWorkplace());
  await first.change(expand('root', ['a', 'b', 'c', 'e', 'f', 'g'], ['d']));
  // Git takes a file that is gone and a new one that is like it for one that was renamed; this one is like no other.
  const root = { description: 'To be deleted', detail: randomBytes(20_000).toString('hex') };
  const log = await (
    await newFileStore(first.store)
  ).create({ type: 'plan_created', plan: { id: PURGED, description: 'To be deleted' }, root });
  await log.publish('now');
  first.git('init', '-q');
  first.commit('a plan');
  const others = Array.from({ length: 2 }, () => {
    const folder = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', first.folder, folder]);
    return withGit(workplace(newUser(folder)));
  });
  return [first, ...others] as unknown as readonly [Clone, Clone, Clone];
}

/** Every plan of a clone, and what became of each event of its log. */
async function stateOf(clone: Clone) {
  const space = openWorkspace({ dir: clone.store });
  const [active, archived] = [await space.list(), await space.list({ archived: true })];
  expect([active.problems, archived.problems]).toEqual([[], []]);
  const plans = [...active.plans, ...archived.plans].map(({ id }) => id).toSorted();
  const states = [];
  for (const plan of plans) {
    const validation = await space.validate(plan);
    expect([plan, validation.problems, validation.valid]).toEqual([plan, [], true]);
    const { content } = await space.export({ plan, format: 'json' });
    const log = await space.log({ plan });
    states.push({ plan, content, log: log.map(({ event, refused }) => [event, refused]) });
  }
  return states;
}

test(`${HISTORIES} times three clones do everything at once, and merge in every order to one plan`, async () => {
  for (let history = 0; history < HISTORIES; history += 1) {
    const clones = await threeClones();
    for (const clone of clones) await work(clone);
    const heads = clones.map((clone) => clone.git('rev-parse', 'HEAD').trim());
    for (const [index, clone] of clones.entries()) {
      // Each takes in the two others, one of them in the other order.
      const others = [0, 1, 2].filter((other) => other !== index);
      for (const other of index === 1 ? others.toReversed() : others) {
        clone.git('fetch', '-q', clones[other]?.folder ?? '', heads[other] ?? '');
        clone.git('merge', '-q', '--no-edit', heads[other] ?? '');
      }
      expect(clone.git('status', '--porcelain')).not.toMatch(/^(?:U|.U)/m);
    }
    const [one, two, three] = await Promise.all(clones.map(stateOf));
    expect(two).toEqual(one);
    expect(three).toEqual(one);
    const report = await openWorkspace({ dir: clones[0].store }).doctor({ fix: true });
    expect([report.findings.filter(({ severity, fixed }) => severity === 'error' && fixed === null)]).toEqual(
      [[]],
    );
  }
  const refused = DEEDS_OF_ALL_KINDS.filter((deed) => !accepted.has(deed));
  expect(refused.slice(scale(0, refused.length)).map(String)).toEqual([]);
});
