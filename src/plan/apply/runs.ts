import type { Plan } from '../plan.js';

/** The plan with no process that plans it. */
export function withoutRun(plan: Plan): Plan {
  const { run: _ended, ...header } = plan.header;
  return { ...plan, header };
}
