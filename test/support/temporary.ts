import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Where Linux keeps files in memory. */
const IN_MEMORY = '/dev/shm';
/** So much must be free there: databases, browsers and installed packages of the tests stand side by side. */
const ENOUGH_BYTES = 3 * 2 ** 30;

/** Has the tests make their temporary folders in memory where there is room, and removes what they left there. */
export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(IN_MEMORY, 'frctl-'));
  // PostgreSQL, which runs as a user of its own where the tests are root's, must come through to its folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
