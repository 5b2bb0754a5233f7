import * as z from 'zod';

import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { changeDependencies } from '../../apply/dependencies.js';
import { withoutLinkLeft, withPlanStatus } from '../../apply/plan-status.js';
import { spend } from '../../apply/spend.js';
import { missingResultSchema } from '../../schema.js';
import { acceptEvent, defineChange } from '../define-event.js';
import { goalId, spent } from '../shared-fields.js';

const beforeAndAfter = z.tuple([z.int().nonnegative(), z.int().nonnegative()]);

/** The leaves of the whole plan were compared: what each needs of the others, and what none makes. */
export const dependenciesLinked = defineChange({
  type: 'dependencies_linked',
  fields: {
    changes: z.array(z.looseObject({ goal: goalId, add: z.array(goalId), remove: z.array(goalId) })),
    missing: z.array(missingResultSchema).describe('Results that goals use and none makes.'),
    chain: beforeAndAfter.describe('Leaves of the longest chain, before and after.'),
    can_start: beforeAndAfter.describe('Leaves that could start, before and after.'),
    ...spent,
  },
  touches: 'any_goal',
  undoable: true,
  opens: 'nothing',
  apply(plan, event) {
    const changed = changeDependencies(plan, event.changes, event.at);
    if (changed.kind === 'refused') return changed;
    const { at, missing, chain, can_start, changes } = event;
    const linked = {
      at,
      missing,
      added: linesOf(changes, 'add'),
      replaced: linesOf(changes, 'remove'),
      chain,
      can_start,
    };
    const next = { ...changed.plan, header: { ...changed.plan.header, linked } };
    return acceptEvent(withPlanStatus(spend(withoutLinkLeft(next), event), event));
  },
  describe: ({ changes, missing, chain: [before, after] }) => {
    const lacking =
      missing.length === 0 ? '' : `, ${quantityOf(missing.length, 'result')} that no goal makes`;
    return `compared all leaves: ${quantityOf(linesOf(changes, 'add'), 'need')} added, ${quantityOf(linesOf(changes, 'remove'), 'wide wait')} replaced, longest chain ${before} → ${after}${lacking}`;
  },
});

function linesOf(
  changes: readonly Readonly<Record<'add' | 'remove', readonly string[]>>[],
  name: 'add' | 'remove',
): number {
  return changes.reduce((sum, change) => sum + change[name].length, 0);
}
