import { messageOf, PlanError } from '../kernel/errors.js';
import { NO_USAGE } from '../plan/plan.js';
import { expandByRules } from '../rules/expand-by-rules.js';
import type { Method } from '../rules/methods.js';
import type { Expander } from './expander.js';

/** Expands goals by the built-in rules and the given methods: deterministic, offline, at no cost. */
export function createRulesExpander(methods: readonly Method[]): Expander {
  return {
    kind: 'rules',
    async expand({ goal, maxChildren }) {
      try {
        return {
          kind: 'expansion',
          expansion: expandByRules(goal.description, methods, maxChildren),
          usage: NO_USAGE,
          warnings: [],
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
