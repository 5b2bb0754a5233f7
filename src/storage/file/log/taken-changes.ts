import { fileIdentity } from '../../../host/files/file-identity.js';
import type { PlanLog } from '../../plan-store.js';
import type { LogWriter } from './log-writer.js';
import { idsPresent } from './lost-lines.js';
import type { LogReaderOptions } from './plan-state.js';
import { eventsOfLostLines } from './lost-lines.js';
import { stampAgain } from '../../log/stamp-events.js';
import { changeTaken, readTaken } from './taken-lines.js';

type LogFiles = Pick<LogReaderOptions, 'paths' | 'journal'>;

/** What git took out of a log when it was told to, and is not back yet. @throws PlanError STORAGE_FAILED */
export async function takenChanges({ paths, journal }: LogFiles): ReturnType<PlanLog['taken']> {
  const { lines, action, file } = await readTaken(journal.folder);
  const log = lines.length === 0 ? null : await fileIdentity(paths.eventLog);
  if (log === null) return { events: [], action, file };
  const present = await idsPresent(paths.eventLog, log.size, new Set(lines.map(({ id }) => id)));
  const missing = lines.filter(({ id }) => !present.has(id));
  return { events: eventsOfLostLines(missing).map(({ event }) => event), action, file };
}

/** Brings back the changes that git had taken, and what is pending. @throws PlanError STORAGE_FAILED */
export async function bringBack({ journal }: LogFiles, writer: LogWriter): Promise<void> {
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

/** Lets go of what git took. @throws PlanError STORAGE_FAILED */
export async function forgetTaken({ journal }: Pick<LogFiles, 'journal'>): Promise<void> {
  await changeTaken(journal.folder, () => ({ lines: [], action: '' }));
}
