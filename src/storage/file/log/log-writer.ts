import { setTimeout as wait } from 'node:timers/promises';

import { monotonicNow } from '../../../host/monotonic-clock.js';
import { PlanError } from '../../../kernel/errors.js';
import type { PlanEvent } from '../../../plan/events.js';
import type { Outcome, Stamp } from '../../plan-store.js';
import type { ReadableLine } from '../../log/event-line.js';
import { appendDurably, logRemoved } from './event-log.js';
import { fileIdentity, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { afterWriting } from '../../../host/files/storage-error.js';
import { adoptPlanFile } from './adopt-plan-file.js';
import type { LogReader } from './log-reader.js';
import type { LogReaderOptions } from './plan-state.js';
import type { EventVerdict } from '../../log/event-verdict.js';
import type { Verdicts } from './log-reading.js';
import { stampAgain, stampBatch } from '../../log/stamp-events.js';
import type { Stamped, Waiting, AppendContext } from '../../log/stamp-events.js';
import { createAppendPoint, refuseCutOff } from './append-point.js';

/** How often a log that was replaced under a writer (by a git checkout, say) is written to again. */
const MAX_REWRITES = 5;
/** For so long at least it is tried: while git merges again and again, every process sees to the log after each merge. */
const LEAST_REWRITING_MS = 10_000;
/** Each try waits so much longer than the one before, up to ten times as long. */
const STEP_MS = 5;
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
   * @param onWritten called once they are in the log, before the disk has them
   */
  append(
    make: (point: AppendContext) => readonly ReadableLine[],
    verdicts: Verdicts,
    onWritten?: () => void,
  ): Promise<void>;
}

/** How far an append is. */
interface Progress {
  /** Whether the log has the lines, whatever goes wrong afterwards. */
  isWritten: boolean;
  readonly begun: number;
  readonly onWritten: (() => void) | undefined;
}

/** Makes the writer of a plan that is read by a reader. */
export function createLogWriter(options: LogWriterOptions, reader: LogReader): LogWriter {
  const { paths } = options;
  const point = createAppendPoint(options, reader);

  return { write, append };

  async function write(batch: readonly Waiting[]): Promise<void> {
    if (batch.every(({ payloads }) => payloads.length === 0)) return tellNothing(batch);
    await prepareToWrite(options, reader);
    let stamped: readonly Stamped[] = [];
    const verdicts: Verdicts = new Map();
    const noteWritten = () => batch.forEach(({ onWritten }) => onWritten?.());
    await append(
      ({ replica, history }) =>
        (stamped = stampBatch(batch, options.stamp, replica, history)).flatMap(({ lines }) => lines),
      verdicts,
      noteWritten,
    );
    tellOutcomes(stamped, reader, verdicts);
  }

  async function append(
    make: (point: AppendContext) => readonly ReadableLine[],
    verdicts: Verdicts,
    onWritten?: () => void,
  ): Promise<void> {
    const lines = make(await point.find(verdicts));
    for (const { event } of lines) verdicts.set(event.id, null);
    const progress = { isWritten: false, begun: monotonicNow(), onWritten };
    try {
      await appendUntilKept(lines, verdicts, progress);
    } catch (cause) {
      throw progress.isWritten ? afterWriting(cause) : cause;
    }
  }

  async function appendUntilKept(
    lines: readonly ReadableLine[],
    verdicts: Verdicts,
    progress: Progress,
  ): Promise<void> {
    let left = lines;
    for (let attempt = 0; !(await appendOnce(left, verdicts, progress)); attempt += 1) {
      await beforeRewriting(paths.eventLog, attempt, progress.begun);
      // What was written is in a file that git has put another in place of, if it was written at all. So it was
      // lost like others’ events there, and others may have brought it back with these.
      const { replica, history } = await point.find(verdicts);
      left = stampAgain(left, replica, history);
    }
  }

  /**
   * Appends, and reads up to what was appended.
   * @returns false when the log was replaced before or after: then it is not known to have the events
   */
  async function appendOnce(
    lines: readonly ReadableLine[],
    watched: Verdicts,
    progress: Progress,
  ): Promise<boolean> {
    if (lines.length === 0) return true;
    if (reader.reading === null) throw logRemoved(paths.eventLog);
    const bytes = Buffer.from(lines.map(({ line }) => line).join(''));
    const written = await appendDurably(paths.eventLog, bytes, reader.reading.file, {
      onWritten: progress.onWritten,
    });
    progress.isWritten ||= written !== null;
    const named = written === null ? null : await fileIdentity(paths.eventLog);
    if (written === null || named === null || !isSameFile(written, named) || point.markOf(named) === null)
      return false;
    options.noteSynced(written);
    const events = lines.map(({ event }) => event);
    if (reader.takeOwn(events, bytes.length, named, watched)) return true;
    await reader.readOn(watched);
    refuseCutOff(options, reader);
    return isSameFile(reader.reading.file, written);
  }
}

/** Refuses to follow a log that has lost something, and begins one where there is none. @throws PlanError STORE_DAMAGED, STORAGE_FAILED */
async function prepareToWrite(options: LogWriterOptions, reader: LogReader): Promise<void> {
  const log = await fileIdentity(options.paths.eventLog);
  if (log !== null) reader.noticeCutOff(log);
  // Somebody may have seen to it since.
  if (reader.loss !== null) await reader.readOn(new Map());
  refuseCutOff(options, reader);
  if (reader.reading === null) await adoptPlanFile(options, reader);
}

/** Waits a little longer before each try. @throws PlanError STORAGE_FAILED when it was tried long enough */
async function beforeRewriting(path: string, attempt: number, begun: number): Promise<void> {
  if (attempt >= MAX_REWRITES && monotonicNow() - begun > LEAST_REWRITING_MS) throw replacedAgain(path);
  if (attempt > 0) await wait(STEP_MS * Math.min(attempt, 10));
}

/** Tells calls that nothing was to be written. */
function tellNothing(batch: readonly Waiting[]): void {
  for (const { resolve } of batch) resolve([]);
}

/** Tells each call what came of its events. */
function tellOutcomes(stamped: readonly Stamped[], reader: LogReader, verdicts: Verdicts): void {
  for (const { lines, resolve } of stamped)
    resolve(lines.map(({ event }) => outcomeOf(reader, event, verdicts.get(event.id) ?? NOT_FOUND)));
}

function outcomeOf({ plan }: LogReader, event: PlanEvent, { refused, before, after }: EventVerdict): Outcome {
  return { event, refused, before: before ?? plan, after: after ?? plan };
}

function replacedAgain(path: string): PlanError {
  return new PlanError('STORAGE_FAILED', `the event log ${path} is being replaced again and again`, {
    details: { path },
  });
}
