import type { NewGoal } from '../plan/events/new-goal.js';
import type { Decision, Goal, Settings, Warning } from '../plan/schema.js';
import type { Expander } from './expander.js';
import type { SanitizedExpansion } from './sanitize/sanitize-expansion.js';
import { quantityOf } from '../kernel/text/quantity-of.js';

interface Making {
  readonly settings: Settings;
  readonly expanderKind: Expander['kind'];
  readonly newGoalId: () => string;
}

/** What a sanitized expansion brings into a plan. */
interface NewSubGoals {
  readonly subGoals: NewGoal[];
  /** What was decided, as an event has it; nothing where nothing was. */
  readonly decided: { readonly decisions?: Decision[] };
  readonly warnings: readonly Warning[];
}

/** The goals that a sanitized expansion makes below a goal, and what the limit of depth changed about them. */
export function newSubGoals(
  goal: Goal,
  { subGoals: guarded, decisions: decided }: SanitizedExpansion,
  { settings, expanderKind, newGoalId }: Making,
): NewSubGoals {
  // The rules judge a sub-goal as they would if they were asked about it alone.
  const asksEach = settings.assess === 'each' && expanderKind !== 'rules';
  const atDepthLimit = goal.depth + 1 >= settings.max_depth;
  const ids = guarded.map(() => newGoalId());
  const subGoals = guarded.map(
    (
      { description, atomic, reasoning, acceptance, size, touches, dependencies, staying },
      index,
    ): NewGoal => ({
      id: ids[index] ?? newGoalId(),
      description,
      atomic: atDepthLimit ? true : asksEach ? null : atomic,
      reasoning,
      dependencies: [...dependencies.flatMap((dependency) => ids[dependency] ?? []), ...staying],
      ...(acceptance.length === 0 ? {} : { acceptance: [...acceptance] }),
      ...(size === null ? {} : { size }),
      ...(touches.length === 0 ? {} : { touches: [...touches] }),
    }),
  );
  const forced = atDepthLimit ? guarded.filter(({ atomic }) => !atomic || asksEach).length : 0;
  const decisions = decided.map(({ what, choice, decidedBy }): Decision => {
    const decider = typeof decidedBy === 'number' ? ids[decidedBy] : (decidedBy ?? undefined);
    return { what, choice, ...(decider === undefined ? {} : { decided_by: decider }) };
  });
  const made = { subGoals, decided: decisions.length === 0 ? {} : { decisions } };
  if (forced === 0) return { ...made, warnings: [] };
  const were = forced === 1 ? 'was' : 'were';
  const message = `${quantityOf(forced, 'sub-goal')} at the depth limit of ${settings.max_depth} ${were} taken as atomic`;
  return { ...made, warnings: [{ code: 'max_depth', goal_id: goal.id, message }] };
}
