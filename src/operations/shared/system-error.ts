import { PlanError } from '../../kernel/errors.js';
import { refusedBySystem } from '../../host/files/storage-error.js';

export { refusedBySystem };

/**
 * What was thrown as an error that can be told: the program's own as it is, what the system refused as such.
 * @param message of anything else, which is INTERNAL
 */
export function asPlanError(thrown: unknown, message: string): PlanError {
  if (thrown instanceof PlanError) return thrown;
  return refusedBySystem(thrown) ?? new PlanError('INTERNAL', message, { cause: thrown });
}
