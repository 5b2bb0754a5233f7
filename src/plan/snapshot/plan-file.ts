import { rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import { goalSchema, planFileSchema } from '../schema.js';
import type { Goal, LogPosition, PlanFile, PlanHeader } from '../schema.js';
import { printableJson } from '../../kernel/text/safe-text.js';
import { subtree } from '../tree.js';
import { MEMBER_ORDER } from './member-order.js';

/** The members of a plan file in the order of a schema, which is looked into when one is first written. */
export const membersOf = (schema: { readonly shape: object }): readonly string[] =>
  Object.keys(schema.shape).filter((key) => key !== 'goals' && key !== 'crc');
let headerKeys: readonly string[] | null = null;
let goalKeys: readonly string[] | null = null;

/**
 * The plan file of a plan. Known fields come in the order of the schema, unknown ones after them as they
 * came, `goals` last and depth-first; so the same plan gives the same bytes and changes give small diffs.
 *
 * @param log how much of the event log the plan reflects, where there is a log
 */
export function toPlanFile(plan: Plan, log?: LogPosition): PlanFile {
  const goals = subtree(plan, rootOf(plan)).map((goal) => [goal.id, planFileGoal(goal)] as const);
  return { ...planFileHeader(plan, log), goals: Object.fromEntries(goals) };
}

/** The header of a plan as the plan file has it, all but `goals`. */
export function planFileHeader(plan: Plan, log?: LogPosition): PlanHeader {
  return inOrder(
    log === undefined ? plan.header : { ...plan.header, log },
    (headerKeys ??= MEMBER_ORDER.plan ?? membersOf(planFileSchema)),
  );
}

/** A goal as the plan file has it. */
export function planFileGoal(goal: Goal): Goal {
  return inOrder(goal, (goalKeys ??= MEMBER_ORDER.goal ?? membersOf(goalSchema)));
}

/**
 * The text of a plan file: two spaces, "\n" at the end, every control and bidirectional character as
 * `\uXXXX`. Parsing it gives exactly `file`.
 */
export function stringifyPlanFile(file: object): string {
  return `${printableJson(JSON.stringify(file, null, 2))}\n`;
}

function inOrder<T extends object>(value: T, keys: readonly string[]): T {
  if (isInOrder(value, keys)) return value;
  const known: Record<string, undefined> = {};
  for (const key of keys) if (Object.hasOwn(value, key)) known[key] = undefined;
  return { ...known, ...value };
}

/** Whether known fields come first and as they are listed: so most goals are made, and need no copy. */
function isInOrder(value: object, keys: readonly string[]): boolean {
  let position = 0;
  let known = 0;
  for (const key in value) {
    const found = keys.indexOf(key, position);
    if (found === -1) break;
    position = found + 1;
    known += 1;
  }
  return known === Object.keys(value).length;
}
