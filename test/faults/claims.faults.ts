import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';

import { isLinearizable } from './support/linearizable.js';
import type { Attempt } from './support/linearizable.js';
import { expectKept, goalId, preparePlan } from './support/plans.js';
import { builtWorker, ended } from './support/processes.js';
import { scale } from './support/scale.js';

const HISTORIES = scale(40, 1);
const PROCESSES = scale(8, 4);
const DEEDS = scale(24, 10);
const GOALS = scale(4, 2);

const lineSchema = z.object({
  deed: z.number(),
  goal: z.string().optional(),
  kind: z.enum(['claim', 'renew', 'release', 'complete', 'reopen']).optional(),
  token: z.string().optional(),
  start: z.string().optional(),
  end: z.string().optional(),
  accepted: z.boolean().optional(),
});

interface Worked {
  readonly attempts: readonly (Attempt & { readonly goal: string })[];
  readonly stderr: string;
  readonly isKilled: boolean;
}

/** Has a process claim and finish goals at random; one that is to be killed is so at a moment of its work. */
async function work(folder: string, number: number, seed: number, isToBeKilled: boolean): Promise<Worked> {
  const goals = Array.from({ length: GOALS }, (_, index) => goalId(index));
  const task = { folder, by: `worker ${number}`, goals, deeds: DEEDS, seed };
  const child = spawn(process.execPath, [builtWorker('claims'), JSON.stringify(task)], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (out === '' && isToBeKilled) void wait(seed % 200).then(() => child.kill('SIGKILL'));
    out += chunk.toString();
  });
  const { stderr, signal } = await ended(child);
  return { attempts: attemptsIn(out, number), stderr, isKilled: signal === 'SIGKILL' };
}

function attemptsIn(out: string, worker: number): Worked['attempts'] {
  // A worker that was killed may leave a part of a line.
  const lines = out
    .slice(0, out.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
  const told = lines.map((line) => lineSchema.parse(JSON.parse(line)));
  const ends = new Map(told.flatMap((line) => (line.end === undefined ? [] : [[line.deed, line] as const])));
  return told.flatMap(({ deed, goal, kind, token = '', start }) => {
    if (goal === undefined || kind === undefined || start === undefined) return [];
    const end = ends.get(deed);
    // Nobody but the store knows the token of a claim that was not told.
    const known = kind === 'claim' ? (end?.token ?? `untold ${worker} ${deed}`) : token;
    const attempt = { goal, kind, token: known, start: BigInt(start) };
    return [
      { ...attempt, end: end?.end === undefined ? null : BigInt(end.end), accepted: end?.accepted ?? null },
    ];
  });
}

describe('claims of goals that many processes contend for', () => {
  test(`${HISTORIES} random histories are each what one process after the other could have come to`, async () => {
    for (let history = 0; history < HISTORIES; history += 1) {
      const { folder } = await preparePlan(GOALS);
      const seed = Math.floor(Math.random() * 2 ** 31);
      const workers = Array.from({ length: PROCESSES }, (_, number) =>
        work(folder, number, seed + number * 7919, number % 4 === 3),
      );
      const ends = await Promise.all(workers);
      expect(ends.map(({ stderr }) => stderr).join('')).toBe('');
      for (let goal = 0; goal < GOALS; goal += 1) {
        const attempts = ends.flatMap((one) => one.attempts).filter((one) => one.goal === goalId(goal));
        expect({ seed, goal, isLinearizable: isLinearizable(attempts) }).toEqual({
          seed,
          goal,
          isLinearizable: true,
        });
      }
      const told = ends.flatMap((one) => one.attempts).filter(({ accepted }) => accepted === true);
      expect(told.length).toBeGreaterThan(0);
      await expectKept(folder, []);
    }
  });

  test('the check itself finds what cannot have been', () => {
    const at = (
      kind: Attempt['kind'],
      token: string,
      start: number,
      end: number,
      accepted: boolean,
    ): Attempt => ({
      kind,
      token,
      start: BigInt(start),
      end: BigInt(end),
      accepted,
    });
    const first = at('claim', 'a', 0, 10, true);
    expect(isLinearizable([first, at('claim', 'b', 5, 15, true)])).toBe(false);
    expect(isLinearizable([first, at('claim', 'b', 5, 15, false)])).toBe(true);
    expect(isLinearizable([first, at('claim', 'b', 11, 15, false), at('release', 'a', 20, 30, true)])).toBe(
      true,
    );
    expect(isLinearizable([first, at('release', 'a', 11, 20, true), at('claim', 'b', 21, 30, false)])).toBe(
      false,
    );
    expect(isLinearizable([first, at('complete', 'b', 11, 20, true)])).toBe(false);
    expect(isLinearizable([first, at('complete', 'a', 11, 20, true), at('claim', 'b', 12, 30, true)])).toBe(
      false,
    );
    const killed: Attempt = { kind: 'release', token: 'a', start: 11n, end: null, accepted: null };
    expect(isLinearizable([first, killed, at('claim', 'b', 21, 30, true)])).toBe(true);
    expect(isLinearizable([first, { ...killed, start: 40n }, at('claim', 'b', 21, 30, true)])).toBe(false);
  });
});
