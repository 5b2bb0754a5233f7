import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { findCycleThrough } from '../../readiness/dependencies.js';
import { putGoal } from '../../plan.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import type { Named } from '../define-event.js';
import { because, goalId } from '../shared-fields.js';
import { withReason } from '../with-reason.js';

const changeSchema = z.looseObject({
  goal: goalId,
  add: z.array(goalId),
  remove: z.array(goalId),
  because,
});

/** Dependencies are added and taken away, all or none of them. */
export const dependenciesChanged = defineChange({
  type: 'dependencies_changed',
  fields: { changes: z.array(changeSchema).min(1) },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    let next = plan;
    for (const { goal: id, add, remove } of event.changes) {
      const goal = next.goals.get(id);
      if (goal === undefined) return refuse({ code: 'no_goal', goal: id });
      const unknown = add.find((dependency) => !plan.goals.has(dependency));
      if (unknown !== undefined) return refuse({ code: 'no_goal', goal: unknown });
      const absent = remove.find((dependency) => !goal.dependencies.includes(dependency));
      if (absent !== undefined) return refuse({ code: 'not_dependent', goal: id, on: absent });
      const gained = add.filter((dependency) => !goal.dependencies.includes(dependency));
      if (gained.length > 0 && goal.status === 'complete') return refuse({ code: 'complete', goal: id });
      const dependencies = [
        ...goal.dependencies.filter((dependency) => !remove.includes(dependency)),
        ...new Set(gained),
      ];
      next = putGoal(next, { ...goal, dependencies, updated_at: event.at });
    }
    const changed = event.changes.filter(({ add }) => add.length > 0).map(({ goal }) => goal);
    const cycle = findCycleThrough(next, changed);
    if (cycle !== null) return refuse({ code: 'cycle', goals: cycle });
    return acceptEvent(withPlanStatus(next, event));
  },
  describe: ({ changes }, named) => changes.map((change) => describeChange(change, named)).join('; '),
});

function describeChange({ goal, add, remove, because }: z.infer<typeof changeSchema>, named: Named): string {
  const parts = [
    ...(add.length > 0 ? [`made ${named(goal)} depend on ${add.map(named).join(', ')}`] : []),
    ...(remove.length > 0 ? [`freed ${named(goal)} of ${remove.map(named).join(', ')}`] : []),
  ];
  return `${parts.join(' and ')}${withReason(because)}`;
}
