import { apply } from '../plan/apply.js';
import type { PayloadOf } from '../plan/events.js';
import type { NewGoal } from '../plan/events/new-goal.js';
import type { Expansion } from '../plan/expansion.js';
import { removalBlocker } from '../plan/removal-blocker.js';
import { goalOf } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal, Settings } from '../plan/schema.js';
import { ancestors, subtree } from '../plan/tree.js';
import { childLimit } from './child-quota.js';
import type { Expander, ExpansionOutcome, ExpansionRequest, Revision } from './expander.js';
import { sanitizeExpansion } from './sanitize/sanitize-expansion.js';
import type { SanitizedExpansion } from './sanitize/sanitize-expansion.js';
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
  /** What was moved out of it: that is not planned here again. */
  readonly moved: readonly Goal[];
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
 * does not plan it twice. Of the other children those stay that it proposes again in the same words, with all that is
 * below them; the rest make room for what it proposes. Changes nothing.
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
    maxChildren: Math.max(0, Math.min(childLimit(goal.depth, settings), room)),
    revision: { failures: failuresOf(options), staying },
  };
}

function proposal(
  options: ReplanningOptions,
  { expansion, usage, warnings: told }: Extract<ExpansionOutcome, { kind: 'expansion' }>,
): PayloadOf<'goal_replanned'> {
  const { goal, settings, expander, newGoalId, because } = options;
  const { going } = divide(options);
  const guarded = guardedWithinRoom(options, expansion);
  const made = newSubGoals(goal, guarded, { settings, expanderKind: expander.kind, newGoalId });
  const kept = new Set(guarded.repeated.map((each) => each.goal.id));
  const keep = guarded.repeated.map((each) => keptGoal(each, made.subGoals, kept));
  const warnings = [
    ...[...told, ...guarded.warnings].map((warning) => ({ ...warning, goal_id: goal.id })),
    ...made.warnings,
  ];
  return withoutCycles(options, {
    type: 'goal_replanned',
    goal: goal.id,
    reasoning: guarded.reasoning,
    remove: going.map(({ id }) => id).filter((id) => !kept.has(id)),
    sub_goals: made.subGoals,
    ...made.decided,
    ...(keep.length > 0 ? { keep } : {}),
    ...(because === undefined ? {} : { because }),
    usage,
    ...(warnings.length > 0 ? { warnings } : {}),
  });
}

/** What is kept makes no room for new goals: where the plan is nearly full, fewer come. */
function guardedWithinRoom(options: ReplanningOptions, expansion: Expansion): SanitizedExpansion {
  const { plan, goal, settings, moved } = options;
  const { staying, going } = divide(options);
  const existing = { staying, replaced: going, finished: finishedFor(plan, goal), moved };
  const { maxChildren } = replanningRequest(options);
  const guarded = sanitizeExpansion(expansion, plan, goal, maxChildren, existing);
  const kept = new Set(guarded.repeated.map((each) => each.goal.id));
  const freed = going
    .filter(({ id }) => !kept.has(id))
    .reduce((sum, child) => sum + subtree(plan, child).length, 0);
  const room = Math.max(0, settings.max_goals - (plan.counts.total - freed));
  return guarded.subGoals.length <= room
    ? guarded
    : sanitizeExpansion(expansion, plan, goal, kept.size + room, existing);
}

type KeptGoal = NonNullable<PayloadOf<'goal_replanned'>['keep']>[number];

/** Among what is kept, the dependencies are those of the answer; others that a goal has it keeps. */
function keptGoal(
  { goal, dependencies, staying }: SanitizedExpansion['repeated'][number],
  subGoals: readonly NewGoal[],
  kept: ReadonlySet<string>,
): KeptGoal {
  const wanted = [...dependencies.flatMap((index) => subGoals[index]?.id ?? []), ...staying];
  return {
    goal: goal.id,
    add: wanted.filter((id) => !goal.dependencies.includes(id)),
    remove: goal.dependencies.filter((id) => kept.has(id) && !wanted.includes(id)),
  };
}

/** The replanning without those new dependencies of what is kept that would close a cycle through the rest of the plan. */
function withoutCycles(
  { plan, at }: ReplanningOptions,
  payload: PayloadOf<'goal_replanned'>,
): PayloadOf<'goal_replanned'> {
  const { keep = [] } = payload;
  const closesCycle = (candidate: PayloadOf<'goal_replanned'>) => {
    const stamp = { id: 'proposal', replica: 'none', clock: 1, by: '', at };
    const { refused } = apply(plan, { ...stamp, ...candidate });
    return refused !== null && refused.code === 'cycle';
  };
  if (keep.every(({ add }) => add.length === 0) || !closesCycle(payload)) return payload;
  let acyclic = { ...payload, keep: keep.map((each) => ({ ...each, add: [] as string[] })) };
  let dropped = 0;
  for (const [index, { add }] of keep.entries()) {
    for (const id of add) {
      const next = acyclic.keep.map((each, position) =>
        position === index ? { ...each, add: [...each.add, id] } : each,
      );
      if (closesCycle({ ...acyclic, keep: next })) dropped += 1;
      else acyclic = { ...acyclic, keep: next };
    }
  }
  const message = `${dropped} dependencies of parts that were kept would close a cycle`;
  const warning = { code: 'cyclic_dependency', goal_id: payload.goal, message };
  return { ...acyclic, warnings: [...(payload.warnings ?? []), warning] };
}

/** The finished goals that an expander is told of: those below the goal, and those that it waited for. */
function finishedFor(plan: Plan, goal: Goal): readonly Goal[] {
  const needed = new Set([goal, ...ancestors(plan, goal)].flatMap(({ dependencies }) => dependencies));
  return [...subtree(plan, goal), ...[...needed].flatMap((id) => plan.goals.get(id) ?? [])].filter(
    ({ status }) => status === 'complete',
  );
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
