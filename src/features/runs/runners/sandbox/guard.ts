import { lstatSync, mkdirSync, rmdirSync, utimesSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { moveFile } from '../../../../host/files/move-file.js';
import { closedFolders, openUp } from './closed-folders.js';
import type { ClosedFolders } from './closed-folders.js';
import { findRunByName, foldersAbove, placesToKeep } from './find-run-by-name.js';
import type { SearchedWorkspace } from './find-run-by-name.js';
import type { AwaitedPlace } from './named-by-repository.js';
import { RefusedCall } from '../outcomes.js';
import { HELD_NAMES } from './run-by-name.js';

/** What of a workspace is kept as it is while a command runs in a sandbox that may write the rest. */
export interface WorkspaceGuard {
  /** Folders above those that are read-only: as mounts of their own they cannot be moved away. Outermost first. */
  readonly pinned: readonly string[];
  readonly readOnly: readonly string[];
  /**
   * Ends the guard once the command has ended. What is there now that runs by name and was not there before gets another
   * name, so that nothing runs it.
   * @returns what was renamed, relative to the workspace, with its new name
   */
  readonly release: () => Promise<readonly RenamedFile[]>;
}

/** A file or folder that got another name, relative to the workspace; null where the system did not give it one. */
export interface RenamedFile {
  readonly from: string;
  readonly to: string | null;
}

/** The places that bubblewrap is told of; it takes 9,000 words in all. */
const MOST_PLACES = 2000;

/**
 * Guards what of a workspace runs by its name later.
 * @param kept further places that must not be written, such as the store
 * @throws RefusedCall E_SANDBOX_MISSING where there are more of them than a sandbox can hold
 */
export async function guardWorkspace(
  workspace: SearchedWorkspace,
  kept: readonly string[],
): Promise<WorkspaceGuard> {
  const { root } = workspace;
  const closed = closedFolders(root);
  const held = HELD_NAMES.map((name) => join(root, name)).filter(hold);
  try {
    const before = await findRunByName(workspace, closed.note);
    const { there: readOnly, absent } = await placesToKeep([...before, ...kept], workspace);
    const pinned = [...new Set(readOnly.flatMap((path) => foldersAbove(path, root)))];
    if (readOnly.length + pinned.length > MOST_PLACES)
      throw new RefusedCall(
        'E_SANDBOX_MISSING',
        `more than ${MOST_PLACES} places of the workspace would have to be read-only in the sandbox: it holds too many repositories`,
      );
    const links = new Set(held);
    // A link to nothing can be there too where nothing must be made.
    const toNothing = absent.map(({ path }) => path).filter(isLink);
    const known = new Map(
      [...before, ...toNothing].map((path) => [
        path,
        links.has(path) || isLink(path) ? identityOf(path) : null,
      ]),
    );
    let renamed: Promise<readonly RenamedFile[]> | null = null;
    return {
      pinned: pinned.toSorted((a, b) => a.length - b.length),
      readOnly,
      release: () => (renamed ??= release(workspace, { known, absent, held, closed })),
    };
  } catch (cause) {
    for (const path of held) letGo(path);
    throw cause;
  }
}

/** What a guard goes by once a command has ended. */
interface Guarded {
  /** What was there, with the identity of what a mount does not hold in its place. */
  readonly known: ReadonlyMap<string, string | null>;
  readonly absent: readonly AwaitedPlace[];
  readonly held: readonly string[];
  readonly closed: ClosedFolders;
}

async function release(
  workspace: SearchedWorkspace,
  { known, absent, held, closed }: Guarded,
): Promise<readonly RenamedFile[]> {
  const renamed: RenamedFile[] = [];
  try {
    const made = absent.filter(({ path, isPath }) => {
      const found = closed.lookAt(path);
      return found !== undefined && (isPath || !found.isDirectory());
    });
    const now = await findRunByName(workspace, closed.open);
    for (const path of new Set([...made.map(({ path }) => path), ...now])) {
      const was = known.get(path);
      if (was === null || (was !== undefined && was === identityOf(path))) continue;
      // Whoever cannot write the folder cannot rename what is in it.
      openUp(dirname(path), workspace.root);
      const to = freeName(path);
      const isMoved = await moveFile(path, to).then(
        () => true,
        () => false,
      );
      const [from = path, name = to] = [path, to].map((one) => relative(workspace.root, one));
      renamed.push({ from, to: isMoved ? name : null });
    }
  } finally {
    for (const path of held) letGo(path);
  }
  return renamed;
}

function freeName(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.set-aside-${number}`;
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function identityOf(path: string): string | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return null;
  // Whatever is made next in place of a link may get its number.
  return `${found.dev}-${found.ino}-${found.isSymbolicLink() ? found.ctimeNs : ''}`;
}

/** Empty folders in place of what is not there, which a mount needs to lie upon, and how many commands need each. */
const holders = new Map<string, number>();
/** Such a folder is known by its time: a process that was killed has left it. */
const MADE_AT = 0;

/** Holds a name by an empty folder. @returns whether it does; not where there is something, or nothing can be made */
function hold(path: string): boolean {
  const count = holders.get(path) ?? 0;
  if (count === 0 && !make(path)) return false;
  holders.set(path, count + 1);
  return true;
}

function make(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found.isDirectory() && found.mtimeMs === MADE_AT;
  try {
    mkdirSync(path);
    utimesSync(path, MADE_AT, MADE_AT);
    return true;
  } catch {
    return false;
  }
}

/** What somebody has put something into meanwhile stays. */
function letGo(path: string): void {
  const count = holders.get(path) ?? 0;
  if (count > 1) {
    holders.set(path, count - 1);
    return;
  }
  holders.delete(path);
  try {
    rmdirSync(path);
  } catch {
    // It is somebody's now.
  }
}
