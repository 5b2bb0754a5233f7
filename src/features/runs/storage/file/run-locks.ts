import { join } from 'node:path';

import * as z from 'zod';

import { whileLocked } from '../../../../host/files/file-lock.js';
import { readPlainFile } from '../../../../host/files/plain-file.js';
import { makeFolder } from '../../../../host/files/make-folder.js';
import { replaceFile } from '../../../../host/files/replace-file.js';
import { errorCode, storageError } from '../../../../host/files/storage-error.js';
import { PlanError } from '../../../../kernel/errors.js';
import { parseOrNull } from '../../../../kernel/json/parse-or-null.js';
import { lockHolder, stillHeld } from '../lock-registry.js';
import type { HeldLock } from '../lock-registry.js';
import type { RunLocks } from '../run-store.js';

const MOST_BYTES = 1024 * 1024;
const fileSchema = z.array(z.object({ lock: z.string(), run: z.string() }));

/** Locks of runs in a file beside their logs. @param isOver whether a run holds nothing any more */
export function fileRunLocks(folder: string, isOver: (run: string) => Promise<boolean>): RunLocks {
  const path = join(folder, 'locks.json');
  const held = async () => stillHeld(await readLocks(path), isOver);
  const change = (work: (locks: readonly HeldLock[]) => readonly HeldLock[]) =>
    whileLocked(path, async () => {
      const before = await held();
      const after = work(before);
      if (after !== before) await replaceFile(path, `${JSON.stringify(after)}\n`);
      return after;
    });
  return {
    async take(lock, run) {
      await makeFolder(folder);
      const after = await change((locks) =>
        lockHolder(locks, lock) === null ? [...locks, { lock, run }] : locks,
      );
      return lockHolder(after, lock) ?? run;
    },
    async giveBack(lock, run) {
      if ((await held()).length === 0) return;
      await change((locks) => locks.filter((one) => one.lock !== lock || one.run !== run));
    },
    holder: async (lock) => lockHolder(await held(), lock),
  };
}

async function readLocks(path: string): Promise<readonly HeldLock[]> {
  let text: string;
  try {
    text = await readPlainFile(path, MOST_BYTES);
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw storageError('read', path, cause);
  }
  const read = fileSchema.safeParse(parseOrNull(text));
  if (read.success) return read.data;
  throw new PlanError('STORE_DAMAGED', `${path} does not say which run holds which lock`, {
    hint: [`When no run is carried out, remove ${path}.`],
    details: { path },
  });
}
