import { rootOf } from '../plan.js';
import type { Plan } from '../plan.js';

/** A plan that was named as its root was is named as its root is now. */
export function withRootDescription(before: Plan, after: Plan): Plan {
  const [was, is] = [rootOf(before).description, rootOf(after).description];
  if (was === is || after.header.description !== was) return after;
  return { ...after, header: { ...after.header, description: is } };
}
