import { PlanError } from '../../../kernel/errors.js';
import type { PlanEvent } from '../../../plan/events.js';
import { toPlanFile } from '../../../plan/snapshot/plan-file.js';
import type { Outcome, Stamp } from '../../plan-store.js';
import { encodeReadably, twiceMade } from './event-line.js';
import type { ReadableLine } from './event-line.js';
import { appendDurably, createLog, logRemoved } from './event-log.js';
import { identify, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { afterWriting } from '../../../host/files/storage-error.js';
import { isImpossible } from '../journal/journal.js';
import type { LogReader, LogReaderOptions } from './log-reader.js';
import type { EventVerdict, Verdicts } from './log-reading.js';
import { beginJournal, settleLog, warnOfLost } from './settle-log.js';
import { replicaWith, stampAgain, stampBatch } from './stamp-events.js';
import type { Stamped, Waiting, WritingPlace } from './stamp-events.js';

/** How often a log that was replaced under a writer (by a git checkout, say) is written to again. */
const MAX_REWRITES = 5;
const NOT_FOUND: EventVerdict = {
  refused: { code: 'not_in_log' },
  before: null,
  after: null,
};

export interface LogWriterOptions extends LogReaderOptions {
  readonly stamp: Stamp;
  /** Is told that the disk has so much of a log. */
  readonly noteSynced: (log: FileIdentity) => void;
}

/** Appends to the log of one plan. */
export interface LogWriter {
  /** Writes what several calls want written, and tells each what came of it. @throws PlanError STORAGE_FAILED, STORE_DAMAGED */
  write(batch: readonly Waiting[]): Promise<void>;
  /**
   * Appends lines, and again when the log was replaced meanwhile.
   * @param make makes the lines, to follow what was read
   * @param verdicts learns what became of them
   */
  append(make: (place: WritingPlace) => readonly ReadableLine[], verdicts: Verdicts): Promise<void>;
}

/** Makes the writer of a plan that is read by a reader. */
export function createLogWriter(options: LogWriterOptions, reader: LogReader): LogWriter {
  const { paths, journal } = options;
  let withoutJournal = false;

  return { write, append };

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (batch.every(({ payloads }) => payloads.length === 0)) {
      for (const { resolve } of batch) resolve([]);
      return;
    }
    const log = await identify(paths.eventLog);
    if (log !== null) reader.noticeCutOff(log);
    refuseCutOff();
    if (reader.reading === null) await adoptPlanFile(await options.replica());
    let stamped: readonly Stamped[] = [];
    const verdicts: Verdicts = new Map();
    await append(({ replica, history }) => {
      stamped = stampBatch(batch, options.stamp, replica, history);
      return stamped.flatMap(({ lines }) => lines);
    }, verdicts);
    for (const { lines, resolve } of stamped)
      resolve(lines.map(({ event }) => outcomeOf(event, verdicts.get(event.id) ?? NOT_FOUND)));
  }

  async function append(
    make: (place: WritingPlace) => readonly ReadableLine[],
    verdicts: Verdicts,
  ): Promise<void> {
    const lines = make(await settled(verdicts));
    for (const { event } of lines) verdicts.set(event.id, null);
    const progress = { isWritten: false };
    try {
      await appendUntilKept(lines, verdicts, progress);
    } catch (cause) {
      throw progress.isWritten ? afterWriting(cause) : cause;
    }
  }

  /** @param progress learns that the disk has the lines, whatever goes wrong afterwards */
  async function appendUntilKept(
    lines: readonly ReadableLine[],
    verdicts: Verdicts,
    progress: { isWritten: boolean },
  ): Promise<void> {
    let left = lines;
    for (let attempt = 0; !(await appendOnce(left, verdicts, progress)); attempt += 1) {
      if (attempt >= MAX_REWRITES) throw replacedAgain(paths.eventLog);
      // What was written is in a file that git has put another in the place of, if it was written at all. So it was
      // lost like others’ events there, and others may have brought it back with these.
      const { replica, history } = await settled(verdicts);
      left = stampAgain(left, replica, history);
    }
  }

  function refuseCutOff(): void {
    if (reader.missing > 0) throw endMissing(paths.eventLog, reader.missing);
  }

  function outcomeOf(event: PlanEvent, { refused, before, after }: EventVerdict): Outcome {
    return { event, refused, before: before ?? reader.plan, after: after ?? reader.plan };
  }

  /**
   * Reads a log that may be appended to: all that was acknowledged here is in it, git has done with it, and it has been
   * read to its end. What is appended now stands behind all that anybody was told, since place in the file is the order
   * among lines that were appended to one file; hence the mark of the file in the replica.
   */
  async function settled(watched: Verdicts): Promise<WritingPlace> {
    for (;;) {
      const log = await identify(paths.eventLog);
      const mark = log === null ? null : markOfSettled(log);
      if (log === null || mark === null) {
        await settle();
        continue;
      }
      if (
        reader.reading === null ||
        reader.reading.pending.length > 0 ||
        !isSameFile(reader.reading.file, log) ||
        reader.reading.position !== log.size
      )
        await reader.readOn(watched);
      refuseCutOff();
      if (reader.reading === null) throw logRemoved(paths.eventLog);
      if (isSameFile(reader.reading.file, log))
        return { replica: replicaWith(await options.replica(), mark), history: reader.reading.history };
    }
  }

  function markOfSettled(log: FileIdentity): string | null {
    const { settled: isSettled, mark } = journal.look(log);
    return withoutJournal ? (mark ?? journal.makeshiftMark(log)) : isSettled ? mark : null;
  }

  async function settle(): Promise<void> {
    try {
      const store = await options.replica();
      const lost = await settleLog({ path: paths.eventLog, journal, store });
      warnOfLost(options, lost);
    } catch (cause) {
      if (!isImpossible(cause)) throw cause;
      withoutJournal = true;
    }
  }

  /**
   * Appends, and reads up to what was appended.
   * @returns false when the log was replaced before or after: then it is not known to have the events
   */
  async function appendOnce(
    lines: readonly ReadableLine[],
    watched: Verdicts,
    progress: { isWritten: boolean },
  ): Promise<boolean> {
    if (lines.length === 0) return true;
    if (reader.reading === null) throw logRemoved(paths.eventLog);
    const bytes = Buffer.from(lines.map(({ line }) => line).join(''));
    const written = await appendDurably(paths.eventLog, bytes, reader.reading.file);
    progress.isWritten ||= written !== null;
    const named = written === null ? null : await identify(paths.eventLog);
    if (written === null || named === null || !isSameFile(written, named) || markOfSettled(named) === null)
      return false;
    options.noteSynced(written);
    const events = lines.map(({ event }) => event);
    if (reader.takeOwn(events, bytes.length, named, watched)) return true;
    await reader.readOn(watched);
    refuseCutOff();
    return isSameFile(reader.reading.file, written);
  }

  /** A plan file that came without its log becomes the first event of a new one; one whose log is gone does not. */
  async function adoptPlanFile(replica: string): Promise<void> {
    if (journal.hasAny()) throw logRemoved(paths.eventLog);
    for (let attempt = 0; attempt < MAX_REWRITES && reader.reading === null; attempt += 1) {
      // It was edited, or deleted, after it had been read.
      if (attempt > 0) await reader.reloadAlone();
      const first: PlanEvent = {
        ...options.stamp(),
        replica,
        clock: 1,
        type: 'plan_imported',
        plan: toPlanFile(reader.plan),
      };
      const content = twiceMade([encodeReadably(first).line]).join('');
      if (await createLog(paths.eventLog, content, reader.alone?.isChanged))
        await beginJournal(journal, paths.eventLog);
      await reader.readOn(new Map());
    }
  }
}

function replacedAgain(path: string): PlanError {
  return new PlanError('STORAGE_FAILED', `the event log ${path} is being replaced again and again`, {
    details: { path },
  });
}

function endMissing(path: string, bytes: number): PlanError {
  return new PlanError('STORE_DAMAGED', `the last ${bytes} bytes of the event log ${path} are gone`, {
    hint: 'The plan file still has that state: bring the log back, or run `plan doctor --fix` to go on from the plan file.',
    details: { path, missing_bytes: bytes },
  });
}
