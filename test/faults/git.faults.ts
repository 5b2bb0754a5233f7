import { execFileSync, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../support/folders.js';
import { completion, expectKept, PLAN, preparePlan, reopening } from './support/plans.js';
import { runAppender } from './support/processes.js';
import { scale } from './support/scale.js';

const WRITERS = scale(6, 2);
const ROUNDS = scale(40, 2);
const GOALS = 12;

interface Repository {
  readonly folder: string;
  readonly store: string;
  readonly git: (...args: readonly string[]) => { readonly status: number | null; readonly error: string };
}

const CONFIG = [
  'user.name=x',
  'user.email=x@example.com',
  'init.defaultBranch=main',
  'pull.rebase=false',
  'gc.auto=0',
  'maintenance.auto=false',
];

function gitIn(folder: string): Repository['git'] {
  const config = CONFIG.flatMap((one) => ['-c', one]);
  return (...args) => {
    const { status, stderr } = spawnSync('git', [...config, ...args], { cwd: folder, encoding: 'utf8' });
    return { status, error: stderr };
  };
}

/** A repository whose upstream has changed the plan, and which has a commit of its own, so that a pull must merge. */
async function repositoryToPull(): Promise<Repository> {
  const folder = temporaryFolder();
  const store = join(folder, '.plans');
  const { log } = await preparePlan(GOALS, store);
  const git = gitIn(folder);
  writeFileSync(join(folder, 'code.txt'), 'code\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'plan');
  const upstream = join(temporaryFolder(), 'upstream');
  execFileSync('git', ['clone', '-q', folder, upstream]);
  const there = await preparedIn(join(upstream, '.plans'));
  await there.append([{ type: 'plan_paused', because: 'user' }]);
  await there.publish('now');
  gitIn(upstream)('commit', '-q', '-a', '-m', 'upstream');
  git('remote', 'add', 'origin', upstream);
  git('commit', '-q', '--allow-empty', '-m', 'own');
  await log.append([completion(0)]);
  await log.publish('now');
  return { folder, store, git };
}

async function preparedIn(store: string) {
  return expectKept(store, []);
}

/** Runs writers until some work is done, and gives what they were told is kept. */
async function writingWhile(store: string, work: () => Promise<void>): Promise<readonly string[]> {
  const children = new Set<ChildProcess>();
  const ends = Array.from({ length: WRITERS }, (_, writer) => {
    const goals = [0, 1, 2, 3].map((index) => (writer * 4 + index) % GOALS);
    const payloads = goals.flatMap((goal) => [completion(goal), reopening(goal)]);
    return runAppender(
      { folder: store, plan: PLAN, payloads, publish: writer % 2 === 0 ? 'each' : 'never', endless: true },
      { onReport: (_report, child) => void children.add(child) },
    );
  });
  while (children.size < WRITERS) await wait(20);
  await work();
  for (const child of children) child.kill('SIGKILL');
  const acknowledged: string[] = [];
  for (const end of await Promise.all(ends)) {
    expect(end.error).toBeUndefined();
    acknowledged.push(...end.acknowledged);
  }
  expect(acknowledged.length).toBeGreaterThan(WRITERS);
  return acknowledged;
}

test(`${ROUNDS} pulls that git gives up, while ${WRITERS} processes write, cost nothing that was acknowledged`, async () => {
  const { folder, store, git } = await repositoryToPull();
  const acknowledged = await writingWhile(store, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { status, error } = git('pull', '-q', '--no-edit', 'origin', 'main');
      expect([status === 0, error]).toEqual([false, expect.stringContaining('overwritten')]);
      appendFileSync(join(folder, 'code.txt'), `${round}\n`);
      await wait(scale(100, 50));
    }
  });
  const log = await expectKept(store, acknowledged);
  await log.append([{ type: 'plan_paused', because: 'user' }]);
  await log.publish('now');
  rmSync(join(store, 'journal'), { recursive: true });
  await expectKept(store, acknowledged);
});

test(`${ROUNDS} pulls that merge, while ${WRITERS} processes write, cost nothing either`, async () => {
  const { store, git } = await repositoryToPull();
  const upstream = join(temporaryFolder(), 'other');
  git('commit', '-q', '-a', '-m', 'work');
  execFileSync('git', ['clone', '-q', join(store, '..'), upstream]);
  const there = await preparedIn(join(upstream, '.plans'));
  let merged = 0;
  const acknowledged = await writingWhile(store, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await there.append([{ type: 'plan_paused', because: 'user', detail: String(round) }]);
      await there.publish('now');
      gitIn(upstream)('commit', '-q', '-a', '-m', String(round));
      git('commit', '-q', '-a', '-m', 'work');
      if (git('pull', '-q', '--no-edit', upstream, 'main').status === 0) merged += 1;
      await wait(scale(100, 50));
    }
  });
  // Mostly a writer is faster, and git gives up.
  expect(merged).toBeGreaterThanOrEqual(0);
  await expectKept(store, acknowledged);
});

test(`${ROUNDS} resets and stashes, while ${WRITERS} processes write: all is there, or offered`, async () => {
  const { store, git } = await repositoryToPull();
  const acknowledged = await writingWhile(store, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 2 === 0) git('reset', '-q', '--hard');
      else {
        git('stash', '-q');
        await wait(50);
        git('stash', 'pop', '-q');
      }
      await wait(scale(150, 60));
    }
  });
  const log = await expectKept(store, []);
  const { events } = await log.droppedByGit();
  const offered = new Set(events.map(({ id }) => id));
  const there = new Set((await log.events()).map(({ id }) => id));
  expect(acknowledged.filter((id) => !there.has(id) && !offered.has(id))).toEqual([]);
  await log.restoreDropped();
  await expectKept(store, acknowledged);
});
