import { putGoal, removeGoal } from '../plan.js';
import type { Plan } from '../plan.js';
import type { Goal, PlanFile } from '../schema.js';

/** Which members of a plan file count; everything else stays as it is. */
export interface RestoredParts {
  /** Members beside the goals. */
  readonly header: readonly string[];
  /** Members of goals, by goal. */
  readonly goals: Readonly<Record<string, readonly string[]>>;
}

/** What a plan file cannot be asked to change. */
const FIXED = new Set(['id', 'root_goal_id', 'goals', 'log', 'crc', '__proto__']);

/**
 * Takes some members from a plan file: what the file lacks goes, a goal that is not there comes as a whole. Whether the
 * result is a plan is for the caller to see.
 */
export function restoreParts(plan: Plan, file: PlanFile, { header, goals }: RestoredParts): Plan {
  const names = header.filter((name) => !FIXED.has(name));
  const first: Plan = { ...plan, header: { ...plan.header, ...membersOf(file, names) } };
  return Object.entries(goals).reduce((next, [id, members]) => {
    const said = Object.hasOwn(file.goals, id) ? file.goals[id] : undefined;
    if (said === undefined) return removeGoal(next, id);
    const there = next.goals.get(id);
    return putGoal(next, there === undefined ? said : withMembers(there, said, members));
  }, first);
}

function withMembers(goal: Goal, said: Goal, members: readonly string[]): Goal {
  const names = members.filter((name) => name !== 'id' && name !== '__proto__');
  return { ...goal, ...membersOf(said, names) };
}

function membersOf(value: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(value, name) ? value[name] : undefined]),
  );
}
