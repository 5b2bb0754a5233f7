import { PlanError } from '../../../kernel/errors.js';
import { truncate } from '../../../kernel/text/truncate.js';
import { parseDuration } from '../../../operations/shared/duration.js';

/**
 * Reads a time such as `90s`, `15m`, `2h` or `30d`, in milliseconds.
 * @param option what it was given for, for messages
 * @param most the longest that is taken
 * @throws PlanError USAGE
 */
export function readDuration(text: string, option: string, most: number): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== null && milliseconds > 0 && milliseconds <= most) return milliseconds;
  throw new PlanError(
    'USAGE',
    `${option} takes a time such as 90s, 15m or 2h, not ${JSON.stringify(truncate(text, 40))}`,
    {
      hint: [`At most ${most / 3_600_000} hours.`],
    },
  );
}
