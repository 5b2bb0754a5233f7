import { messageOf, PlanError } from '../../kernel/errors.js';
import { NO_USAGE } from '../../plan/plan.js';
import { expandByRules, whyNoRule } from './expand-by-rules.js';
import type { Method } from './methods.js';
import type { Expansion } from '../../plan/expansion.js';
import type { Goal } from '../../plan/schema.js';
import type { Expander } from '../../planning/expander.js';
import type { Emit } from '../../operations/planning/planning-progress.js';
import type { Context } from '../../operations/shared/context.js';
import { readMethods } from './read-methods.js';

/** Makes the expander of a plan without a model. @throws PlanError INVALID_METHOD */
export async function makeRulesExpander(context: Context, emit: Emit): Promise<Expander> {
  return createRulesExpander(await readMethods(context, emit));
}

/** Expands goals by the built-in rules and the given methods: deterministic, offline, at no cost. */
export function createRulesExpander(methods: readonly Method[]): Expander {
  return {
    kind: 'rules',
    async expand({ goal, maxChildren }) {
      try {
        const expansion = expandByRules(goal.description, methods, maxChildren);
        return {
          kind: 'expansion',
          expansion,
          usage: NO_USAGE,
          warnings: unknownTo(methods, goal, expansion),
        };
      } catch (thrown) {
        return {
          kind: 'unavailable',
          error: new PlanError('INTERNAL', messageOf(thrown), { cause: thrown }),
          usage: NO_USAGE,
        };
      }
    },
  };
}

/** The warning about a whole plan's goal that no rule divides; of a part of a goal its reasoning says so. */
function unknownTo(methods: readonly Method[], { parent_id, description }: Goal, { atomic }: Expansion) {
  if (!atomic || parent_id !== null) return [];
  const message = whyNoRule(description, methods);
  return message === null ? [] : [{ code: 'no_method', message }];
}
