import type { PayloadOf } from '../plan/events.js';
import { removalBlocker } from '../plan/removal-blocker.js';
import { goalOf } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Settings } from '../plan/schema.js';
import { subtree } from '../plan/tree.js';
import type { Expander, ExpansionOutcome, ExpansionRequest, Revision } from './expander.js';
import { guardExpansion } from './guards.js';
import { newSubGoals } from './sub-goals.js';

export interface ReplanningOptions {
  readonly plan: Plan;
  readonly goal: Goal;
  /** Why it is planned again, in the words of whoever asks. */
  readonly because?: string | undefined;
  /** Now: it decides which claims hold. */
  readonly at: string;
  readonly settings: Settings;
  readonly expander: Expander;
  readonly newGoalId: () => string;
}

/** A proposal, or why there is none. */
export type ReplanningOutcome =
  | { readonly kind: 'proposed'; readonly payload: PayloadOf<'goal_replanned'> }
  | Exclude<ExpansionOutcome, { kind: 'expansion' }>;

/** What of a goal stays when it is planned again, and what goes. */
interface Division {
  readonly staying: readonly Goal[];
  readonly going: readonly Goal[];
}

/**
 * Asks about a goal again. What is finished or held by somebody stays, and is told to the expander, so that it
 * does not plan it twice; the other children make room for what it proposes. Changes nothing.
 */
export async function proposeReplanning(
  options: ReplanningOptions,
  signal: AbortSignal,
  stop: AbortSignal = signal,
): Promise<ReplanningOutcome> {
  const request = replanningRequest(options);
  const outcome = await options.expander.expand(request, signal, stop);
  return outcome.kind === 'expansion' ? { kind: 'proposed', payload: proposal(options, outcome) } : outcome;
}

/** What an expander is asked when a goal is planned again. Fewer than two children mean that there is no room. */
export function replanningRequest(
  options: ReplanningOptions,
): ExpansionRequest & { readonly revision: Revision } {
  const { plan, goal, settings } = options;
  const { staying, going } = divide(options);
  const freed = going.reduce((sum, child) => sum + subtree(plan, child).length, 0);
  const room = settings.max_goals - (plan.counts.total - freed);
  return {
    plan,
    goal,
    maxChildren: Math.max(0, Math.min(settings.max_children, room)),
    revision: { failures: failuresOf(options), staying },
  };
}

function proposal(
  options: ReplanningOptions,
  { expansion, usage, warnings: told }: Extract<ExpansionOutcome, { kind: 'expansion' }>,
): PayloadOf<'goal_replanned'> {
  const { plan, goal, settings, expander, newGoalId, because } = options;
  const { staying, going } = divide(options);
  const { maxChildren } = replanningRequest(options);
  const guarded = guardExpansion(expansion, plan, goal, maxChildren, staying);
  const made = newSubGoals(goal, guarded, { settings, expanderKind: expander.kind, newGoalId });
  const warnings = [
    ...[...told, ...guarded.warnings].map((warning) => ({ ...warning, goal_id: goal.id })),
    ...made.warnings,
  ];
  return {
    type: 'goal_replanned',
    goal: goal.id,
    reasoning: guarded.reasoning,
    remove: going.map(({ id }) => id),
    sub_goals: made.subGoals,
    ...(because === undefined ? {} : { because }),
    usage,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** A child also stays when finished work depends on it, which would have to depend on something else. */
function divide({ plan, goal, at }: ReplanningOptions): Division {
  const needed = new Set(
    [...plan.goals.values()].flatMap(({ status, dependencies }) =>
      status === 'complete' ? dependencies : [],
    ),
  );
  const children = goal.child_ids.map((id) => goalOf(plan, id));
  const stays = (child: Goal) =>
    removalBlocker(plan, child.id, { at }) !== null || subtree(plan, child).some(({ id }) => needed.has(id));
  const staying = children.filter(stays);
  return { staying, going: children.filter((child) => !staying.includes(child)) };
}

/** What is to be planned around: the reason given, and what failed below the goal. */
function failuresOf({ plan, goal, because }: ReplanningOptions): readonly string[] {
  const below = subtree(plan, goal).filter(({ id, failure }) => id !== goal.id && failure !== undefined);
  return [
    ...(because === undefined ? [] : [because]),
    ...below.map(({ description, failure }) => `“${description}” failed: ${failure?.reason ?? ''}`),
  ];
}
