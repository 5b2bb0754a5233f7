import { PlanError } from '../../../kernel/errors.js';
import { logRemoved } from './event-log.js';
import { fileIdentity, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { isImpossible } from '../journal/journal.js';
import type { LogReader } from './log-reader.js';
import { goesOn } from './log-reading.js';
import type { Verdicts } from './log-reading.js';
import { whyGone } from './plan-state.js';
import type { LogReaderOptions, Loss } from './plan-state.js';
import { reconcileLog, warnOfLost } from './reconcile-log.js';
import { replicaWith } from '../../log/stamp-events.js';
import type { AppendContext } from '../../log/stamp-events.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Where the events of a plan may be appended. */
export interface AppendPoint {
  /**
   * Reads a log that may be appended to: all that was acknowledged here is in it, git has done with it, and it has been
   * read to its end. What is appended now is behind all that anybody was told, since the position in the file is the order
   * among lines that were appended to one file; hence the mark of the file in the replica.
   * @throws PlanError PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED
   */
  find(watched: Verdicts): Promise<AppendContext>;
  /** The mark of a log that may be appended to; null for one that may not. */
  markOf(log: FileIdentity): string | null;
}

/** Finds where a plan that is read by a reader may be appended to. */
export function createAppendPoint(options: LogReaderOptions, reader: LogReader): AppendPoint {
  const { planId, paths, journal } = options;
  let withoutJournal = false;

  return { find, markOf };

  async function find(watched: Verdicts): Promise<AppendContext> {
    for (;;) {
      const log = await fileIdentity(paths.eventLog);
      if (log === null) await refuseDeleted(options);
      const mark = log === null ? null : markOf(log);
      if (log === null || mark === null) {
        await reconcile();
        continue;
      }
      if (!isReadToItsEnd(paths.eventLog, reader, log)) await reader.readOn(watched);
      refuseCutOff(options, reader);
      if (reader.reading === null) throw logRemoved(paths.eventLog);
      if (isSameFile(reader.reading.file, log))
        return { replica: replicaWith(await options.replica(), mark), history: reader.reading.history };
    }
  }

  function markOf(log: FileIdentity): string | null {
    const { isReconciled, mark } = journal.look(log);
    return withoutJournal ? (mark ?? journal.makeshiftMark(log)) : isReconciled ? mark : null;
  }

  async function reconcile(): Promise<void> {
    try {
      const store = await options.replica();
      const lost = await reconcileLog({ path: paths.eventLog, planId, journal, store });
      warnOfLost(options, lost);
    } catch (cause) {
      if (!isImpossible(cause)) throw cause;
      withoutJournal = true;
    }
  }
}

/** A log that is not there may come back, as while git replaces it; not that of a plan that was deleted for good. */
async function refuseDeleted(options: LogReaderOptions): Promise<void> {
  const why = await whyGone(options);
  if (why.code === 'PLAN_NOT_FOUND') throw why;
}

/** Whether all of a log was read. A later file can have the number of the one that was read, and its length. */
function isReadToItsEnd(path: string, { reading }: LogReader, log: FileIdentity): boolean {
  return (
    reading !== null &&
    reading.pending.length === 0 &&
    isSameFile(reading.file, log) &&
    reading.position === log.size &&
    goesOn(path, reading, log)
  );
}

/** Refuses to append to a log that has lost what was read or published of it. @throws PlanError STORE_DAMAGED */
export function refuseCutOff({ paths }: LogReaderOptions, { loss }: LogReader): void {
  if (loss !== null) throw lossOf(paths.eventLog, loss);
}

/** The error of a log that has lost what was read or published of it. */
export function lossOf(path: string, { bytes }: Loss): PlanError {
  const message =
    bytes === 0
      ? `the event log ${path} has lost a change that the plan file shows: a line of it is damaged or gone`
      : `the last ${quantityOf(bytes, 'byte')} of the event log ${path} ${bytes === 1 ? 'is' : 'are'} gone`;
  return new PlanError('STORE_DAMAGED', message, {
    hint: {
      commandLine:
        'The plan file still has that state: bring the log back, or run `plan doctor --fix` to go on from the plan file.',
    },
    details: { path, missing_bytes: bytes },
  });
}
