import { applyRun } from '../../model/apply-run.js';
import { isLeftInEvent } from '../../model/events/attempt-ended.js';
import { outputWithin } from '../../model/run-events.js';
import type { RunEvent } from '../../model/run-events.js';
import type { RunDamage } from '../../model/run-log.js';
import type { RunRefusal } from '../../model/run-refusals.js';
import type { Run } from '../../model/run.js';
import type { PlanError } from '../../../../kernel/errors.js';
import type { JsonValue } from '../../../../kernel/json/json-value.js';
import { damageOf } from '../../../../storage/log/line-damage.js';
import type { WrittenLine } from '../../../../storage/log/line-codec.js';
import { createLineSpans } from '../../../../storage/log/line-spans.js';
import type { LogLine } from '../../../../storage/log/raw-line.js';

/** Where the lines of one run are kept, in the order in which they count. Positions are bytes of a file, or numbers of events. */
export interface RunLines {
  /**
   * The lines in their order.
   * @param from the position after the last line that was read
   * @param upTo the position after the last that is wanted; without it all are
   * @throws PlanError STORAGE_FAILED, E_PLAN_NOT_FOUND, STORE_DAMAGED where what was read is not there any more
   */
  read(from: number, upTo?: number): AsyncIterable<LogLine<RunEvent>>;
  /**
   * Appends lines durably, all or none, one behind the other.
   * @param run what was read so far
   * @returns the position after them
   * @throws PlanError STORAGE_FAILED, E_PLAN_NOT_FOUND: then none is acknowledged
   */
  append(lines: readonly WrittenLine<RunEvent>[], run: Run | null): Promise<number>;
  /** How far a line reaches. */
  lengthOf(line: WrittenLine<RunEvent>): number;
  /** What is thrown where lines that were appended are not there. */
  gone(): PlanError;
  /** What a position counts, for messages. */
  readonly unit: 'byte' | 'event';
}

/** What became of events, by their ids: why they were refused, or null. */
export type RunVerdicts = ReadonlyMap<string, RunRefusal | null>;

/** How far the log of a run has been read. One call at a time, but for `outputOf`. */
export interface RunReading {
  readonly run: Run | null;
  /** How many events were read. */
  readonly events: number;
  readonly damage: readonly RunDamage[];
  readOn(): Promise<RunVerdicts>;
  /** Appends lines and reads up to them. */
  write(given: readonly WrittenLine<RunEvent>[]): Promise<RunVerdicts>;
  outputOf(event: string): Promise<JsonValue | undefined>;
}

/** A reading of lines of which none has been read yet. */
export function readingOf(lines: RunLines): RunReading {
  let run: Run | null = null;
  let position = 0;
  let events = 0;
  const damage: RunDamage[] = [];
  const spans = createLineSpans();

  return {
    get run() {
      return run;
    },
    get events() {
      return events;
    },
    get damage() {
      return damage;
    },
    readOn,
    async write(given) {
      const verdicts = new Map<string, RunRefusal | null>();
      if (given.length === 0) return verdicts;
      const end = await lines.append(given, run);
      const length = given.reduce((sum, line) => sum + lines.lengthOf(line), 0);
      if (end !== position + length) return readUpTo(given, end);
      // Nobody else has written: these lines are all there is to read, and were read back when they were made.
      for (const line of given) take(line.event, position + lines.lengthOf(line), verdicts);
      return verdicts;
    },
    async outputOf(event) {
      const span = spans.get(event);
      if (span === undefined) return undefined;
      for await (const line of lines.read(span.start, span.end))
        if ('event' in line && line.event.id === event) return outputWithin(line.event);
      return undefined;
    },
  };

  async function readUpTo(given: readonly WrittenLine<RunEvent>[], end: number): Promise<RunVerdicts> {
    const verdicts = await readOn(end);
    if (given.some(({ event }) => !verdicts.has(event.id))) throw lines.gone();
    return verdicts;
  }

  async function readOn(upTo?: number): Promise<RunVerdicts> {
    const verdicts = new Map<string, RunRefusal | null>();
    for await (const line of lines.read(position, upTo)) {
      const { offset, end } = line.raw;
      if ('event' in line) {
        take(line.event, end, verdicts);
        continue;
      }
      damage.push({ ...damageOf(line.raw, line), place: `${lines.unit} ${offset}` });
      position = end;
    }
    return verdicts;
  }

  /** Applies the event whose line ends at a position. */
  function take(event: RunEvent, end: number, verdicts: Map<string, RunRefusal | null>): void {
    if (isLeftInEvent(outputWithin(event))) spans.set(event.id, { start: position, end });
    const applied = applyRun(run, event);
    run = applied.run;
    events += 1;
    position = end;
    verdicts.set(event.id, applied.refused);
  }
}
