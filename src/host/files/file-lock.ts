import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { isRunning, processStart } from '../processes/recorded-process.js';
import { readPlainFile } from './plain-file.js';
import { makeFolder } from './make-folder.js';
import { deleteFile } from './move-file.js';
import { createFile } from './replace-file.js';
import { errorCode, storageError } from './storage-error.js';

/** Some ten seconds of looking; what is done under a lock takes milliseconds. */
const MOST_LOOKS = 500;
const LONGEST_WAIT_MS = 40;
/** A lock is taken from its holder only when he was looked for, and not found, this often on end. */
const LOOKS_FOR_HOLDER = 10;
const MOST_BYTES = 4096;

// A repository can bring a lock: its id becomes part of a path.
const holderSchema = z.object({
  id: z.string().regex(/^[0-9a-z]{1,40}$/),
  host: z.string(),
  pid: z.int().positive(),
  process_start: z.string().optional(),
});

type Holder = z.infer<typeof holderSchema>;

/**
 * Does something with a file while no other process does the same. The lock of a process that was killed is taken from it.
 * @param path a real path, as for all files of a store; its folder is made when there is none
 * @param patience how often somebody else's lock is looked at
 * @param signal ends the waiting
 * @throws PlanError STORAGE_FAILED when somebody else holds the lock all that time, some ten seconds; what `work` throws;
 *   an error of the name AbortError
 */
export async function whileLocked<T>(
  path: string,
  work: () => Promise<T>,
  { patience = MOST_LOOKS, signal }: { readonly patience?: number; readonly signal?: AbortSignal } = {},
): Promise<T> {
  const lock = `${path}.lock.tmp`;
  const own = await newHolder();
  await take(lock, own, patience, signal);
  try {
    return await work();
  } finally {
    if ((await holderOf(lock))?.id === own.id) await deleteFile(lock);
  }
}

async function take(
  lock: string,
  own: Holder,
  patience: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let [absent, last]: [number, Holder | null] = [0, null];
  for (let look = 0; look < patience; look += 1) {
    if (await tryToTake(lock, own)) return;
    const holder = await holderOf(lock);
    absent = holder !== null && holder.id === last?.id && !(await isAlive(holder)) ? absent + 1 : 0;
    last = holder;
    if (holder !== null && absent >= LOOKS_FOR_HOLDER) await breakLock(lock, holder, own);
    await wait(Math.random() * LONGEST_WAIT_MS, undefined, signal === undefined ? {} : { signal });
  }
  throw new PlanError('STORAGE_FAILED', `cannot change what ${lock} locks`, {
    hint: {
      commandLine: `Run the command again${last === null ? '' : ` when process ${last.pid} on ${last.host} is done`}; if nobody is at it, delete ${lock}.`,
    },
    details: { path: lock },
  });
}

async function tryToTake(lock: string, own: Holder): Promise<boolean> {
  try {
    await makeFolder(dirname(lock));
    return await createFile(lock, `${JSON.stringify(own)}\n`);
  } catch (cause) {
    throw storageError('create', lock, cause);
  }
}

/**
 * Removes the lock of a process that is gone, and no other: whoever removes just this one holds its mark, and looks again
 * when he has it.
 */
async function breakLock(lock: string, holder: Holder, own: Holder): Promise<void> {
  const mark = lock.replace(/\.tmp$/, `.${holder.id}.tmp`);
  if (!(await tryToTake(mark, own))) return;
  try {
    if ((await holderOf(lock))?.id === holder.id) await deleteFile(lock);
  } finally {
    await deleteFile(mark);
  }
}

/** Who holds a lock; null when it is free, or when nobody can tell. */
async function holderOf(lock: string): Promise<Holder | null> {
  try {
    return holderSchema.parse(JSON.parse(await readPlainFile(lock, MOST_BYTES)));
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError || errorCode(cause) === 'ENOENT')
      return null;
    throw storageError('read', lock, cause);
  }
}

async function isAlive({ host, pid, process_start }: Holder): Promise<boolean> {
  if (host !== hostname()) return true;
  return isRunning({ pid, process_start });
}

async function newHolder(): Promise<Holder> {
  const process_start = await processStart(process.pid);
  return {
    id: Math.random().toString(36).slice(2),
    host: hostname(),
    pid: process.pid,
    ...(process_start === undefined ? {} : { process_start }),
  };
}
