import { STATUS_WORDS } from './goal-in-words.js';
import type { Claim, GoalStatus, PlanStatus } from './schema.js';

/** What a goal in another status cannot do. */
type StatusNeed =
  | 'claim'
  | 'complete'
  | 'fail'
  | 'reopen'
  | 'expand'
  | 'divide'
  | 'mark_for_review'
  | 'digest'
  | 'action_plan';

/** Who holds a goal, and until when. The token, which proves the claim, is nobody's but the holder's. */
export type Holder = Pick<Claim, 'by' | 'expires_at'>;

/** Why an event leaves a plan as it was. Goals are named by their ids. */
export type Refusal =
  // the plan
  | { readonly code: 'no_plan' }
  | { readonly code: 'plan_exists' }
  | { readonly code: 'other_plan'; readonly plan: string }
  | {
      readonly code: 'invalid_plan';
      readonly source: 'import' | 'plan_file' | 'undo';
      readonly path: string;
      readonly problem: string;
    }
  | { readonly code: 'archived' }
  | { readonly code: 'not_archived' }
  | { readonly code: 'planning_taken'; readonly when: 'before' | 'since' }
  | { readonly code: 'nothing_to_plan'; readonly status: PlanStatus }
  | { readonly code: 'calls_counted' }
  // one goal
  | { readonly code: 'no_goal'; readonly goal: string }
  | { readonly code: 'complete'; readonly goal: string }
  | { readonly code: 'claimed'; readonly goal: string; readonly holder: Holder }
  | { readonly code: 'not_claimed'; readonly goal: string }
  | { readonly code: 'claim_over'; readonly goal: string; readonly holder: Holder | null }
  | { readonly code: 'waiting'; readonly goal: string; readonly waiting_for: readonly string[] }
  | {
      readonly code: 'on_hold';
      readonly goal: string;
      /** The goal that was put on hold: it, or one above it. */
      readonly held: string;
      readonly reason: string;
      readonly until?: string | undefined;
    }
  | { readonly code: 'not_on_hold'; readonly goal: string }
  | {
      readonly code: 'wrong_status';
      readonly goal: string;
      readonly status: GoalStatus;
      readonly need: StatusNeed;
    }
  | { readonly code: 'no_sub_goals'; readonly goal: string }
  | { readonly code: 'has_sub_goals'; readonly goal: string; readonly need: 'merge' | 'reopen' }
  | { readonly code: 'action_plan_exists'; readonly goal: string; readonly action_plan: string }
  | { readonly code: 'changed_since'; readonly goal: string }
  | { readonly code: 'other_goal'; readonly goal: string }
  // the tree
  | { readonly code: 'root'; readonly need: 'move' | 'remove' }
  | { readonly code: 'below_itself'; readonly goal: string }
  | { readonly code: 'not_a_child'; readonly goal: string; readonly parent: string }
  | { readonly code: 'not_siblings' }
  | { readonly code: 'named_twice'; readonly goal: string }
  | { readonly code: 'goal_exists'; readonly goal: string }
  | { readonly code: 'foreign_goal'; readonly goal: string; readonly plan: string }
  | { readonly code: 'contradictory_verdict'; readonly goal: string }
  // dependencies
  | { readonly code: 'cycle'; readonly goals: readonly string[] }
  | { readonly code: 'not_dependent'; readonly goal: string; readonly on: string }
  | { readonly code: 'unknown_dependency'; readonly goal: string; readonly on: string }
  | { readonly code: 'dependency_not_a_sibling'; readonly goal: string; readonly on: string }
  // the log
  | { readonly code: 'not_in_log' };

export type RefusalCode = Refusal['code'];

const NEEDS: Readonly<Record<StatusNeed, string>> = {
  claim: 'only an atomic goal can be claimed',
  complete: 'only an atomic goal can be completed',
  fail: 'only an atomic goal can fail',
  reopen: 'only a finished or failed goal can be reopened',
  expand: 'only a goal that waits to be planned can be expanded',
  divide: 'only an atomic goal can be asked about again',
  mark_for_review: 'only a goal that waits to be planned can be marked for review',
  digest: 'only finished work has a digest',
  action_plan: 'only an atomic goal has action plans',
};

/** What is done with a goal that is neither done nor failed. */
const WORK: ReadonlySet<StatusNeed> = new Set(['claim', 'complete', 'fail']);

const INVALID = {
  import: 'the imported plan is not valid',
  plan_file: 'the plan file is not valid',
  undo: 'undoing it would break the plan',
} as const;

type RefusalOf<Code extends RefusalCode> = {
  [Each in Code]: Extract<Refusal, { readonly code: Each }>;
}[Code];
type Named = (goalId: string) => string;

/**
 * Words a refusal: the one place where that is done.
 * @param named how a goal is named (default: by its id)
 */
export function wordRefusal(refusal: Refusal, named: Named = (id) => id): string {
  return word(refusal, named);
}

