import type { Plan } from '../plan/plan.js';
import { stringifyPlanFile, toPlanFile } from '../plan/snapshot/plan-file.js';

/** The plan file without what only means something next to its own store: `run` and `log`. */
export function toJson(plan: Plan): string {
  const { run: _local, ...header } = plan.header;
  return stringifyPlanFile(toPlanFile({ ...plan, header }));
}
