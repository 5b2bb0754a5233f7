import { EXPANDERS, PAUSE_CAUSES, PLAN_STATUSES } from '../../plan/choices.js';
import { PLAN_ID_PATTERN } from '../../plan/ids.js';
import type { KeptSummary } from '../../plan/schema.js';
import { isCount, isObject, isZonedTime, isUsage, isWarning } from '../../plan/snapshot/shape-checks.js';

/** What a summary that is kept holds when this version wrote it; to be raised when it changes. */
export const SUMMARY_KIND = 'summaries 5';

const COUNTS = [
  'total_goals',
  'atomic_goals',
  'complete_goals',
  'pending_goals',
  'failed_goals',
  'max_depth',
  'total_tokens',
];
const STATUSES: ReadonlySet<unknown> = new Set(PLAN_STATUSES);
const EXPANDERS_OR_NONE: ReadonlySet<unknown> = new Set([...EXPANDERS, null]);
const PAUSES_OR_NONE: ReadonlySet<unknown> = new Set([...PAUSE_CAUSES, null]);

/**
 * Whether a value that was kept has the shape of a summary: what shows it finds every member as the schema has it.
 */
export function isSummary(value: unknown): value is KeptSummary {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    PLAN_ID_PATTERN.test(value.id) &&
    typeof value.description === 'string' &&
    STATUSES.has(value.status) &&
    isZonedTime(value.created_at) &&
    isZonedTime(value.updated_at) &&
    COUNTS.every((name) => isCount(value[name])) &&
    isUsage(value.usage) &&
    EXPANDERS_OR_NONE.has(value.expander) &&
    PAUSES_OR_NONE.has(value.paused_because) &&
    Array.isArray(value.warnings) &&
    value.warnings.every(isWarning) &&
    (value.archived_at === undefined || value.archived_at === null || isZonedTime(value.archived_at)) &&
    (value.being_planned === undefined || value.being_planned === true) &&
    (value.claimed_until === undefined || isZonedTime(value.claimed_until))
  );
}
