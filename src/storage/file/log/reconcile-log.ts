import { lstatSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { monotonicNow } from '../../../host/monotonic-clock.js';
import { PlanError } from '../../../kernel/errors.js';
import type { History } from '../../../plan/history.js';
import type { StoreWarning } from '../../plan-store.js';
import { appendDurably, logRemoved } from './event-log.js';
import { fileIdentity, fileIdentityNow, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { gitFolderOf, isBusy, waitForGit } from '../../../host/git/git-folder.js';
import { actionSince, committedFile } from '../../../host/git/git-history.js';
import type { GitAction } from '../../../host/git/git-history.js';
import type { Journal } from '../journal/journal.js';
import type { PlanPaths } from '../store-paths.js';
import { planIdOfLog, refuseLogOfOther } from './log-owner.js';
import { rebuild } from './log-reading.js';
import { eventsOfLostLines, eventIdsInLines, idsPresent, linesLost } from './lost-lines.js';
import type { LostLine } from './lost-lines.js';
import { replicaWith, stampAgain } from '../../log/stamp-events.js';
import { storageError } from '../../../host/files/storage-error.js';
import { changeTaken, readTaken } from './taken-lines.js';

/** How often, and how long at least, a log that was replaced under a writer (by a git checkout, say) is begun with again. */
const MAX_ATTEMPTS = 20;
const LEAST_MS = 10_000;
/** How long git may take from removing a log to writing it anew. */
const LONGEST_ABSENCE_MS = 500;
const STEP_MS = 10;

/** What was acknowledged here, is not in the log, and what is to become of it. */
export interface Lost {
  /** Nobody took these away on purpose: they are appended again. */
  readonly again: readonly LostLine[];
  /** Git took these away when it was told to, and no commit has them: they are offered. */
  readonly taken: readonly LostLine[];
  /** What git was told to do; null when nothing was taken. */
  readonly action: string | null;
}

/** The log of a plan. */
interface LogOfPlan {
  readonly path: string;
  readonly planId: string;
}

export interface ReconcileOptions extends LogOfPlan {
  readonly journal: Journal;
  /** The id of this copy of the store. */
  readonly store: string;
}

/** Whom to tell of what was lost. */
interface WarnOptions {
  readonly planId: string;
  readonly paths: PlanPaths;
  readonly warn?: ((warning: StoreWarning) => void) | undefined;
}

const NOTHING: Lost = { again: [], taken: [], action: null };

/**
 * Sees to it that a log has all that was acknowledged here, and that the journal has the log; before that nobody may
 * append to it. Waits for a git that is at work, and for nothing else. Any number of processes may do this at once.
 * @returns what was lost, of which `again` was appended again
 * @throws PlanError STORAGE_FAILED
 */
export async function reconcileLog(options: ReconcileOptions): Promise<Lost> {
  const { path, journal } = options;
  const git = gitFolderOf(dirname(path));
  const isReconciled = () => lookAt(path, journal)?.isReconciled === true;
  const end = monotonicNow() + LEAST_MS;
  for (let attempt = 0; attempt < MAX_ATTEMPTS || monotonicNow() < end; attempt += 1) {
    if (git !== null) await waitForGit(git, path, isReconciled);
    const log = await identifyWithRetries(path, journal);
    if (log === null) throw logRemoved(path);
    const lost = await reconcileOnce(options, log).catch((cause: unknown) => nullIfGone(path, cause));
    if (lost !== null) return lost;
  }
  throw new PlanError('STORAGE_FAILED', `the event log ${path} is being replaced again and again`, {
    details: { path },
  });
}

/** Begins the journal of a log that was made just now; what is left of an earlier plan of that id is forgotten. */
export async function beginJournal(journal: Journal, path: string): Promise<void> {
  try {
    const log = await fileIdentity(path);
    if (log === null) return;
    await journal.clear();
    await journal.agree(log);
    await journal.keep(path, log);
  } catch {
    // The first change sees to it again, and says what is wrong.
  }
}

/**
 * Finds what a log lacks of what was acknowledged here, without reconciling anything. Other files that are the logs of other
 * plans, as after their names were swapped, count for nothing.
 * @throws PlanError STORAGE_FAILED
 */
export async function findLost(
  { path, planId }: LogOfPlan,
  log: FileIdentity,
  links: readonly string[],
): Promise<Lost> {
  const owners = await Promise.all(links.map(ownerIfThere));
  const others = links.filter((_link, index) => (owners[index] ?? planId) === planId);
  const lines = others.length === 0 ? [] : await linesLost(path, log.size, others);
  if (lines.length === 0) return NOTHING;
  const folder = dirname(path);
  const git = gitFolderOf(folder);
  const action = git === null ? null : await actionSince(git, folder, lastChange(others));
  if (action === null) return { ...NOTHING, again: lines };
  if (action === 'unknown') return { again: [], taken: lines, action: 'git' };
  return { again: [], taken: await withoutCommitted(path, lines, action), action: action.name };
}

/**
 * Reconciles a log for somebody who only reads: where nothing is to be appended again, and git rests, the journal follows
 * the log. Nothing that git knows of is written.
 */
export async function reconcileForReader(options: ReconcileOptions, log: FileIdentity): Promise<Lost | null> {
  const git = gitFolderOf(dirname(options.path));
  if (git !== null && isBusy(git, options.path)) return null;
  return reconcileOnce(options, log).catch(() => null);
}

/** Warns of changes that a log had lost when it was reconciled, and tells what became of them. */
export function warnOfLost({ planId, paths, warn }: WarnOptions, { again, taken, action }: Lost): void {
  const file = paths.eventLog;
  const counted = ({ length }: readonly LostLine[]) =>
    length === 1 ? `a change of plan ${planId}` : `${length} changes of plan ${planId}`;
  if (again.length > 0)
    warn?.({
      code: 'WRITTEN_AGAIN',
      message: `something had taken ${counted(again)} out of its log; written again`,
      file,
    });
  if (taken.length > 0)
    warn?.({
      code: 'TAKEN_BY_GIT',
      message: `git took ${counted(taken)} away (${action ?? ''}); \`plan doctor\` offers them`,
      file,
    });
}

/** The bytes of lost lines as they are appended again: after all that is in the log, and known for what they are. */
function bytesAgain(lines: readonly LostLine[], replica: string, history: History): Buffer {
  const stamped = stampAgain(eventsOfLostLines(lines), replica, history).map(({ line }) => line);
  // What a newer version wrote is taken over as it is.
  const unknown = lines.flatMap(({ event, bytes }) =>
    event === null ? [`\n${bytes.toString('utf8')}\n`] : [],
  );
  return Buffer.from([...stamped, ...unknown].join(''));
}

/** One attempt; null when the log was replaced meanwhile. */
async function reconcileOnce(
  { path, planId, journal, store }: ReconcileOptions,
  log: FileIdentity,
): Promise<Lost | null> {
  const { isReconciled, others } = journal.look(log);
  if (isReconciled) return NOTHING;
  await refuseLogOfOther(path, planId);
  const seen = others.map((other) => ({ path: other, file: fileIdentityNow(other) }));
  const mark = await journal.agree(log);
  const lost = await findLost({ path, planId }, log, others);
  await addTaken(journal, lost);
  if (lost.again.length > 0) {
    const { history } = await rebuild(path, log);
    const bytes = bytesAgain(lost.again, replicaWith(store, mark), history);
    if ((await appendDurably(path, bytes, log)) === null) return null;
  }
  if (!(await journal.keep(path, log))) return null;
  const named = await fileIdentity(path);
  if (named === null || !isSameFile(named, log)) return null;
  await dropReturned(path, log, journal);
  await journal.forget(log, seen, path);
  return lost;
}

async function ownerIfThere(link: string): Promise<string | null> {
  return planIdOfLog(link).catch((cause: unknown) => nullIfGone(link, cause));
}

/** Puts what was taken now beside what was taken before. */
async function addTaken(journal: Journal, { taken, action }: Lost): Promise<void> {
  if (taken.length === 0) return;
  const now = new Set(taken.map(({ id }) => id));
  await journal.prepare();
  await changeTaken(journal.folder, (before) => ({
    lines: [...before.lines.filter(({ id }) => !now.has(id)), ...taken],
    action: action ?? before.action,
  }));
}

/**
 * Drops of what was taken what the log has again. Only once the journal has that log: should git take it away as well, its
 * lines are found in there.
 */
async function dropReturned(path: string, log: FileIdentity, journal: Journal): Promise<void> {
  const { lines } = await readTaken(journal.folder);
  if (lines.length === 0) return;
  const back = await idsPresent(path, log.size, new Set(lines.map(({ id }) => id)));
  if (back.size === 0) return;
  await changeTaken(
    journal.folder,
    (before) => ({ ...before, lines: before.lines.filter(({ id }) => !back.has(id)) }),
    // What another log lacks was perhaps put there since.
    async () => {
      const named = await fileIdentity(path);
      return named === null || !isSameFile(named, log);
    },
  );
}

/** Of lines of a log that is gone: those that no commit has. @param from the files they are in */
export async function notCommitted(
  path: string,
  lines: readonly LostLine[],
  from: readonly string[],
): Promise<readonly LostLine[]> {
  const folder = dirname(path);
  const git = gitFolderOf(folder);
  const action = git === null ? null : await actionSince(git, folder, lastChange(from));
  return action === null || action === 'unknown' ? lines : withoutCommitted(path, lines, action);
}

/** What git took away and no commit has that anything leads to. */
async function withoutCommitted(
  path: string,
  lines: readonly LostLine[],
  { commits }: GitAction,
): Promise<readonly LostLine[]> {
  let left = lines;
  for (const commit of commits) {
    if (left.length === 0) break;
    const committed = await committedFile(dirname(path), basename(path), commit);
    if (committed === null) continue;
    const ids = eventIdsInLines(committed);
    left = left.filter(({ id }) => !ids.has(id));
  }
  return left;
}

/**
 * What the path of a log names. Git removes a file before it writes the new one, so where there was a log it is looked
 * for during a moment.
 */
export async function identifyWithRetries(path: string, journal: Journal): Promise<FileIdentity | null> {
  const end = monotonicNow() + LONGEST_ABSENCE_MS;
  for (;;) {
    const log = await fileIdentity(path);
    if (log !== null || !journal.hasAny() || monotonicNow() > end) return log;
    await wait(STEP_MS);
  }
}

/** A file that was there a moment ago and is not there now was replaced, or is being replaced. */
function nullIfGone(path: string, cause: unknown): null {
  const error = storageError('keep the journal of', path, cause);
  if (error.details.reason !== 'ENOENT') throw error;
  return null;
}

function lookAt(path: string, journal: Journal): ReturnType<Journal['look']> | null {
  const found = fileIdentityNow(path);
  return found === null ? null : journal.look(found);
}

/** When one of some files was last written to, in milliseconds since 1970. */
function lastChange(paths: readonly string[]): number {
  const changes = paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return changes.reduce((latest, change) => Math.max(latest, change), 0);
}
