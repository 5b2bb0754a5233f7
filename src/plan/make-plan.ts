import { persistentGoals } from './persistent-goals.js';
import { countGoals } from './plan.js';
import type { Plan } from './plan.js';
import type { Goal, PlanFile, PlanHeader } from './schema.js';

/** Builds a plan from a header and goals, counting them. */
export function makePlan(header: PlanHeader, goals: Iterable<Goal>): Plan {
  return planOfGoals(header, new Map(Array.from(goals, (goal) => [goal.id, goal])));
}

/** Makes a plan from a header and goals by id, in a map that must not be changed any more. */
export function planOfGoals(header: PlanHeader, goals: ReadonlyMap<string, Goal>): Plan {
  return { header, goals: persistentGoals(goals), counts: countGoals(goals.values()) };
}

/** Makes the in-memory plan of a validated plan file. */
export function planFromFile(file: PlanFile): Plan {
  const { goals, log: _position, crc: _checked, ...header } = file;
  return makePlan(header, Object.values(goals));
}
