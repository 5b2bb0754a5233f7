import { PlanError } from '../kernel/errors.js';
import { truncate } from '../kernel/text/truncate.js';
import { ACTION_PLAN_ID_PATTERN, GOAL_ID_PATTERN, PLAN_ID_PATTERN } from '../plan/ids.js';

/**
 * Checks that a text is the id of an action plan, so that it may become part of a document's path.
 * @throws PlanError INVALID_INPUT for anything else
 */
export function checkedActionPlanId(id: string): string {
  if (ACTION_PLAN_ID_PATTERN.test(id)) return id;
  throw new PlanError(
    'INVALID_INPUT',
    `${JSON.stringify(truncate(id, 80))} is not the id of an action plan`,
    {
      hint: {
        commandLine: 'Such an id is ap- and letters and digits, as `plan show` lists it with its goal.',
      },
    },
  );
}

/**
 * Checks that a text is the id of a goal, so that it may become part of a document's path.
 * @throws PlanError INVALID_INPUT for anything else
 */
export function checkedGoalId(id: string): string {
  if (GOAL_ID_PATTERN.test(id)) return id;
  throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(id, 80))} is not the id of a goal`);
}

/**
 * The id of a plan, checked as it may become part of the path of a document.
 * @throws PlanError INVALID_INPUT for anything else
 */
export function checkedPlanId(id: string): string {
  if (PLAN_ID_PATTERN.test(id)) return id;
  throw new PlanError('INVALID_INPUT', `${JSON.stringify(truncate(id, 80))} is not the id of a plan`);
}
