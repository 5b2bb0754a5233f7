import { NO_USAGE } from '../../../plan/plan.js';
import type { PlanHeader, Settings, Usage } from '../../../plan/schema.js';

/** The longest that a process may have planned since its last word, in seconds: as long as a server may be silent. */
const LONGEST_SILENCE = 120;

/**
 * Returns the seconds that no event tells of, because the process that planned last ended without a word; none where no budget
 * limits time.
 * @param now milliseconds since 1970
 */
export function lostTime({ run, updated_at }: PlanHeader, { budget }: Settings, now: number): Usage {
  if (run === undefined || run.workers === true || budget?.seconds === undefined) return NO_USAGE;
  const since = Math.max(Date.parse(updated_at), Date.parse(run.started_at));
  return { ...NO_USAGE, seconds: Math.min(LONGEST_SILENCE, Math.max(0, (now - since) / 1000)) };
}
