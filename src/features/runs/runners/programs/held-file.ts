import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

import { sha256 } from '../../../../kernel/sha256.js';
import type { HeldFile } from '../../model/tool.js';

/** What scripts are called. */
const SCRIPT = /\.(?:[cm]?[jt]sx?|py[cw]?|pyz|rb|pl|pm|php|lua|r|jl|exs?|(?:ba|z|fi)?sh|ps1|jar|wasm)$/i;
/** As much of the first line of a script as systems read. */
const LONGEST_FIRST_LINE = 512;

/** As many bytes of files as are read in one look; what is longer is known by its identity. */
export const MOST_HELD_BYTES = 256 * 1024 * 1024;
/** Stands for what a file holds that cannot be read. */
const UNREADABLE = sha256('unreadable');

/**
 * Reads what a plain file holds. Where it really is counts with what is there, because whatever is run follows links.
 * @param real where the path leads
 * @param most bytes that are read; what is longer is known by its size, times and place
 * @returns null for what is no plain file
 */
export async function readHeldFile(file: string, real: string, most: number): Promise<HeldFile | null> {
  // A pipe that nobody writes to would be waited for.
  const handle = await open(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => null);
  if (handle === null) return { sha256: UNREADABLE, read: 0, isProgram: true, interpreter: '', changedAt: 0 };
  try {
    const there = await handle.stat();
    return there.isFile() ? await held(handle, { file, real, there, most }) : null;
  } finally {
    await handle.close();
  }
}

interface Opened {
  readonly file: string;
  readonly real: string;
  readonly there: Stats;
  readonly most: number;
}

async function held(handle: FileHandle, { file, real, there, most }: Opened): Promise<HeldFile> {
  const interpreter = await interpreterOf(handle).catch(() => '');
  const isProgram = isProgramName(file) || interpreter !== '' || (there.mode & 0o111) !== 0;
  const told = { isProgram, interpreter, changedAt: there.ctimeMs };
  const hash = createHash('sha256');
  if (real !== file) hash.update(`${real}\n`);
  if (there.size > most) return { ...told, sha256: hash.update(identityOf(there)).digest('hex'), read: 0 };
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, end: most }))
      if (Buffer.isBuffer(chunk)) hash.update(chunk);
    return { ...told, sha256: hash.digest('hex'), read: there.size };
  } catch {
    return { ...told, sha256: UNREADABLE, read: 0 };
  }
}

/** Whether a file is a program by its name. */
export function isProgramName(path: string): boolean {
  return SCRIPT.test(path);
}

async function interpreterOf(handle: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_FIRST_LINE), 0, LONGEST_FIRST_LINE, 0);
  const [line = ''] = buffer.subarray(0, bytesRead).toString('utf8').split('\n', 1);
  return line.startsWith('#!') ? line.slice(2).trim() : '';
}

/** What changes when a file is written or replaced. */
function identityOf({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string {
  return JSON.stringify({ dev, ino, size, mtimeMs, ctimeMs });
}
