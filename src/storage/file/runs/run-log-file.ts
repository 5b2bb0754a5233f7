import { applyRun } from '../../../execution/apply-run.js';
import type { RunDamage } from '../../../execution/run-log.js';
import { isLeftInEvent } from '../../../execution/events/attempt-ended.js';
import { outputWithin } from '../../../execution/run-events.js';
import type { RunEvent } from '../../../execution/run-events.js';
import type { RunRefusal } from '../../../execution/run-refusals.js';
import type { Run } from '../../../execution/run.js';
import { identify, isSameFile } from '../../../host/files/file-identity.js';
import type { FileIdentity } from '../../../host/files/file-identity.js';
import { PlanError } from '../../../kernel/errors.js';
import { appendDurably, logRemoved } from '../log/event-log.js';
import type { WrittenLine } from '../../log/line-codec.js';
import { damageOf } from '../../log/line-damage.js';
import { readLinesAs } from '../log/read-lines.js';
import { linePlaces } from './line-places.js';
import type { LinePlace } from './line-places.js';
import { runCodec } from '../../log/run-line.js';

/** What became of events, by their ids: why they were refused, or null. */
type RunVerdicts = ReadonlyMap<string, RunRefusal | null>;

/** How far the log of a run has been read. One call at a time. */
export interface RunLogFile {
  readonly run: Run | null;
  /** How many events were read. */
  readonly lines: number;
  readonly damage: readonly RunDamage[];
  /** Reads what was written since. @throws PlanError STORAGE_FAILED, STORE_DAMAGED */
  readOn(): Promise<RunVerdicts>;
  /** Where the line of an event stands whose output is not held in memory; undefined for others. */
  placeOf(event: string): LinePlace | undefined;
  /** Appends lines durably, and reads up to them. @throws PlanError STORAGE_FAILED: then none is acknowledged */
  write(lines: readonly WrittenLine<RunEvent>[]): Promise<RunVerdicts>;
}

/** The log of a run in a file, of which nothing has been read yet. @param file as the path names it now */
export function createRunLogFile(path: string, opened: FileIdentity): RunLogFile {
  let file = opened;
  let run: Run | null = null;
  let position = 0;
  let lines = 0;
  let damage: readonly RunDamage[] = [];
  const places = linePlaces();

  return {
    get run() {
      return run;
    },
    get lines() {
      return lines;
    },
    get damage() {
      return damage;
    },
    placeOf: (event) => places.get(event),
    readOn,
    async write(given) {
      const verdicts = new Map<string, RunRefusal | null>();
      if (given.length === 0) return verdicts;
      const bytes = Buffer.from(given.map(({ line }) => line).join(''));
      const written = await appendDurably(path, bytes, file);
      if (written === null) throw logRemoved(path);
      if (written.size !== position + bytes.length) return await readUpTo(given);
      // Nobody else has written: these lines are all there is to read, and were read back when they were made.
      for (const { event, line } of given) {
        const end = position + Buffer.byteLength(line);
        take(event, verdicts, { start: position, end });
        position = end;
      }
      file = written;
      return verdicts;
    },
  };

  async function readUpTo(given: readonly WrittenLine<RunEvent>[]): Promise<RunVerdicts> {
    const verdicts = await readOn();
    if (given.some(({ event }) => !verdicts.has(event.id))) throw logRemoved(path);
    return verdicts;
  }

  async function readOn(): Promise<RunVerdicts> {
    const verdicts = new Map<string, RunRefusal | null>();
    const now = await identify(path);
    if (now === null || !isSameFile(now, file)) throw logRemoved(path);
    if (now.size < position) throw cutOff(path, position - now.size);
    if (now.size === position) return verdicts;
    for await (const line of readLinesAs(runCodec.decode, path, position, now.size)) {
      if ('event' in line) take(line.event, verdicts, { start: position, end: line.raw.end });
      else damage = [...damage, { ...damageOf(line.raw, line), place: `byte ${line.raw.offset}` }];
      position = line.raw.end;
    }
    file = now;
    return verdicts;
  }

  function take(event: RunEvent, verdicts: Map<string, RunRefusal | null>, place: LinePlace): void {
    if (isLeftInEvent(outputWithin(event))) places.set(event.id, place);
    const applied = applyRun(run, event);
    run = applied.run;
    lines += 1;
    verdicts.set(event.id, applied.refused);
  }
}

function cutOff(path: string, bytes: number): PlanError {
  return new PlanError('STORE_DAMAGED', `the last ${bytes} bytes of ${path} are gone`, {
    hint: 'What was done is no longer known, so the run is not gone on with.',
    details: { path, missing_bytes: bytes },
  });
}
