import type { PlanEvent } from '../../../plan/events.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import type { LogWriter } from './log-writer.js';
import { idsPresent } from './lost-lines.js';
import type { LogReaderOptions } from './plan-state.js';
import { eventsOfLostLines } from './lost-lines.js';
import { stampAgain } from '../../log/stamp-events.js';
import { changeTaken, readTaken } from './taken-lines.js';

/** What git dropped from a log. */
export interface DroppedChanges {
  readonly events: readonly PlanEvent[];
  /** What git was told, such as `reset: moving to HEAD`; empty when there are none. */
  readonly action: string;
  /** The file they are kept in; empty when there is none. */
  readonly file: string;
}

type LogFiles = Pick<LogReaderOptions, 'paths' | 'journal'>;

/** Returns what git dropped from a log when it was told to, and is not back yet. @throws PlanError STORAGE_FAILED */
export async function droppedByGit({ paths, journal }: LogFiles): Promise<DroppedChanges> {
  const { lines, action, file } = await readTaken(journal.folder);
  const log = lines.length === 0 ? null : await fileIdentity(paths.eventLog);
  if (log === null) return { events: [], action, file };
  const present = await idsPresent(paths.eventLog, log.size, new Set(lines.map(({ id }) => id)));
  const missing = lines.filter(({ id }) => !present.has(id));
  return { events: eventsOfLostLines(missing).map(({ event }) => event), action, file };
}

/** Writes again the changes that git dropped, and what is pending. @throws PlanError STORAGE_FAILED */
export async function restoreDropped({ journal }: LogFiles, writer: LogWriter): Promise<void> {
  const { lines } = await readTaken(journal.folder);
  await writer.append(
    ({ replica, history }) => stampAgain(eventsOfLostLines(lines), replica, history),
    new Map(),
  );
  const written = new Set(lines.map(({ id }) => id));
  await changeTaken(journal.folder, (before) => ({
    ...before,
    lines: before.lines.filter(({ id }) => !written.has(id)),
  }));
}

/** Discards what git dropped. @throws PlanError STORAGE_FAILED */
export async function discardDropped({ journal }: Pick<LogFiles, 'journal'>): Promise<void> {
  await changeTaken(journal.folder, () => ({ lines: [], action: '' }));
}
