import { PlanError } from '../../kernel/errors.js';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
const DEFAULT = '30m';
const LONGEST_SECONDS = 30 * 86_400;

/**
 * When a claim that begins now ends.
 * @param now milliseconds since 1970
 * @param length how long it holds: a whole number with its unit, `30s`, `30m`, `2h`, `1d`; from a second to 30 days, 30 minutes when it is left out
 * @throws PlanError INVALID_INPUT
 */
export function endOfLease(now: number, length: string = DEFAULT): string {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(length.trim()) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) {
    throw new PlanError('INVALID_INPUT', `${JSON.stringify(length.slice(0, 40))} is no length of time`, {
      hint: 'Give a whole number with its unit: 30s, 30m, 2h or 1d.',
    });
  }
  if (seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new PlanError('INVALID_INPUT', `a claim cannot hold for ${length.trim()}`, {
      hint: 'It holds from one second (1s) to thirty days (30d); `plan renew` makes it longer.',
    });
  }
  return new Date(now + seconds * 1000).toISOString();
}
