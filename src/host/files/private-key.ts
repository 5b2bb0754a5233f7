import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { realFolder } from './folders.js';
import { inFolder } from './folder-handle.js';
import { openPlainFile } from './plain-file.js';
import { makeFolder } from './make-folder.js';
import { errorCode, storageError } from './storage-error.js';

const BYTES = 32;
const OTHERS = 0o077;

/**
 * A key of the user's own: 32 random bytes in a file that nobody else may read.
 * @returns null when there is none
 * @throws PlanError REFUSED when others may read or write it, or it is no key; STORAGE_FAILED
 */
export async function readPrivateKey(path: string): Promise<Buffer | null> {
  try {
    const handle = await openPlainFile(realFolder(path));
    try {
      const { mode, size } = await handle.stat();
      if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
        throw unusableKey(
          path,
          'others may read it',
          `Nobody but you may: \`chmod 600 ${path}\`. If somebody else can have read it, delete it; what it has approved has to be approved again.`,
        );
      const key = Buffer.alloc(BYTES);
      const { bytesRead } = await handle.read(key, 0, BYTES, 0);
      if (size !== BYTES || bytesRead !== BYTES)
        throw unusableKey(
          path,
          `it has ${size} bytes, not ${BYTES}`,
          'Delete it; another is made when it is needed, and what it has approved has to be approved again.',
        );
      return key;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw storageError('read', path, cause);
  }
}

/** The key, made when there is none; of several processes that make it at once one does. @throws PlanError REFUSED, STORAGE_FAILED */
export async function privateKey(path: string): Promise<Buffer> {
  const there = await readPrivateKey(path);
  if (there !== null) return there;
  try {
    const folder = realFolder(dirname(path));
    await makeFolder(folder);
    await inFolder(folder, async (held) => {
      const temporary = held.at(`${basename(path)}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
      const handle = await open(temporary, 'wx', 0o600);
      try {
        try {
          await handle.writeFile(randomBytes(BYTES));
          await handle.sync();
        } finally {
          await handle.close();
        }
        await link(temporary, held.at(basename(path))).catch((cause: unknown) => {
          if (errorCode(cause) !== 'EEXIST') throw cause;
        });
      } finally {
        await unlink(temporary).catch(() => undefined);
      }
      await held.sync();
    });
  } catch (cause) {
    throw storageError('create', path, cause);
  }
  const made = await readPrivateKey(path);
  if (made === null) throw unusableKey(path, 'it is gone as soon as it is made', 'Look who removes it.');
  return made;
}

function unusableKey(path: string, why: string, hint: string): PlanError {
  return new PlanError('REFUSED', `${path} is not used as a key: ${why}`, {
    hint: { commandLine: hint },
    details: { path },
  });
}
