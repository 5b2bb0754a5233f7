import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The path of a folder with no link in it, as far as it exists. What is below a store is then reached without following
 * any link.
 */
export function realFolder(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realFolder(above), basename(whole));
  }
}

/**
 * What tells a folder from another that has its path on another machine, or had it before: its number and its birth. A
 * folder that several machines share has the same on each. Null where there is no such folder.
 */
export function folderFingerprint(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.ino.toString(36)}-${found.birthtimeNs.toString(36)}`;
}

/** Whether a path names a folder; a link to one will do. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
