import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace, PlanError } from '../../src/index.js';
import type { Clone } from '../support/clones.js';
import { withGit } from '../support/clones.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { expand, newWorkplace, PLAN, workplace } from '../support/worked-plan.js';
import { scale } from './support/scale.js';

const HISTORIES = scale(25, 1);
const DEEDS = scale(10, 6);

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
  (space, goals) => space.release(pick(goals), { force: true, plan: PLAN }),
  (space, goals) => space.complete(pick(goals), { summary: 'Did it', plan: PLAN }),
  (space, goals) => space.complete(pick(goals), { summary: 'Did it', plan: PLAN }),
  (space, goals) => space.fail(pick(goals), { reason: 'no sandbox', plan: PLAN }),
  (space, goals) => space.reopen(pick(goals), { plan: PLAN }),
  (space, goals) => space.rollback(pick(goals), { plan: PLAN }),
  (space) => space.undo(PLAN),
  (space) => space.pause(PLAN),
  (space) => space.archive(PLAN),
  (space) => space.restore(PLAN),
];

/** Does some things in a clone, with commits between them. What is refused is as good as what is not. */
async function work(clone: Clone): Promise<void> {
  const space = openWorkspace({ dir: clone.store });
  for (let deed = 0; deed < DEEDS; deed += 1) {
    const goals = [...(await clone.open()).plan.goals.keys()];
    await pick(DEEDS_OF_ALL_KINDS)(space, goals).catch((thrown: unknown) => {
      if (!(thrown instanceof PlanError) || thrown.code === 'STORAGE_FAILED') throw thrown;
    });
    if (Math.random() < 0.4) clone.commit(`deed ${deed}`);
  }
  clone.commit('done');
}

async function threeClones(): Promise<readonly [Clone, Clone, Clone]> {
  const first = withGit(await newWorkplace());
  await first.change(expand('root', ['a', 'b', 'c', 'e', 'f', 'g'], ['d']));
  first.git('init', '-q');
  first.commit('a plan');
  const others = Array.from({ length: 2 }, () => {
    const folder = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', first.folder, folder]);
    return withGit(workplace(newUser(folder)));
  });
  return [first, ...others] as unknown as readonly [Clone, Clone, Clone];
}

async function stateOf(clone: Clone) {
  const space = openWorkspace({ dir: clone.store });
  const validation = await space.validate(PLAN);
  expect([validation.problems, validation.valid]).toEqual([[], true]);
  const { content } = await space.export({ plan: PLAN, format: 'json' });
  const log = await space.log({ plan: PLAN });
  return { content, log: log.map(({ event, refused }) => [event, refused]) };
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
});
