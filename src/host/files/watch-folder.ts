import { statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';

/** A folder that is watched as long as it is the same one. */
export interface WatchedFolder {
  /** Whether the path still leads to the folder that is watched. */
  isCurrent(): boolean;
  stop(): void;
}

/**
 * Tells when something in a folder was made, changed or removed; folders below it are not looked into. Only what this
 * machine does is told, and how often is the system's affair. Keeps no process from ending.
 * @param onChange given the name within the folder; null where the system does not say it
 * @returns null where there is no such folder, or the system cannot watch one more
 */
export function watchFolder(path: string, onChange: (name: string | null) => void): WatchedFolder | null {
  const before = idOf(path);
  if (before === null) return null;
  try {
    const watcher: FSWatcher = watch(path, { persistent: false }, (_kind, name) => onChange(name));
    let isOver = false;
    watcher.on('error', () => {
      isOver = true;
      watcher.close();
    });
    return { isCurrent: () => !isOver && idOf(path) === before, stop: () => watcher.close() };
  } catch {
    return null;
  }
}

function idOf(path: string): string | null {
  try {
    const { dev, ino, birthtimeMs } = statSync(path);
    return `${dev}:${ino}:${birthtimeMs}`;
  } catch {
    return null;
  }
}
