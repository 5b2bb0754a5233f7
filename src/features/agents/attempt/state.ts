import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import * as z from 'zod';

import { makeFolder } from '../../../host/files/make-folder.js';
import { whileLocked } from '../../../host/files/file-lock.js';
import { isBelow } from '../../../host/files/is-below.js';
import { realFolder } from '../../../host/files/folders.js';
import { readPlainFile } from '../../../host/files/plain-file.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import { isRunning, processStart } from '../../../host/processes/recorded-process.js';
import { GOAL_ID_PATTERN, PLAN_ID_PATTERN } from '../../../plan/ids.js';

const MOST_BYTES = 1024 * 1024;
const OWN_ALONE = 0o700;

/** The steps of an attempt, in order; each is written down and synced before it begins. */
const STEPS = ['claim', 'clone', 'agent', 'gather', 'check', 'land', 'move', 'complete', 'remove'] as const;

const id = z.string().regex(/^[0-9a-f]{40,64}$/);

/** What is told of a commit. */
const made = { files: z.array(z.string()), summary: z.string().nullable(), decisions: z.array(z.string()) };

const attemptSchema = z.object({
  version: z.literal(1),
  plan: z.string().regex(PLAN_ID_PATTERN),
  goal: z.string().regex(GOAL_ID_PATTERN),
  token: z.string().regex(/^[0-9a-z]{16}$/),
  by: z.string(),
  agent: z.string(),
  step: z.enum(STEPS),
  state: z.enum(['running', 'waiting']),
  /** Why a person is waited for, and what has been allowed since. */
  reason: z.string().nullable(),
  /** The commit that a person has accepted; any other waits. */
  accepted: id.nullable(),
  owner: z.object({ host: z.string(), pid: z.int().positive(), process_start: z.string().optional() }),
  /** The working tree and the branch that the work lands on. */
  top: z.string(),
  branch: z.string(),
  /** Marks of the goal as the agent was told it, and of the checks that the commit has passed. */
  told: z.string().nullable().default(null),
  checked: z.string().nullable().default(null),
  /** Where the agent began, what it made, and what lands. */
  from: id.nullable(),
  commit: id.nullable(),
  merged: z.object({ onto: id, commit: id }).nullable(),
  try: z.int().min(1),
  runs: z.int().min(0),
  conflicts: z.int().min(0),
  /** Files that it lost a conflict in, which others do not land before it, and until when at most. */
  first: z
    .object({ files: z.array(z.string()), since: z.number(), until: z.number() })
    .nullable()
    .default(null),
  /** What changed in the user's working tree while an agent without a sandbox ran. */
  leaked: z.array(z.string()).default([]),
  /** The tree of a merge with conflict markers, on which the next run begins. */
  marked: id.nullable(),
  interrupted: z.boolean(),
  failures: z.array(z.string()),
  /** How the try before failed: the tree that it made, and why, without numbers. */
  failed: z.object({ tree: id.nullable(), reason: z.string() }).nullable().default(null),
  ...made,
  /** What a person had accepted before it came into conflict: it waits again where the agent does not resolve that. */
  fallback: z
    .object({ ...made, commit: id, from: id, told: z.string().nullable() })
    .nullable()
    .default(null),
  cost_usd: z.number().nullable(),
  seconds: z.number(),
  session: z.string().nullable(),
});

/** An attempt at a goal, as it is kept between its steps. */
export type Attempt = z.infer<typeof attemptSchema>;

/** Returns the folder of the attempt at a goal. Both ids have been parsed. */
export function attemptFolder(root: string, { plan, goal }: Pick<Attempt, 'plan' | 'goal'>): string {
  return join(root, plan, goal);
}

type Base = Pick<Attempt, 'top' | 'branch'>;

/** Returns the path that is locked while something lands on a branch of a working tree, its checks included. */
export const landLock = (root: string, base: Base) => join(root, `land-${hashOf(base)}`);

/** Returns the path that is locked within that, for as long as the branch and its files are in between. */
export const moveLock = (root: string, base: Base) => join(root, `move-${hashOf(base)}`);

