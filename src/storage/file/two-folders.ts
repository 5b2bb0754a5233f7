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
export interface TwoFolders extends TwoLogs {
  /** The files that count, and the others. */
  readonly paths: PlanPaths;
  readonly others: PlanPaths;
}

/** A log beside another one of the same plan. */
export interface TwoLogs {
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
  return { paths, others, ...(await compareLogs(paths.eventLog, others.eventLog)) };
}

/** Compares a log that counts with another one of the same plan. @throws PlanError STORAGE_FAILED */
export async function compareLogs(log: string, other: string): Promise<TwoLogs> {
  const known = new Set((await linesOf(log)).map(({ id }) => id));
  const theirs = await linesOf(other);
  const [first, otherFirst] = [await firstEvent(log), await firstEvent(other)];
  return {
    missing: theirs.filter(({ id }) => !known.has(id)).map(({ line }) => line),
    isOneHistory: first === otherFirst,
  };
}

/**
 * Merges the logs of a plan in two folders: appends what the log that counts lacks, as a merge would, and
 * removes the other files. Whoever calls this has made a copy of all of them.
 * @throws PlanError STORAGE_FAILED
 */
export async function bringTogether({ paths, others, ...logs }: TwoFolders): Promise<void> {
  await appendMissing(paths.eventLog, logs);
  await deleteFile(others.eventLog);
  await deleteFile(others.planFile);
}

/** Appends to a log what it lacks of another one, where both are one history. @throws PlanError STORAGE_FAILED */
export async function appendMissing(path: string, { missing, isOneHistory }: TwoLogs): Promise<void> {
  if (!isOneHistory || missing.length === 0) return;
  const newline = Buffer.from('\n');
  const bytes = Buffer.concat(missing.flatMap((line) => [newline, line, newline]));
  for (let isNamed = false; !isNamed;) {
    const log = await fileIdentity(path);
    if (log === null) throw logRemoved(path);
    const written = await appendDurably(path, bytes, log);
    const named = await fileIdentity(path);
    isNamed = written !== null && named !== null && isSameFile(written, named);
  }
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
