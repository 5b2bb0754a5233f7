import { lstatSync } from 'node:fs';

/** What tells a plan file from any other that is put in its place; null where the system does not say. Waits for nothing. */
export function planFileStamp(path: string): string | null {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? 'none' : `${found.dev} ${found.ino} ${found.size} ${found.ctimeMs}`;
  } catch {
    return null;
  }
}
