import { inCanonicalOrder } from '../../plan/history.js';
import { checkLine } from '../log/checked-line.js';
import { eventIdIn } from '../log/event-id.js';
import { appendDurably, logRemoved } from './log/event-log.js';
import { fileIdentity, isSameFile } from '../../host/files/file-identity.js';
import { planPaths } from './store-paths.js';
import type { PlanPaths, PlanFolder } from './store-paths.js';
import { readAll } from './log/log-reading.js';
import { readPlainBytes } from '../../host/files/plain-file.js';
import { deleteFile } from '../../host/files/move-file.js';
import { errorCode, storageError } from '../../host/files/storage-error.js';

/**
 * A plan of which there are files in both folders: 0.1 moved them, and was stopped on the way, changed the plan at
 * the same time, or another branch changed it where it was. Those in one folder count.
 */
export interface TwoFolders {
  /** The files that count, and the others. */
  readonly paths: PlanPaths;
  readonly others: PlanPaths;
  /** Lines of the other log that the one that counts lacks, as they are there. */
  readonly missing: readonly Buffer[];
  /** Whether both logs begin with the same event, so that together they are one history. */
  readonly isOneHistory: boolean;
}

/**
 * Looks at the files of a plan in the two folders where they can be.
 * @param planFolder where the files are that count @throws PlanError STORAGE_FAILED
 */
export async function inspectTwoFolders(
  store: string,
  planId: string,
  planFolder: PlanFolder,
): Promise<TwoFolders> {
  const paths = planPaths(store, planId, planFolder);
  const others = planPaths(store, planId, planFolder === 'store' ? 'archive' : 'store');
  const known = new Set((await linesOf(paths.eventLog)).map(({ id }) => id));
  const theirs = await linesOf(others.eventLog);
  const [first, otherFirst] = [await firstEvent(paths.eventLog), await firstEvent(others.eventLog)];
  return {
    paths,
    others,
    missing: theirs.filter(({ id }) => !known.has(id)).map(({ line }) => line),
    isOneHistory: first === otherFirst,
  };
}

/**
 * Merges the logs of a plan in two folders: appends what the log that counts lacks, as a merge would, and
 * removes the other files. Whoever calls this has made a copy of all of them.
 * @throws PlanError STORAGE_FAILED
 */
export async function bringTogether({ paths, others, missing, isOneHistory }: TwoFolders): Promise<void> {
  if (isOneHistory && missing.length > 0) {
    const newline = Buffer.from('\n');
    const bytes = Buffer.concat(missing.flatMap((line) => [newline, line, newline]));
    for (let isNamed = false; !isNamed;) {
      const log = await fileIdentity(paths.eventLog);
      if (log === null) throw logRemoved(paths.eventLog);
      const written = await appendDurably(paths.eventLog, bytes, log);
      const named = await fileIdentity(paths.eventLog);
      isNamed = written !== null && named !== null && isSameFile(written, named);
    }
  }
  await deleteFile(others.eventLog);
  await deleteFile(others.planFile);
}

/** The lines of a log whose checksums fit, also those of a newer version, by the id of their events. */
async function linesOf(path: string): Promise<readonly { readonly id: string; readonly line: Buffer }[]> {
  const bytes = await readPlainBytes(path).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT') return Buffer.of();
    throw storageError('read', path, cause);
  });
  const lines: { id: string; line: Buffer }[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(start, bytes[end - 1] === 0x0d ? end - 1 : end);
    const checked = checkLine(line);
    const id = 'damage' in checked ? null : eventIdIn(checked.text);
    if (id !== null) lines.push({ id, line });
    start = end + 1;
  }
  return lines;
}

async function firstEvent(path: string): Promise<string | null> {
  const file = await fileIdentity(path);
  if (file === null) return null;
  return inCanonicalOrder((await readAll(path, file)).events)[0]?.id ?? null;
}
