import { isOfOneFile } from '../host/files/storage-error.js';
import { PlanError } from '../kernel/errors.js';

const DAMAGE: ReadonlySet<string> = new Set(['STORE_DAMAGED', 'INVALID_PLAN', 'UNSUPPORTED_VERSION']);

/**
 * Whether an error says that one plan cannot be read, for what its files are. Any other, such as too many open files, says
 * nothing of the plan.
 */
export function isUnreadablePlan(thrown: unknown): thrown is PlanError {
  return isOfOneFile(thrown) || (thrown instanceof PlanError && DAMAGE.has(thrown.code));
}
