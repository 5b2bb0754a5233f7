import { PLAN_ID_PATTERN } from '../../plan/ids.js';
import type { Summary } from '../../plan/schema.js';

type Members = Readonly<Record<string, unknown>>;

const COUNTS = [
  'total_goals',
  'atomic_goals',
  'complete_goals',
  'pending_goals',
  'failed_goals',
  'max_depth',
  'total_tokens',
];
const STATUSES: ReadonlySet<unknown> = new Set(['in_progress', 'complete', 'paused', 'failed']);
const EXPANDERS: ReadonlySet<unknown> = new Set(['model', 'rules', 'replay', 'agent', null]);
const PAUSES: ReadonlySet<unknown> = new Set(['user', 'budget', 'model', 'agent', null]);

/**
 * Whether a value that was kept has the shape of a summary: what shows it finds every member as the schema has it.
 */
export function isSummary(value: unknown): value is Summary {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    PLAN_ID_PATTERN.test(value.id) &&
    typeof value.description === 'string' &&
    STATUSES.has(value.status) &&
    isTime(value.created_at) &&
    isTime(value.updated_at) &&
    COUNTS.every((name) => isCount(value[name])) &&
    isUsage(value.usage) &&
    EXPANDERS.has(value.expander) &&
    PAUSES.has(value.paused_because) &&
    Array.isArray(value.warnings) &&
    value.warnings.every(isWarning) &&
    (value.archived_at === undefined || value.archived_at === null || isTime(value.archived_at))
  );
}

function isUsage(value: unknown): boolean {
  return (
    isObject(value) &&
    ['calls', 'input_tokens', 'output_tokens'].every((name) => isCount(value[name])) &&
    (value.cost_usd === null || typeof value.cost_usd === 'number') &&
    (value.seconds === undefined || typeof value.seconds === 'number')
  );
}

function isWarning(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value.code === 'string' &&
    typeof value.message === 'string' &&
    (value.goal_id === null || typeof value.goal_id === 'string')
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Whether a value is an object of JSON. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
