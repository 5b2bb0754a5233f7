import { fileIdentity } from '../../../host/files/file-identity.js';
import type { Damage } from '../../plan-store.js';
import { isIntact } from '../../log/checked-line.js';
import { damageOf } from '../../log/line-damage.js';
import type { LocatedDamage } from '../../log/line-damage.js';
import { lineNumbersAt, readRawBatches } from './raw-lines.js';

/** Of a smaller log every line is looked at faster than anything could be remembered of it. */
const LEAST_REMEMBERED_BYTES = 4 * 1024 * 1024;

/** Where it is remembered what was checked of a log. */
export interface RememberedChecks {
  /** The path of the record. */
  readonly record: string;
  /** Now, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Numbers damaged lines as they stand in the log, in the order of the file. Most logs have none, so lines are counted only then.
 * @throws PlanError STORAGE_FAILED
 */
export async function numberDamage(
  path: string,
  found: readonly LocatedDamage[],
): Promise<readonly Damage[]> {
  if (found.length === 0) return [];
  const numbers = await lineNumbersAt(
    path,
    found.map(({ offset }) => offset),
  );
  return found.map(({ kind, mark, reason }, index) => ({ kind, line: numbers[index] ?? 0, mark, reason }));
}

/**
 * Every line of a log that is no event, found by looking at each, which is many times faster than applying them.
 * @param depth `checksums`: lines whose checksum does not fit; `events`: also those that this version cannot read
 * @param remembered for `checksums`: what was checked before, and is as it was then, is not looked at line by line
 * @throws PlanError STORAGE_FAILED
 */
export async function findDamage(
  path: string,
  depth: 'checksums' | 'events',
  remembered?: RememberedChecks,
): Promise<readonly Damage[]> {
  const log = await fileIdentity(path);
  if (log === null) return [];
  if (depth === 'events' || remembered === undefined || log.size < LEAST_REMEMBERED_BYTES)
    return (await damageIn(path, { from: 0, to: log.size, depth })).damage;
  const { openCheckedParts } = await import('./checked-part.js');
  const parts = await openCheckedParts(path, remembered.record, remembered.now);
  const known = await parts.known();
  const rest = await damageIn(path, { from: known.bytes, to: log.size, depth });
  const damage = [...known.damage, ...rest.damage];
  await parts.note(rest.end, damage);
  return damage;
}

/** `end` is where the last whole line ends. */
async function damageIn(
  path: string,
  { from, to, depth }: { readonly from: number; readonly to: number; readonly depth: 'checksums' | 'events' },
): Promise<{ readonly damage: readonly Damage[]; readonly end: number }> {
  const found: LocatedDamage[] = [];
  let end = from;
  for await (const lines of readRawBatches(path, from, to, 'passing')) {
    for (const line of lines) {
      if (!line.whole) continue;
      ({ end } = line);
      if (depth === 'checksums' && isIntact(line.bytes)) continue;
      // The schemas of events take longer to load than a short log to look through.
      const { decodeEvent } = await import('../../log/event-line.js');
      const read = decodeEvent(line.bytes);
      if (!('event' in read)) found.push(damageOf(line, read));
    }
  }
  return { damage: await numberDamage(path, found), end };
}
