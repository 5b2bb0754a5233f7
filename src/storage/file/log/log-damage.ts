import { identify } from '../../../host/files/file-identity.js';
import type { Damage } from '../../plan-store.js';
import { isIntact, isTorn, markOf } from './checked-line.js';
import type { DamagedLine } from './event-line.js';
import { readRawBatches } from './raw-lines.js';
import type { RawLine } from './raw-lines.js';

/** What git puts around the two sides of a conflict, and between them. */
const CONFLICT_MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?: [^\n]{0,1000})?\r?$/;
const MOST_MARKER_BYTES = 1024;

/** Says what is wrong with a line of a log that is no event. */
export function damageOf(line: RawLine, { damage: reason, unknown }: DamagedLine): Damage {
  const { bytes, offset, end } = line;
  const kind =
    unknown !== undefined
      ? 'unknown'
      : isConflictMarker(bytes)
        ? 'conflict_marker'
        : isTorn(bytes)
          ? 'torn'
          : 'damaged';
  return { kind, offset, length: end - offset, mark: markOf(bytes), reason };
}

/** Whether a line is one that git put into a log which it could not merge. */
export function isConflictMarker(line: Buffer): boolean {
  return line.length <= MOST_MARKER_BYTES && CONFLICT_MARKER.test(line.toString('latin1'));
}

/**
 * Every line of a log that is no event, found by looking at each, which is many times faster than applying them.
 * @param depth `checksums`: lines whose checksum does not fit; `events`: also those that this version cannot read
 * @throws PlanError STORAGE_FAILED
 */
export async function findDamage(path: string, depth: 'checksums' | 'events'): Promise<readonly Damage[]> {
  const log = await identify(path);
  if (log === null) return [];
  const found: Damage[] = [];
  for await (const lines of readRawBatches(path, 0, log.size)) {
    for (const line of lines) {
      if (!line.whole || (depth === 'checksums' && isIntact(line.bytes))) continue;
      // The schemas of events take longer to load than a short log to look through.
      const { decodeEvent } = await import('./event-line.js');
      const read = decodeEvent(line.bytes);
      if (!('event' in read)) found.push(damageOf(line, read));
    }
  }
  return found;
}
