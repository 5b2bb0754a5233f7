import type { EventStamp } from '../events/stamp.js';
import { rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import type { PlanHeader, PlanStatus } from '../schema.js';

/** The plan with its own status, which follows from its goals and from whether it is paused. */
export function withPlanStatus(plan: Plan, event: EventStamp): Plan {
  const done = plan.counts.pending === 0;
  const status: PlanStatus = done
    ? rootOf(plan).status === 'failed'
      ? 'failed'
      : 'complete'
    : (plan.header.paused_because ?? null) === null
      ? 'in_progress'
      : 'paused';
  const header: PlanHeader = { ...plan.header, status, updated_at: event.at };
  if (done) header.paused_because = null;
  return { ...plan, header };
}
