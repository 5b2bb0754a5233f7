import { apply } from './apply.js';
import type { EventPayload, PlanEvent } from './events.js';
import type { Plan } from './plan.js';

/** Who acts, and when. */
interface Acting {
  readonly by: string;
  readonly at: string;
}

/** What an event would do to a plan as far as it was read, without writing it. */
export function simulate(plan: Plan, payload: EventPayload, who: Acting): ReturnType<typeof apply> {
  return apply(plan, simulatedEvent(payload, who));
}

/** Foresees an event as it would be written, but for what is known only then: its id, its replica and its clock. */
export function simulatedEvent(payload: EventPayload, who: Acting): PlanEvent {
  return { id: 'simulated', replica: 'none', clock: 1, ...who, ...payload };
}
