import { PlanError } from '../../kernel/errors.js';

/** Whether what was thrown says that the state of a plan or goal refuses what a tool was to do, which is an answer as well. */
export function isRefusal(thrown: unknown): thrown is PlanError {
  return thrown instanceof PlanError && ['REFUSED', 'WRONG_STATE'].includes(thrown.code);
}
