import { accountForJson } from '../../kernel/json/account-for-json.js';
import { lineOfValue } from '../../kernel/json/lines-of-value.js';
import { isObject } from '../../plan/snapshot/shape-checks.js';
import type { PlanFile } from '../../plan/schema.js';
import type { Account } from './account.js';

/**
 * Accounts for the lines of a plan file: what is left out is what it says of its own log and run, and dependencies that are
 * none; changed is what repairing it changed.
 * @param value what the text parses to
 * @param plan what is taken in
 */
export function accountForPlanFile(
  file: { readonly name: string; readonly text: string },
  value: unknown,
  plan: PlanFile,
): Account {
  const given = isObject(value) ? value : {};
  const goals = Object.entries(isObject(given['goals']) ? given['goals'] : {});
  const gone = Object.keys(given).filter((name) => !Object.hasOwn(plan, name));
  const dropped = goals.flatMap(([id, goal]) => {
    const all: unknown = Object(goal).dependencies;
    const kept = new Set<unknown>(plan.goals[id]?.dependencies);
    return Array.isArray(all)
      ? all.flatMap((on, index) => (kept.has(on) ? [] : [{ at: ['goals', id, 'dependencies', index] }]))
      : [];
  });
  const lineOf = lineOfValue(file.text);
  const changed = goals.flatMap(([id, goal]) =>
    CHANGED.flatMap((member) => {
      const before: unknown = Object(goal)[member];
      if (before === undefined) return [];
      const [was, is] = [inWords(before), inWords(plan.goals[id]?.[member])];
      if (was === is) return [];
      const line = lineOf(['goals', id, member]);
      return [{ file: file.name, line, goal: id, member, was, is }];
    }),
  );
  return { ...accountForJson(file, [...gone.map((name) => ({ at: [name] })), ...dropped]), changed };
}

function inWords(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** What repairing changes beside dependencies. */
const CHANGED = ['status', 'parent_id', 'child_ids', 'depth'] as const;
