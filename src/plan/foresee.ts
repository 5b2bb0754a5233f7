import { apply } from './apply.js';
import type { EventPayload } from './events.js';
import type { Plan } from './plan.js';

/** What an event would do to a plan as far as it was read, without writing it. @param who acts, and when */
export function foresee(
  plan: Plan,
  payload: EventPayload,
  who: { readonly by: string; readonly at: string },
): ReturnType<typeof apply> {
  return apply(plan, { id: 'foreseen', replica: 'none', clock: 1, ...who, ...payload });
}
