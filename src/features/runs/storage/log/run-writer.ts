import { applyRun } from '../../model/apply-run.js';
import type { RunEvent, RunPayload, RunPayloadOf } from '../../model/run-events.js';
import type { RunAppend, RunLog } from '../../model/run-log.js';
import type { EventStamp } from '../../../../plan/events/stamp.js';
import type { Stamp } from '../../../../storage/plan-store.js';
import type { createTurns } from '../../../../storage/turns.js';
import type { WrittenLine } from '../../../../storage/log/line-codec.js';
import { runCodec } from './run-line.js';
import type { RunVerdicts } from './run-reading.js';

interface Writing {
  /** Writes lines and tells what became of their events, by their ids. */
  readonly write: (lines: readonly WrittenLine<RunEvent>[]) => Promise<RunVerdicts>;
  /** What an event is stamped with. @param ahead how many are written before it at once */
  readonly stamp: (ahead: number) => EventStamp;
}

/** What one call of `append` wants written. */
interface WaitingAppend {
  readonly payloads: readonly RunPayload[];
  readonly resolve: (outcomes: readonly RunAppend[]) => void;
  readonly reject: (cause: unknown) => void;
}

/** What one call of `append` has written, with its stamps. */
interface Stamped extends Pick<WaitingAppend, 'resolve'> {
  readonly lines: readonly WrittenLine<RunEvent>[];
}

/** Appends events; calls that come while a write is under way are written together. */
export function batchingWriter(
  inTurn: ReturnType<typeof createTurns>,
  { write, stamp }: Writing,
): RunLog['append'] {
  const queue: WaitingAppend[] = [];
  return (payloads) =>
    new Promise((resolve, reject) => {
      queue.push({ payloads, resolve, reject });
      if (queue.length === 1) void inTurn(writeQueued);
    });

  async function writeQueued(): Promise<void> {
    const batch = queue.splice(0);
    try {
      const stamped: Stamped[] = [];
      let ahead = 0;
      for (const waiting of batch) {
        const lines = linesOf(waiting, ahead);
        if (lines === null) continue;
        stamped.push({ lines, resolve: waiting.resolve });
        ahead += lines.length;
      }
      const verdicts = await write(stamped.flatMap(({ lines }) => lines));
      for (const { lines, resolve } of stamped)
        resolve(lines.map(({ event }) => ({ event, refused: verdicts.get(event.id) ?? null })));
    } catch (cause) {
      for (const { reject } of batch) reject(cause);
    }
  }

  /** Who wants something written that nobody could read is told so, and holds up no other. */
  function linesOf({ payloads, reject }: WaitingAppend, ahead: number): Stamped['lines'] | null {
    try {
      return payloads.map((payload, index) => runLine(payload, stamp(ahead + index)));
    } catch (cause) {
      reject(cause);
      return null;
    }
  }
}

/** The line that the log of a run begins with. @param replica the copy of the store that writes it */
export function firstRunLine(
  prepared: RunPayloadOf<'run_prepared'>,
  stamp: Stamp,
  replica: string,
): WrittenLine<RunEvent> {
  const line = runLine(prepared, { ...stamp(), replica, clock: 1 });
  const { refused } = applyRun(null, line.event);
  if (refused !== null) throw new TypeError(`the first event was refused: ${refused.code}`);
  return line;
}

/** Events of runs do not name their command. */
function runLine(payload: RunPayload, { change: _command, ...who }: EventStamp): WrittenLine<RunEvent> {
  return runCodec.encodeReadably({ ...who, ...payload });
}
