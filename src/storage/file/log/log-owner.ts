import { PlanError } from '../../../kernel/errors.js';
import { readLines } from './read-lines.js';

/**
 * The id of the plan whose log a file is, as the first event says that makes a plan; null when there is none.
 * @throws PlanError STORAGE_FAILED
 */
export async function planIdOfLog(path: string): Promise<string | null> {
  for await (const line of readLines(path, 0, Infinity)) {
    if (!('event' in line)) continue;
    const { event } = line;
    if (event.type === 'plan_created' || event.type === 'plan_imported') return event.plan.id;
  }
  return null;
}

/**
 * Refuses a file that stands where the log of a plan should be and is that of another one: neither is to be mixed into the
 * other.
 * @throws PlanError STORE_DAMAGED, STORAGE_FAILED
 */
export async function refuseLogOfOther(path: string, planId: string): Promise<void> {
  const owner = await planIdOfLog(path);
  if (owner !== null && owner !== planId) throw logOfOtherPlan(path, owner);
}

/** The error for a log that is another plan's than its name says. */
export function logOfOtherPlan(path: string, owner: string): PlanError {
  return new PlanError('STORE_DAMAGED', `${path} is the event log of plan ${owner}`, {
    hint: {
      commandLine: '`plan doctor --fix` gives each file of a plan its own name again; a copy is kept.',
    },
    details: { path, plan: owner },
  });
}

/** Whether something was refused because a log is another plan's than its name says. */
export function isLogOfOther({ code, details }: PlanError): boolean {
  return code === 'STORE_DAMAGED' && details.plan !== undefined;
}
