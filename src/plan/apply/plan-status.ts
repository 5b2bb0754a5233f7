import type { EventStamp } from '../events/stamp.js';
import { rootOf } from '../plan.js';
import type { Plan } from '../plan.js';
import type { PlanHeader, PlanStatus } from '../schema.js';

/** The plan with its own status, which follows from its goals and from whether it is paused. */
export function withPlanStatus(plan: Plan, event: EventStamp): Plan {
  const done = plan.counts.pending === 0 && !restsBeforeLinking(plan);
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

/** Whether planning rests before its last question, which leaves need each other: there are several, and one is left that it could matter to. */
function restsBeforeLinking({ header, counts }: Plan): boolean {
  const isPaused = (header.paused_because ?? null) !== null;
  return isPaused && header.link_left === true && counts.atomic > 1 && counts.complete < counts.atomic;
}

/** The plan without the question which leaves need each other: it was answered, or is not asked. */
export function withoutLinkLeft(plan: Plan): Plan {
  if (plan.header.link_left === undefined) return plan;
  const { link_left: _answered, ...header } = plan.header;
  return { ...plan, header };
}
