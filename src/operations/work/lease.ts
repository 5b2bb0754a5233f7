import { PlanError } from '../../kernel/errors.js';
import { truncate } from '../../kernel/text/truncate.js';
import { parseDuration } from '../shared/duration.js';

const DEFAULT = '30m';
const SHORTEST_MS = 1000;
const LONGEST_MS = 30 * 86_400_000;

/**
 * When a claim that begins now ends.
 * @param now milliseconds since 1970
 * @param length how long it holds: a whole number with its unit, `30s`, `30m`, `2h`, `1d`; from a second to 30 days, 30 minutes when it is left out
 * @throws PlanError INVALID_INPUT
 */
export function endOfLease(now: number, length: string = DEFAULT): string {
  const milliseconds = parseDuration(length);
  if (milliseconds === null) {
    throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(length, 40))} is not a duration`, {
      hint: ['Give a whole number with its unit: 30s, 30m, 2h or 1d.'],
    });
  }
  if (milliseconds < SHORTEST_MS || milliseconds > LONGEST_MS) {
    throw new PlanError('INVALID_INPUT', `a claim cannot last ${length.trim()}`, {
      hint: {
        commandLine: 'A claim lasts from 1s to 30d; `plan renew` extends it.',
      },
    });
  }
  return new Date(now + milliseconds).toISOString();
}
