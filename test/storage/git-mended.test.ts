import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { CAN_TRACE, runPlan, under } from '../faults/support/strace.js';
import { mergeBothWays, twoClones, withGit } from '../support/clones.js';
import type { Clone } from '../support/clones.js';
import { newUser } from '../support/command.js';
import { temporaryFolder } from '../support/folders.js';
import { complete, expand, fail, id, PLAN, workplace } from '../support/worked-plan.js';

const MARKERS = /^(?:<{7}|={7}|>{7}|\|{7})/m;

async function codesOf(place: Clone, ...options: readonly string[]) {
  const ended = await place.run(['doctor', '--json', ...options]);
  const { findings } = ended.json() as { readonly findings: readonly { readonly code: string }[] };
  return [ended.status, findings.map(({ code }) => code)];
}

const exported = async (place: Clone) => (await place.run(['export', PLAN])).out;
const statusOf = async (place: Clone, goal: string) => (await place.open()).plan.goals.get(id(goal))?.status;

/** Two clones that merge as a tool does that knows nothing of `.gitattributes`. */
async function clonesWithoutAttributes(style = 'merge'): Promise<readonly [Clone, Clone]> {
  const clones = await twoClones();
  for (const { folder } of clones) {
    writeFileSync(join(folder, '.git', 'info', 'attributes'), '*.jsonl !merge\n*.json !merge\n');
    execFileSync('git', ['config', 'merge.conflictStyle', style], { cwd: folder });
  }
  return clones;
}

/** Merges another clone into one, and says whether git could. */
function mergeInto(one: Clone, two: Clone, head: string): boolean {
  one.git('fetch', '-q', two.folder, head);
  const config = ['-c', 'user.name=a', '-c', 'user.email=a@b.c'];
  return spawnSync('git', [...config, 'merge', '-q', '--no-edit', head], { cwd: one.folder }).status === 0;
}

describe('a log that a tool merged without the union', () => {
  test.each(['merge', 'diff3'])(
    'is read with the events of both sides, and mended by the doctor (%s)',
    async (style) => {
      const [one, two] = await clonesWithoutAttributes(style);
      await one.change(complete('a'));
      await one.change(fail('c'));
      one.commit('ours');
      await two.change(complete('b'));
      two.commit('theirs');
      const [ours, theirs] = [one, two].map((clone) => clone.git('rev-parse', 'HEAD').trim());
      expect(mergeInto(one, two, theirs ?? '')).toBe(false);
      expect(mergeInto(two, one, ours ?? '')).toBe(false);
      for (const clone of [one, two]) {
        expect(readFileSync(clone.eventLog, 'utf8')).toMatch(MARKERS);
        expect((await clone.run(['validate'])).out).toContain('CONFLICT_MARKER');
        expect((await codesOf(clone))[0]).toBe(1);
        expect([await statusOf(clone, 'a'), await statusOf(clone, 'b')]).toEqual(['complete', 'complete']);
        const [status, codes] = await codesOf(clone, '--fix');
        expect([status, codes]).toEqual([0, expect.arrayContaining(['CONFLICT_MARKERS']) as string[]]);
        expect(readFileSync(clone.eventLog, 'utf8')).not.toMatch(MARKERS);
        expect(await codesOf(clone)).toEqual([0, []]);
        expect((await clone.run(['validate'])).out).toBe('valid\n');
        clone.commit('merged');
      }
      expect(await exported(one)).toBe(await exported(two));
      expect([await statusOf(one, 'a'), await statusOf(one, 'b'), await statusOf(one, 'c')]).toEqual([
        'complete',
        'complete',
        'failed',
      ]);
      // What is changed from here on is kept, and merges again.
      await one.change({ type: 'goal_reopened', goal: id('b') });
      expect(await statusOf(one, 'b')).toBe('atomic');
    },
  );

  test('may be gone on with before the doctor has seen it, also while that mends it', async () => {
    const [one, two] = await clonesWithoutAttributes();
    await one.change(complete('a'));
    one.commit('ours');
    await two.change(complete('b'));
    two.commit('theirs');
    expect(mergeInto(one, two, two.git('rev-parse', 'HEAD').trim())).toBe(false);
    const worker = await one.open();
    await worker.append([fail('c')]);
    await codesOf(one, '--fix');
    // It has the log open that the doctor put another in place of.
    const [outcome] = await worker.append([{ type: 'goal_reopened', goal: id('a') }]);
    expect(outcome?.refused).toBeNull();
    await worker.publish('now');
    expect([await statusOf(one, 'a'), await statusOf(one, 'b'), await statusOf(one, 'c')]).toEqual([
      'atomic',
      'complete',
      'failed',
    ]);
    expect((await one.run(['validate'])).out).toBe('valid\n');
  });
});

