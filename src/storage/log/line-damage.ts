import type { Damage } from '../plan-store.js';
import { isTorn, lineFingerprint } from './checked-line.js';
import type { DamagedLine } from './line-codec.js';

/** What git puts around the two sides of a conflict, and between them. */
const CONFLICT_MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?: [^\n]{0,1000})?\r?$/;
const MOST_MARKER_BYTES = 1024;

/** A damaged line by the position of its first byte; the number that a reader knows it by is counted when there are any. */
export type LocatedDamage = Omit<Damage, 'line'> & { readonly offset: number };

/** Says what is wrong with a line of a log that is no event. */
export function damageOf(
  { bytes, offset }: { readonly bytes: Buffer; readonly offset: number },
  { damage: reason, unknown }: DamagedLine,
): LocatedDamage {
  const kind =
    unknown !== undefined
      ? 'unknown'
      : isConflictMarker(bytes)
        ? 'conflict_marker'
        : isTorn(bytes)
          ? 'torn'
          : 'damaged';
  return { kind, offset, mark: lineFingerprint(bytes), reason };
}

/** Whether the damage of a line is that git put it into a log which it could not merge. */
export function isConflictMarker(line: Buffer): boolean {
  return line.length <= MOST_MARKER_BYTES && CONFLICT_MARKER.test(line.toString('latin1'));
}
