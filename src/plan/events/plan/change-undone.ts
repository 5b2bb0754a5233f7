import * as z from 'zod';

import { withPlanStatus } from '../../apply/plan-status.js';
import { withRootDescription } from '../../apply/root-description.js';
import { checkInvariants } from '../../invariants.js';
import { putGoal, removeGoal } from '../../plan.js';
import type { Plan } from '../../plan.js';
import { isSameJson } from '../../../kernel/json/same-json.js';
import { goalSchema, linkedSchema } from '../../schema.js';
import type { PlanFile, PlanHeader } from '../../schema.js';
import { acceptEvent, defineChange, refuse } from '../define-event.js';
import { goalId } from '../shared-fields.js';

interface UndoneLinks {
  readonly before: PlanHeader['linked'] | null;
  readonly after: PlanHeader['linked'] | null;
}

/** Goals are put back as they were, unless one of them has changed since or others have come to need it. */
export const changeUndone = defineChange({
  type: 'change_undone',
  fields: {
    undoes: z.string().describe('Id of the event whose changes of goals are taken back.'),
    changes: z
      .array(z.object({ goal: goalId, before: goalSchema.nullable(), after: goalSchema.nullable() }))
      .describe('Each goal that changed, as it was and as it became; null where there was none.'),
    linked: z
      .object({ before: linkedSchema.nullable(), after: linkedSchema.nullable() })
      .optional()
      .describe(
        'What comparing the leaves had come to, as it was and as it became; null where they were not compared.',
      ),
  },
  touches: 'any_goal',
  undoable: false,
  opens: 'found_later',
  apply(plan, event) {
    const { changes } = event;
    const changed = changes.find(({ goal, after }) => !isSameJson(plan.goals.get(goal) ?? null, after));
    if (changed !== undefined) return refuse({ code: 'changed_since', goal: changed.goal });
    const renamed = changes.find(({ goal, before }) => before !== null && before.id !== goal);
    if (renamed !== undefined) return refuse({ code: 'other_goal', goal: renamed.goal });
    const back = changes.reduce(
      (next, { goal, before }) => (before === null ? removeGoal(next, goal) : putGoal(next, before)),
      plan,
    );
    const problem = checkInvariants(everyGoal(back))[0];
    if (problem !== undefined)
      return refuse({ code: 'invalid_plan', source: 'undo', path: '', problem: problem.message });
    return acceptEvent(withPlanStatus(withRootDescription(plan, withLinked(back, event.linked)), event));
  },
  // Which one, the log says, which has it.
  describe: () => 'undid or redid an earlier change',
});

/** The plan with what comparing its leaves came to before a change; where they were compared since, with that. */
function withLinked(plan: Plan, change: UndoneLinks | undefined): Plan {
  const { linked, ...header } = plan.header;
  if (change === undefined || !isSameJson(linked ?? null, change.after)) return plan;
  return { ...plan, header: change.before === null ? header : { ...header, linked: change.before } };
}

/** A plan as a file for checking alone: every goal, whether it hangs on the root or not. */
function everyGoal(plan: Plan): PlanFile {
  return { ...plan.header, goals: Object.fromEntries(plan.goals) };
}