const hashOf = ({ top, branch }: Base) =>
  createHash('sha256').update(`${top}\0${branch}`).digest('hex').slice(0, 16);

/** Decides who carries attempts at goals of a plan out, while no other process does. */
export async function whileTaking<T>(root: string, plan: string, take: () => Promise<T>): Promise<T> {
  return whileLocked(join(root, `take-${plan}`), take);
}

/** Replaces what is kept of an attempt, and waits for the disk. */
export async function saveAttempt(root: string, attempt: Attempt): Promise<void> {
  const folder = attemptFolder(root, attempt);
  await makeFolder(folder, OWN_ALONE);
  await replaceFile(join(folder, 'attempt.json'), `${JSON.stringify(attempt)}\n`, { mode: 0o600 });
}

/** Reads what is kept of an attempt; null where there is none or it cannot be read. */
export async function readAttempt(root: string, plan: string, goal: string): Promise<Attempt | null> {
  try {
    const text = await readPlainFile(join(root, plan, goal, 'attempt.json'), MOST_BYTES);
    const attempt = attemptSchema.parse(JSON.parse(text));
    return attempt.plan === plan && attempt.goal === goal ? attempt : null;
  } catch {
    return null;
  }
}

/** Reads every attempt at goals of a plan. */
export async function readAttempts(root: string, plan: string): Promise<readonly Attempt[]> {
  const names = await readdir(join(root, plan)).catch(() => []);
  const goals = names.filter((name) => GOAL_ID_PATTERN.test(name)).toSorted();
  const found = await Promise.all(goals.map(async (goal) => readAttempt(root, plan, goal)));
  return found.flatMap((attempt) => attempt ?? []);
}

/** Reads the attempts at goals of all plans, and where the records are that cannot be read. */
export async function readAllAttempts(root: string): Promise<{
  readonly attempts: readonly Attempt[];
  readonly unreadable: readonly { readonly goal: string; readonly file: string }[];
}> {
  const attempts: Attempt[] = [];
  const unreadable: { goal: string; file: string }[] = [];
  const plans = (await readdir(root).catch(() => [])).filter((name) => PLAN_ID_PATTERN.test(name));
  for (const plan of plans.toSorted()) {
    const goals = (await readdir(join(root, plan)).catch(() => [])).filter((name) =>
      GOAL_ID_PATTERN.test(name),
    );
    for (const goal of goals.toSorted()) {
      const attempt = await readAttempt(root, plan, goal);
      const file = join(root, plan, goal, 'attempt.json');
      if (attempt !== null) attempts.push(attempt);
      // A record that is gone by now belonged to an attempt that is over.
      else if (existsSync(file)) unreadable.push({ goal, file });
    }
  }
  return { attempts, unreadable };
}

/** Reads the attempts at goals of all plans in the repository of a folder. */
export async function readAttemptsIn(root: string, folder: string): Promise<readonly Attempt[]> {
  const here = realFolder(folder);
  const { attempts } = await readAllAttempts(root);
  return attempts.filter(({ top }) => here === top || isBelow(here, top));
}

/** Returns what asks the commands at work on a plan to begin nothing more: another text each time, `null` where none has. */
export async function pauseStamp(root: string, plan: string): Promise<string | null> {
  return readPlainFile(join(root, `pause-${plan}`), MOST_BYTES).catch(() => null);
}

/** Asks the commands at work on a plan to begin nothing more. @param stamp drawn */
export async function askForPause(root: string, plan: string, stamp: string): Promise<void> {
  await makeFolder(root, OWN_ALONE);
  await replaceFile(join(root, `pause-${plan}`), stamp, { mode: 0o600 });
}

/** Returns this process as owners are written down. */
export async function thisProcess(): Promise<Attempt['owner']> {
  const process_start = await processStart(process.pid);
  return { host: hostname(), pid: process.pid, ...(process_start === undefined ? {} : { process_start }) };
}

/** Whether the process that began an attempt is still there. Another machine's counts as there. */
export async function isOwned({ owner }: Attempt): Promise<boolean> {
  return owner.host !== hostname() || isRunning(owner);
}
