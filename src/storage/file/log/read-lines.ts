import type { PlanEvent } from '../../../plan/events.js';
import { decodeEvent } from '../../log/event-line.js';
import type { LineCodec } from '../../log/line-codec.js';
import { readRawLines } from './raw-lines.js';
import type { LogLine } from '../../log/raw-line.js';

/**
 * The complete lines of the log of a plan from `from` up to `to`, in file order.
 * @throws PlanError STORAGE_FAILED
 */
export function readLines(path: string, from: number, to: number): AsyncGenerator<LogLine<PlanEvent>> {
  return readLinesAs(decodeEvent, path, from, to);
}

/**
 * The complete lines from `from` up to `to`, in file order, as a codec reads them. An unfinished line at the end is left
 * for a later reading, since its writer may still be at it; one that lacks nothing but its newline is complete.
 * Blank lines are passed over.
 * @throws PlanError STORAGE_FAILED
 */
export async function* readLinesAs<Event>(
  decode: LineCodec<Event>['decode'],
  path: string,
  from: number,
  to: number,
): AsyncGenerator<LogLine<Event>> {
  for await (const { whole, ...raw } of readRawLines(path, from, to)) {
    const line = decode(raw.bytes);
    if (whole || 'event' in line) yield { ...line, raw };
  }
}
