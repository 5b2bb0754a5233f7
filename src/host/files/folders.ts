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

/** Whether a path names a folder; a link to one will do. */
export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
