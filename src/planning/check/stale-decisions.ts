import { isSameMatter, matterKey } from '../../plan/decisions.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import { ancestors, subtree } from '../../plan/tree.js';
import type { Decision, Goal } from '../../plan/schema.js';
import type { CheckedPlan, JudgementFinding } from './finding.js';

/** A choice that another has taken the place of. */
export interface ReplacedChoice {
  readonly holder: Goal;
  readonly now: Pick<Decision, 'what' | 'choice'>;
  readonly before: string;
}

/**
 * Finds goals whose words, checks or decisions hold a choice that was changed afterwards.
 * @param events the plan's history, which has the earlier choices
 */
export function staleDecisions(
  checked: CheckedPlan,
  events: readonly PlanEvent[],
): readonly JudgementFinding[] {
  return replacedChoices(checked.plan, events).flatMap((replaced) => goalsHolding(checked, replaced));
}

/** Finds the goals whose words, checks or decisions hold a choice that was replaced. */
export function goalsHolding(
  { named, numberOf, plan }: CheckedPlan,
  { holder, now, before }: ReplacedChoice,
): readonly JudgementFinding[] {
  const says = sayer(before);
  const saysNow = now.choice === null ? () => false : sayer(now.choice);
  return subtree(plan, holder)
    .filter(({ status }) => status !== 'complete')
    .filter((goal) => {
      const { description, acceptance = [], decisions = [] } = goal;
      const own = decisions.filter(({ what }) => !isSameMatter(what, now.what) || goal.id !== holder.id);
      const texts = [description, ...acceptance, ...own.map(({ choice }) => choice ?? '')];
      return texts.some(says) && !texts.some(saysNow);
    })
    .map((goal) => ({
      code: 'STALE_DECISION' as const,
      goal: goal.id,
      goals: goal.id === holder.id ? [] : [holder.id],
      message: `${named(goal)} still says “${before}”; ${now.what} is ${now.choice ?? 'open'} now`,
      hint: `plan replan ${numberOf(goal)} plans it again; plan edit ${numberOf(goal)} changes its words`,
    }));
}

/** The earlier choices of the decisions that a plan has, by what its log says of them. */
function replacedChoices(plan: Plan, events: readonly PlanEvent[]): readonly ReplacedChoice[] {
  const ever = new Map<string, Map<string, Set<string>>>();
  const note = (goal: string, what: string, choice: string | null) => {
    if (choice === null) return;
    const matters = ever.get(goal) ?? new Map<string, Set<string>>();
    ever.set(goal, matters);
    const choices = matters.get(matterKey(what)) ?? new Set<string>();
    matters.set(matterKey(what), choices.add(choice));
  };
  for (const event of events) {
    if (event.type === 'decision_made') note(event.goal, event.what, event.choice);
    if (event.type === 'goal_expanded' || event.type === 'goal_replanned')
      for (const { what, choice } of event.decisions ?? []) note(event.goal, what, choice);
  }
  return [...plan.goals.values()].flatMap((holder) =>
    (holder.decisions ?? []).flatMap((now) => {
      const own = ever.get(holder.id)?.get(matterKey(now.what)) ?? [];
      // Somebody who decides anew for a part replaces what was decided above it.
      const above = now.confirmed === true ? ancestors(plan, holder).toReversed() : [];
      const inherited = above.flatMap(({ decisions = [] }) =>
        decisions.filter(({ what }) => isSameMatter(what, now.what)).map(({ choice }) => choice ?? ''),
      );
      return [...new Set([...own, ...inherited.slice(0, 1)])]
        .filter((before) => before !== '' && before !== now.choice)
        .map((before) => ({ holder, now, before }));
    }),
  );
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}.+#-]*/gu;

/**
 * Tells whether a text holds a choice: all of it, or one of its names. A name has a capital letter or a digit within, or
 * stands so in the middle of a sentence.
 */
function sayer(choice: string): (text: string) => boolean {
  const whole = ` ${wordsOf(choice).join(' ').toLowerCase()} `;
  const names = new Set(wordsOf(choice).filter(isName));
  return (text) => {
    const words = wordsOf(text.slice(0, 2000));
    if (` ${words.join(' ').toLowerCase()} `.includes(whole)) return true;
    return words.some((word, at) => names.has(word) && (at > 0 || hasMark(word)));
  };
}

function wordsOf(text: string): readonly string[] {
  return (text.match(WORD) ?? []).map((word) => word.replace(/[.-]$/u, ''));
}

const isName = (word: string): boolean => word.length > 1 && /^\p{Lu}/u.test(word) && !/^[IVX]+$/u.test(word);
const hasMark = (word: string): boolean => /.[\p{Lu}\p{N}]/u.test(word);
