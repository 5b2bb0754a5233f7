import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { crc32 } from 'node:zlib';

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

let boot: string | null = null;

/**
 * What tells a folder on this machine from every copy of it, also from one in a copied image of the machine: the
 * folder's device and inode, and what the system calls this start of it. All containers of one machine have the same.
 * It is another after each start, so nothing may depend on its staying. Lower-case letters and digits.
 */
export function folderIdentity(folder: string): string {
  const { dev, ino } = statSync(folder);
  boot ??= bootOf();
  return crc32(`${boot} ${dev} ${ino}`).toString(36);
}

// A system that does not name its starts has a name of its own.
function bootOf(): string {
  try {
    return readFileSync(BOOT_ID, 'latin1').trim();
  } catch {
    return hostname();
  }
}
