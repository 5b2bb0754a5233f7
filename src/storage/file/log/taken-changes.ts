import { identify } from '../../../host/files/file-identity.js';
import type { PlanLog } from '../../plan-store.js';
import type { LogWriter } from './log-writer.js';
import { linesLost } from './lost-lines.js';
import type { LogReaderOptions } from './plan-state.js';
import { eventsOf } from './settle-log.js';
import { stampAgain } from './stamp-events.js';
import { readTaken, writeTaken } from './taken-lines.js';

type Place = Pick<LogReaderOptions, 'paths' | 'journal'>;

/** What git took out of a log when it was told to, and is not back yet. @throws PlanError STORAGE_FAILED */
export async function takenChanges({ paths, journal }: Place): ReturnType<PlanLog['taken']> {
  const { action } = await readTaken(journal.taken);
  const log = action === '' ? null : await identify(paths.eventLog);
  const lines = log === null ? [] : await linesLost(paths.eventLog, log.size, [journal.taken]);
  return { events: eventsOf(lines).map(({ event }) => event), action, file: journal.taken };
}

/** Writes again what git took, and what is pending. @throws PlanError STORAGE_FAILED */
export async function bringBack({ journal }: Place, writer: LogWriter): Promise<void> {
  const { lines } = await readTaken(journal.taken);
  await writer.append(({ replica, history }) => stampAgain(eventsOf(lines), replica, history), new Map());
  await forgetTaken({ journal });
}

/** Lets go of what git took. @throws PlanError STORAGE_FAILED */
export async function forgetTaken({ journal }: Pick<Place, 'journal'>): Promise<void> {
  await writeTaken(journal.taken, { lines: [], action: '' });
}
