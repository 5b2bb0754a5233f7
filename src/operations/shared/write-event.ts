import type { EventPayload } from '../../plan/events.js';
import { simulate } from '../../plan/simulate.js';
import type { Plan } from '../../plan/plan.js';
import type { Refusal } from '../../plan/refusals.js';
import type { Outcome, PlanLog } from '../../storage/plan-store.js';
import type { Context } from './context.js';
import { timeNow } from './environment.js';

/** Who acts, and when. */
interface Stamp {
  readonly by: string;
  readonly at: string;
}

/**
 * What an event that is to be written would be refused for by the plan as far as it was read; null when it would be
 * accepted.
 */
export function simulateRefusal(plan: Plan, payload: EventPayload, who: Stamp): Refusal | null {
  return simulate(plan, payload, who).refused;
}

/** What became of a change: why it was refused, or null, and the plan just before it and just after it. */
export type WrittenChange = Pick<Outcome, 'refused' | 'before' | 'after'>;

/** Writes one event, unless it can be seen beforehand that it will be refused. */
export async function writeUnlessRefused(
  context: Context,
  log: PlanLog,
  payload: EventPayload,
  by: string,
): Promise<WrittenChange> {
  const { plan } = log;
  const simulated = simulateRefusal(plan, payload, { by, at: timeNow(context.environment) });
  return simulated === null
    ? writeEvent(log, payload, by)
    : { refused: simulated, before: plan, after: plan };
}

/** Writes one event and publishes the plan where that is due. Whether it was accepted is for the caller to see. */
export async function writeEvent(log: PlanLog, payload: EventPayload, by: string): Promise<Outcome> {
  const [outcome] = await log.append([payload], by);
  if (outcome === undefined) throw new TypeError('an event that was written has an outcome');
  await log.publish('when_due');
  return outcome;
}