describe('line ends of Windows', () => {
  test('a clone that converts them reads, changes and merges as any other', async () => {
    const [one, two] = await twoClones();
    const folder = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', '-c', 'core.autocrlf=true', one.folder, folder]);
    const three = withGit(workplace(newUser(folder)));
    expect(readFileSync(three.eventLog, 'utf8')).not.toContain('\r');
    await three.change(complete('b'));
    three.commit('b');
    await two.change(complete('a'));
    two.commit('a');
    mergeBothWays(three, two);
    expect(await exported(three)).toBe(await exported(two));
    expect((await three.run(['validate'])).out).toBe('valid\n');
  });

  test('a log that has them is read and gone on with, where .gitattributes is lost', async () => {
    const [one, two] = await twoClones();
    for (const clone of [one, two]) clone.git('rm', '-q', '.plans/.gitattributes');
    one.commit('no attributes');
    two.commit('no attributes');
    const folder = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', '-c', 'core.autocrlf=true', one.folder, folder]);
    const three = withGit(workplace(newUser(folder)));
    expect(readFileSync(three.eventLog, 'utf8')).toContain('\r\n');
    expect((await three.run(['validate'])).out).toBe('valid\n');
    await three.change(complete('b'), expand('d', ['e']));
    expect((await three.run(['validate'])).out).toBe('valid\n');
    expect([await statusOf(three, 'b'), (await three.run(['doctor', '--fix'])).status]).toEqual([
      'complete',
      0,
    ]);
    three.commit('b');
    one.git('fetch', '-q', three.folder, 'main');
    one.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
    expect(await exported(one)).toBe(await exported(three));
    expect((await one.run(['validate'])).out).toBe('valid\n');
  });
});

describe('what the doctor restores in one clone', () => {
  test('takes nothing back that another did meanwhile', async () => {
    const [one, two] = await twoClones();
    const file = join(one.store, `${PLAN}.json`);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('Goal b', 'A better b'));
    expect((await one.run(['doctor', '--fix', '--keep', 'file'])).status).toBe(0);
    one.commit('by hand');
    await two.change(complete('a'), complete('c'), expand('d', ['e']));
    two.commit('meanwhile');
    mergeBothWays(one, two);
    for (const clone of [one, two]) {
      const { goals } = (await clone.open()).plan;
      expect(goals.get(id('b'))?.description).toBe('A better b');
      expect(['a', 'c', 'd'].map((goal) => goals.get(id(goal))?.status)).toEqual([
        'complete',
        'complete',
        'decomposing',
      ]);
      expect((await clone.run(['validate'])).out).toBe('valid\n');
    }
    expect(await exported(one)).toBe(await exported(two));
  });

  test('what a log lost that was cut off comes back without the rest', async () => {
    const [one, two] = await twoClones();
    await one.change(complete('b'));
    writeFileSync(one.eventLog, readFileSync(one.eventLog).subarray(0, -60));
    expect((await one.run(['doctor', '--fix'])).status).toBe(0);
    one.commit('mended');
    await two.change(complete('a'), complete('c'));
    two.commit('meanwhile');
    mergeBothWays(one, two);
    expect(await Promise.all(['a', 'b', 'c'].map((goal) => statusOf(two, goal)))).toEqual([
      'complete',
      'complete',
      'complete',
    ]);
    expect(await exported(one)).toBe(await exported(two));
  });
});

test.skipIf(!CAN_TRACE)(
  'a branch that is switched between a change and its publishing keeps its own plan file (strace)',
  async () => {
    const [one] = await twoClones();
    one.git('checkout', '-q', '-b', 'other');
    await one.change(fail('b'));
    one.commit('other');
    one.git('checkout', '-q', 'main');
    const slow = under('/^rename:delay_enter=2500000');
    const late = runPlan({ ...one, under: slow }, ['complete', id('a')]);
    const isWriting = () => readdirSync(one.store).some((name) => name.startsWith(`${PLAN}.json.`));
    while (!isWriting()) await wait(5);
    // A change that is not committed stands in the way; whoever switches all the same says so.
    one.git('checkout', '-q', '-f', 'other');
    const { status, stderr } = await late;
    expect([status, stderr.includes('went wrong')]).toEqual([0, false]);
    expect([await statusOf(one, 'a'), await statusOf(one, 'b')]).toEqual(['atomic', 'failed']);
    expect((await one.run(['validate'])).out).toBe('valid\n');
    const shown = JSON.parse(readFileSync(join(one.store, `${PLAN}.json`), 'utf8')) as {
      readonly goals: Record<string, { readonly status: string }>;
    };
    expect([shown.goals[id('a')]?.status, shown.goals[id('b')]?.status]).toEqual(['atomic', 'failed']);
  },
);
