import { fileIdentity } from '../../host/files/file-identity.js';
import type { PlanEvent } from '../../plan/events.js';
import type { RecentEvents } from '../plan-store.js';
import { decodeEvent } from '../log/event-line.js';
import { readRawLines } from './log/raw-lines.js';
import type { RawLine } from '../log/raw-line.js';

const FIRST_LOOK = 64 * 1024;
/** So much of a log is read at once, however few lines there are in it. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The last events of a log in the order of the file, read from its end, so that a log of any length costs the same.
 * @throws PlanError STORAGE_FAILED
 */
export async function readEndOfLog(
  path: string,
  { count, before }: { readonly count: number; readonly before?: number | undefined },
): Promise<RecentEvents> {
  const log = await fileIdentity(path);
  const end = Math.min(before ?? Number.POSITIVE_INFINITY, log?.size ?? 0);
  for (let length = FIRST_LOOK; ; length *= 4) {
    const start = Math.max(0, end - Math.min(length, MOST_BYTES));
    const lines = await linesBetween(path, start, end);
    if (lines.length < count && start > 0 && length < MOST_BYTES) continue;
    const kept = lines.slice(-count);
    const isAll = start === 0 && kept.length === lines.length;
    return {
      events: kept.flatMap(({ bytes }) => eventOf(bytes)),
      before: isAll ? null : (kept[0]?.offset ?? start),
    };
  }
}

/** What begins before `start` is left out. */
async function linesBetween(path: string, start: number, end: number): Promise<readonly RawLine[]> {
  const lines: RawLine[] = [];
  for await (const line of readRawLines(path, start, end))
    if (line.whole && (start === 0 || line.offset > start)) lines.push(line);
  return lines;
}

function eventOf(bytes: Buffer): readonly PlanEvent[] {
  const line = decodeEvent(bytes);
  return 'event' in line ? [line.event] : [];
}
