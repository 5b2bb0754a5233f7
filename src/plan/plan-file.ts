import type { Plan } from './plan.js';
import { goalSchema, planFileSchema } from './schema.js';
import type { LogPosition, PlanFile } from './schema.js';
import { depthFirst } from './tree.js';

const HEADER_KEYS = Object.keys(planFileSchema.shape).filter((key) => key !== 'goals' && key !== 'crc');
const GOAL_KEYS = Object.keys(goalSchema.shape);

/** What JSON allows in a string but a terminal, a JavaScript source or a reader's eye takes for more. */
const UNSAFE_IN_JSON = /[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g;

/**
 * The plan file of a plan. Known fields come in the order of the schema, unknown ones after them as they
 * came, `goals` last and depth-first; so the same plan gives the same bytes and changes give small diffs.
 *
 * @param log how much of the event log the plan reflects, where there is a log
 */
export function toPlanFile(plan: Plan, log?: LogPosition): PlanFile {
  const header = log === undefined ? plan.header : { ...plan.header, log };
  const goals = Array.from(depthFirst(plan), ({ goal }) => [goal.id, inOrder(goal, GOAL_KEYS)] as const);
  return { ...inOrder(header, HEADER_KEYS), goals: Object.fromEntries(goals) };
}

/**
 * The text of a plan file: two spaces, "\n" at the end, every control and bidirectional character as
 * `\uXXXX`. Parsing it gives exactly `file`.
 */
export function stringifyPlanFile(file: PlanFile): string {
  return `${JSON.stringify(file, null, 2).replaceAll(UNSAFE_IN_JSON, escapeUnicode)}\n`;
}

function inOrder<T extends object>(value: T, keys: readonly string[]): T {
  const known = keys.filter((key) => Object.hasOwn(value, key)).map((key) => [key, undefined] as const);
  return { ...Object.fromEntries(known), ...value };
}

function escapeUnicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
