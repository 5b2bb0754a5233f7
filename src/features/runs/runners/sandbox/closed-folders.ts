import { chmodSync, lstatSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';

import { errorCode } from '../../../../host/files/storage-error.js';

const OWNER = 0o700n;
const PERMISSIONS = 0o7777n;

/**
 * Folders that their owner cannot look into, as a command can make them to hide what it left there. Those that were closed
 * before it ran, and have not been changed since, stay so.
 */
export interface ClosedFolders {
  /** Returns nothing for a folder that cannot be read, and notes how it was. */
  readonly note: (folder: string) => Promise<readonly Dirent[]>;
  /** Opens a folder that was not closed before, or was changed. @returns what is in it */
  readonly open: (folder: string) => Promise<readonly Dirent[]>;
  /** Looks at what may be in such a folder, and opens that first. */
  readonly lookAt: (path: string) => BigIntStats | undefined;
}

/** @param root the workspace, above which nothing is opened */
export function closedFolders(root: string): ClosedFolders {
  const closed = new Set<string>();
  const mayOpen = (path: string) => !closed.has(changeOf(path, root));
  return {
    note(folder) {
      closed.add(changeOf(folder, root));
      return Promise.resolve([]);
    },
    async open(folder) {
      if (mayOpen(folder)) openUp(folder, root);
      return readdir(folder, { withFileTypes: true }).catch(() => []);
    },
    lookAt(path) {
      if (stateOf(path) === 'closed' && mayOpen(dirname(path))) openUp(dirname(path), root);
      const found = stateOf(path);
      return found === 'closed' ? undefined : found;
    },
  };
}

/** Lets the owner of a folder read and change it, and of those above that are closed. */
export function openUp(folder: string, root: string): void {
  if (stateOf(folder) === 'closed' && folder !== root) openUp(dirname(folder), root);
  const found = stateOf(folder);
  if (found === undefined || found === 'closed' || !found.isDirectory()) return;
  if ((found.mode & OWNER) === OWNER) return;
  try {
    chmodSync(folder, Number((found.mode & PERMISSIONS) | OWNER));
  } catch {
    // It is somebody else's.
  }
}

/** When a path, or the nearest folder above it that can be looked at, was last changed. */
function changeOf(path: string, root: string): string {
  const found = stateOf(path);
  if (found === 'closed' && path !== root) return changeOf(dirname(path), root);
  return found === undefined || found === 'closed' ? '' : `${found.ino} ${found.ctimeNs}`;
}

function stateOf(path: string): BigIntStats | 'closed' | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (cause) {
    return errorCode(cause) === 'EACCES' ? 'closed' : undefined;
  }
}
