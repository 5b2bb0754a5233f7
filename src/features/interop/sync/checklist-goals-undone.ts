import type { PlanLog } from '../../../storage/plan-store.js';
import type { Baseline } from '../checklists/baseline.js';
import type { MergeStamp } from '../checklists/merge-state.js';

/**
 * Returns the goals of a checklist that are gone and that nobody removed: whose making was undone, which who redoes that has
 * again; and those that this log never had, which are those of another branch.
 */
export async function goneGoals(
  log: PlanLog,
  baseline: Baseline | null,
): Promise<Pick<MergeStamp, 'undone' | 'elsewhere'>> {
  const gone = [...(baseline?.keys() ?? [])].filter((id) => !log.plan.goals.has(id));
  const undone = new Set<string>();
  const elsewhere = new Set(gone);
  if (gone.length === 0) return { undone, elsewhere };
  for (const event of await log.events()) {
    if (elsewhere.size > 0)
      for (const word of JSON.stringify(event).split(/[^0-9A-Za-z_-]/)) elsewhere.delete(word);
    if (event.type !== 'change_undone') continue;
    for (const { goal, before } of event.changes) {
      if (before === null) undone.add(goal);
      else undone.delete(goal);
    }
  }
  return { undone, elsewhere };
}
