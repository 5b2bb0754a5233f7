import { GOAL_ID_PATTERN } from '../ids.js';

/** Checks of what this program wrote, by hand, for zod takes longer to load than a short command takes altogether. */

// As zod has it.
const TIME =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The members of an object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value has the shape of an object of JSON. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a member is not there, or has a shape. */
export function isMissingOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

/** Whether a value has the shape of a count: a whole number of at least 0. */
export function isCount(value: unknown): boolean {
  return isBetween(value, 0, Number.MAX_SAFE_INTEGER);
}

/** Checks that a value is a whole number within two limits, both included. */
export function isBetween(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
}

/** Whether a value has the shape of an amount: a number of at least 0. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** Whether a value has the shape of a moment with its zone. */
export function isZonedTime(value: unknown): boolean {
  return typeof value === 'string' && TIME.test(value);
}

/** Whether a value has the shape of what a model or an agent has used. */
export function isUsage(value: unknown): boolean {
  return (
    isObject(value) &&
    isCount(value.calls) &&
    isCount(value.input_tokens) &&
    isCount(value.output_tokens) &&
    (value.cost_usd === null || isAmount(value.cost_usd)) &&
    isMissingOr(value.seconds, isAmount) &&
    isMissingOr(value.estimated_calls, isCount) &&
    isMissingOr(value.begun, areStrings)
  );
}

/** Whether a value has the shape of a warning of a plan. */
export function isWarning(value: unknown): boolean {
  if (!isObject(value) || typeof value.code !== 'string' || typeof value.message !== 'string') return false;
  const { goal_id } = value;
  return goal_id === null || (typeof goal_id === 'string' && GOAL_ID_PATTERN.test(goal_id));
}

// With an index, since an iterator for each of so many short lists would cost as much as all the rest.
export function areStrings(value: unknown): value is string[] {
  if (!Array.isArray(value)) return false;
  for (let index = 0; index < value.length; index += 1) if (typeof value[index] !== 'string') return false;
  return true;
}
