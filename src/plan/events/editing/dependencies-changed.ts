import * as z from 'zod';

import { changeDependencies } from '../../apply/dependencies.js';
import { withPlanStatus } from '../../apply/plan-status.js';
import { acceptEvent, defineChange } from '../define-event.js';
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
    const changed = changeDependencies(plan, event.changes, event.at);
    return changed.kind === 'refused' ? changed : acceptEvent(withPlanStatus(changed.plan, event));
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
