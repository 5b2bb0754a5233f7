import { PlanError } from '../../kernel/errors.js';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a time such as `90s`, `15m`, `2h` or `30d`, in milliseconds.
 * @param option what it was given for, for messages
 * @param most the longest that is taken
 * @throws PlanError USAGE
 */
export function readDuration(text: string, option: string, most: number): number {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(amount) * (UNITS[unit] ?? Number.NaN);
  if (amount !== '' && milliseconds > 0 && milliseconds <= most) return milliseconds;
  throw new PlanError(
    'USAGE',
    `${option} takes a time such as 90s, 15m or 2h, not ${JSON.stringify(text.slice(0, 40))}`,
    {
      hint: `At most ${most / 3_600_000} hours.`,
    },
  );
}