/** Lists the goals that a refusal names, each once. */
export function goalsOfRefusal(refusal: Refusal): readonly string[] {
  const goals = [
    ...('goal' in refusal ? [refusal.goal] : []),
    ...('on' in refusal ? [refusal.on] : []),
    ...('held' in refusal ? [refusal.held] : []),
    ...('parent' in refusal ? [refusal.parent] : []),
    ...('goals' in refusal ? refusal.goals : []),
    ...('waiting_for' in refusal ? refusal.waiting_for : []),
  ];
  return [...new Set(goals)];
}

/** The refusal of what only the holder of a claim may do. */
export function claimedBy(goal: string, claim: Claim): Refusal {
  return { code: 'claimed', goal, holder: holderOf(claim) };
}

/** What a refusal may tell of a claim: the part that everybody may know. */
export function holderOf({ by, expires_at }: Claim): Holder {
  return { by, expires_at };
}

function inWords({ by, expires_at }: Holder): string {
  return `${by} holds it until ${expires_at}`;
}

function word<Code extends RefusalCode>(refusal: RefusalOf<Code>, named: Named): string {
  return WORDINGS[refusal.code](refusal, named);
}

const WORDINGS: { readonly [Code in RefusalCode]: (refusal: RefusalOf<Code>, named: Named) => string } = {
  no_plan: () => 'no plan has been made yet',
  plan_exists: () => 'the plan exists already',
  other_plan: ({ plan }) => `that is plan ${plan}`,
  invalid_plan: ({ source, problem, path }) =>
    `${INVALID[source]}: ${problem}${path === '' ? '' : ` at ${path}`}`,
  archived: () => 'the plan is archived already',
  not_archived: () => 'the plan is not archived',
  planning_taken: ({ when }) =>
    when === 'before' ? 'another process started to plan first' : 'another process took over this planning',
  nothing_to_plan: () => 'nothing is left to plan',
  calls_counted: () => 'those calls are counted already',
  no_goal: ({ goal }, named) => `there is no goal ${named(goal)}`,
  complete: ({ goal }, named) => `goal ${named(goal)} is done; reopen it first`,
  claimed: ({ goal, holder }, named) => `goal ${named(goal)} is claimed; ${inWords(holder)}`,
  not_claimed: ({ goal }, named) => `goal ${named(goal)} is not claimed`,
  claim_over: ({ goal, holder }, named) =>
    holder === null
      ? `no claim on goal ${named(goal)} has that token now`
      : `that token is not that of the claim on goal ${named(goal)}; ${inWords(holder)}`,
  waiting: ({ goal, waiting_for }, named) =>
    `goal ${named(goal)} waits for ${waiting_for.map(named).join(', ')}`,
  on_hold: ({ goal, held, reason, until }, named) =>
    `goal ${named(goal)} is on hold${held === goal ? '' : ` with ${named(held)}`}${until === undefined ? '' : ` until ${until}`}: ${reason}`,
  not_on_hold: ({ goal }, named) => `goal ${named(goal)} is not on hold itself`,
  wrong_status: ({ goal, status, need }, named) =>
    (status === 'complete' || status === 'failed') && WORK.has(need)
      ? `goal ${named(goal)} ${status === 'complete' ? 'is done' : 'has failed'} already`
      : `goal ${named(goal)} is ${STATUS_WORDS[status]}; ${NEEDS[need]}`,
  no_sub_goals: ({ goal }, named) => `goal ${named(goal)} has no sub-goals`,
  has_sub_goals: ({ goal, need }, named) =>
    `goal ${named(goal)} has sub-goals; ${need === 'merge' ? 'only leaves can be merged' : 'reopen one of those'}`,
  action_plan_exists: ({ goal, action_plan }, named) =>
    `goal ${named(goal)} has the action plan ${action_plan} already`,
  changed_since: ({ goal }, named) => `goal ${named(goal)} has changed since`,
  other_goal: ({ goal }, named) => `goal ${named(goal)} cannot be restored as a goal of another id`,
  root: ({ need }) => `the root cannot be ${need}d`,
  below_itself: ({ goal }, named) => `goal ${named(goal)} cannot go below itself`,
  not_a_child: ({ goal, parent }, named) => `goal ${named(goal)} is not a child of ${named(parent)}`,
  not_siblings: () => 'only siblings can be merged',
  named_twice: ({ goal }, named) => `goal ${named(goal)} is named twice`,
  goal_exists: ({ goal }, named) => `there is a goal ${named(goal)} already`,
  foreign_goal: ({ goal, plan }, named) => `goal ${named(goal)} does not belong to plan ${plan}`,
  contradictory_verdict: () => 'an atomic goal has no sub-goals, any other has at least one',
  cycle: ({ goals }, named) =>
    new Set(goals).size === 1
      ? `goal ${goals.slice(0, 1).map(named).join('')} cannot wait for itself`
      : `goals would wait for each other: ${goals.map(named).join(' → ')}`,
  not_dependent: ({ goal, on }, named) => `goal ${named(goal)} does not depend on ${named(on)}`,
  unknown_dependency: ({ goal, on }, named) =>
    `goal ${named(goal)} depends on ${named(on)}, which does not exist`,
  dependency_not_a_sibling: ({ goal, on }, named) =>
    `goal ${named(goal)} depends on ${named(on)}, which is not a sibling`,
  not_in_log: () => 'it was not found in the log after it was written',
};
