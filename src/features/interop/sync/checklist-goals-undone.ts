import type { PlanLog } from '../../../storage/plan-store.js';
import type { Baseline } from '../checklists/baseline.js';

/** The goals of a checklist that are gone because their making was undone; who redoes that has them again. */
export async function undoneGoals(log: PlanLog, baseline: Baseline | null): Promise<ReadonlySet<string>> {
  const gone = [...(baseline?.keys() ?? [])].filter((id) => !log.plan.goals.has(id));
  const undone = new Set<string>();
  if (gone.length === 0) return undone;
  for (const event of await log.events()) {
    if (event.type !== 'change_undone') continue;
    for (const { goal, before } of event.changes) {
      if (before === null) undone.add(goal);
      else undone.delete(goal);
    }
  }
  return new Set(gone.filter((id) => undone.has(id)));
}
