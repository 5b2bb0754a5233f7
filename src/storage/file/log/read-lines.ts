import { decodeEvent } from './event-line.js';
import type { EventLine } from './event-line.js';
import { readRawLines } from './raw-lines.js';
import type { RawLine } from './raw-lines.js';

/** A line of the log and where it stands. */
export type LogLine = EventLine & { readonly raw: RawLine };

/**
 * The complete lines from `from` up to `to`, in file order. An unfinished line at the end is left for a
 * later reading, since its writer may still be at it; one that lacks nothing but its newline is complete.
 * Blank lines are passed over.
 * @throws PlanError STORAGE_FAILED
 */
export async function* readLines(path: string, from: number, to: number): AsyncGenerator<LogLine> {
  for await (const { whole, ...raw } of readRawLines(path, from, to)) {
    const line = decodeEvent(raw.bytes);
    if (whole || 'event' in line) yield { ...line, raw };
  }
}
