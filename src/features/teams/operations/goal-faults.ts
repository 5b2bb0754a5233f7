import { messageOf, PlanError } from '../../../kernel/errors.js';

/** How often a goal may fail for no reason that is known before it is marked for review. */
const MOST_FAULTS = 3;

/** What went wrong with goals that is no trouble of database, model or plan: a fault of the program, most likely. */
export interface GoalFaults {
  /**
   * Notes one more fault of a goal.
   * @returns whether it has failed too often to be tried again
   */
  note(goalId: string): boolean;
}

/** Makes what remembers the faults of goals, so that one is tried three times and then marked for review. */
export function createGoalFaults(): GoalFaults {
  const counts = new Map<string, number>();
  return {
    note(goalId) {
      const count = (counts.get(goalId) ?? 0) + 1;
      counts.set(goalId, count);
      if (count < MOST_FAULTS) return false;
      counts.delete(goalId);
      return true;
    },
  };
}

/** Whether something was thrown for the sake of one goal; what the program lacks a part of is so for every goal. */
export function isOfOneGoal(thrown: unknown): boolean {
  if (thrown instanceof PlanError || thrown instanceof SyntaxError) return false;
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null;
  return code !== 'ENOENT' && !String(code).endsWith('MODULE_NOT_FOUND');
}

/** What is said of a goal that is to be tried again. */
export function goalFault(goalId: string, thrown: unknown): PlanError {
  return new PlanError('INTERNAL', `${goalId} could not be planned: ${messageOf(thrown)}`, {
    cause: thrown,
    details: { goal: goalId },
  });
}
