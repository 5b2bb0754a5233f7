import type { NewGoal } from '../plan/events/new-goal.js';
import type { Goal, Settings, Warning } from '../plan/schema.js';
import type { Expander } from './expander.js';
import type { SanitizedExpansion } from './sanitize/sanitize-expansion.js';
import { quantityOf } from '../kernel/text/quantity-of.js';

interface Making {
  readonly settings: Settings;
  readonly expanderKind: Expander['kind'];
  readonly newGoalId: () => string;
}

/** The goals that a sanitized expansion makes below a goal, and what the limit of depth changed about them. */
export function newSubGoals(
  goal: Goal,
  { subGoals: guarded }: SanitizedExpansion,
  { settings, expanderKind, newGoalId }: Making,
): { readonly subGoals: NewGoal[]; readonly warnings: readonly Warning[] } {
  // The rules judge a sub-goal as they would if they were asked about it alone.
  const asksEach = settings.assess === 'each' && expanderKind !== 'rules';
  const atDepthLimit = goal.depth + 1 >= settings.max_depth;
  const ids = guarded.map(() => newGoalId());
  const subGoals = guarded.map(
    ({ description, atomic, reasoning, acceptance, size, dependencies, staying }, index): NewGoal => ({
      id: ids[index] ?? newGoalId(),
      description,
      atomic: atDepthLimit ? true : asksEach ? null : atomic,
      reasoning,
      dependencies: [...dependencies.flatMap((dependency) => ids[dependency] ?? []), ...staying],
      ...(acceptance.length === 0 ? {} : { acceptance: [...acceptance] }),
      ...(size === null ? {} : { size }),
    }),
  );
  const forced = atDepthLimit ? guarded.filter(({ atomic }) => !atomic || asksEach).length : 0;
  if (forced === 0) return { subGoals, warnings: [] };
  const were = forced === 1 ? 'was' : 'were';
  const message = `${quantityOf(forced, 'sub-goal')} at the depth limit of ${settings.max_depth} ${were} taken as atomic`;
  return { subGoals, warnings: [{ code: 'max_depth', goal_id: goal.id, message }] };
}
