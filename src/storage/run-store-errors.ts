import { PlanError } from '../kernel/errors.js';
import { truncate } from '../kernel/text/truncate.js';

/** The error for a run that there is not. */
export function noRun(run: string): PlanError {
  return new PlanError('E_PLAN_NOT_FOUND', `there is no run ${JSON.stringify(truncate(run, 80))}`, {
    hint: [
      {
        commandLine: '`plan runs` lists those that there are; `plan prepare` makes one.',
        tools: 'action_run with op prepare makes one; give the run that it answers as id.',
      },
    ],
    details: { run: truncate(run, 80) },
  });
}

/** The error for a run whose id is taken. */
export function runExists(run: string): PlanError {
  return new PlanError('WRONG_STATE', `there is a run ${run} already`, { details: { run } });
}
