import { basename, dirname, join } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { realFolder } from './folders.js';
import { makeFolder } from './make-folder.js';
import { readPlainFolder } from './plain-file.js';
import { createFile } from './replace-file.js';
import { errorCode, storageError } from './storage-error.js';

/** A file to write into a folder, by its path in there, with `/`. */
interface FileInFolder {
  readonly path: string;
  readonly text: string;
}

/** Files that are made durable at the same time. */
const AT_ONCE = 32;

/** The most bytes that a name may have; a temporary file has the name and some more. */
const MOST_BYTES = 220;

/** What Windows takes for a device, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)/i;

/**
 * Writes files into a folder that the user named, which may be behind a link; below it no link is followed, and nothing
 * that is there is written over. Every path is looked at before the first file is written.
 * @param folders the folders in there in which no file may stand yet; those of the files are looked at too
 * @throws PlanError INVALID_INPUT for a path that leaves the folder or that not every system can have, for two files of
 * one path, and where there are files already; STORAGE_FAILED, also for a link
 */
export async function writeFolder(
  folder: string,
  files: readonly FileInFolder[],
  folders: readonly string[] = [],
): Promise<void> {
  refusePaths(files.map(({ path }) => path));
  const real = realFolder(folder);
  for (const accessPath of new Set([...folders, ...files.map(({ path }) => dirname(path))]))
    await refuseFilled(join(real, accessPath), join(folder, accessPath));
  for (let first = 0; first < files.length; first += AT_ONCE)
    await Promise.all(files.slice(first, first + AT_ONCE).map((file) => writeNew(real, file)));
}

function refusePaths(paths: readonly string[]): void {
  const seen = new Set<string>();
  for (const path of paths) {
    const reason = reasonAgainst(path) ?? (seen.has(folded(path)) ? 'is there twice' : null);
    if (reason !== null)
      throw new PlanError('INVALID_INPUT', `the path ${JSON.stringify(truncate(path, 300))} ${reason}`, {
        hint: ['Nothing was written.'],
        details: { path },
      });
    seen.add(folded(path));
  }
}

/** Many file systems take both cases, and both forms of an accented letter, for the same. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Why a path must not be written, if so. Systems differ, and what is written here may be read there: the strictest counts. */
function reasonAgainst(path: string): string | null {
  if (/[\p{Cc}\\:*?"<>|]/u.test(path)) return 'has a character that a name cannot have everywhere';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'leaves the folder';
    if (DEVICE.test(name)) return 'has a name that is a device on Windows';
    if (/[. ]$/.test(name)) return 'has a name that ends with a dot or a space';
    if (Buffer.byteLength(name) > MOST_BYTES) return `has a name of more than ${MOST_BYTES} bytes`;
  }
  return null;
}

/** Whatever is no folder counts: a link has its own owner, too. */
async function refuseFilled(path: string, named: string): Promise<void> {
  const entries = await readPlainFolder(path).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return [];
    throw storageError('read', path, cause);
  });
  if (entries.every((entry) => entry.isDirectory())) return;
  throw new PlanError('INVALID_INPUT', `${named} holds files already`, {
    hint: ['Nothing was written. Name another folder, or take them away first.'],
    details: { path },
  });
}

async function writeNew(folder: string, { path, text }: FileInFolder): Promise<void> {
  const whole = join(folder, path);
  let isMade: boolean;
  try {
    await makeFolder(dirname(whole));
    isMade = await createFile(whole, text);
  } catch (cause) {
    throw storageError('write', whole, cause);
  }
  if (!isMade)
    throw new PlanError('INVALID_INPUT', `${basename(whole)} has appeared since the command started`, {
      hint: ['It was left as it is. Name another folder, or take it away first.'],
      details: { path: whole },
    });
}
