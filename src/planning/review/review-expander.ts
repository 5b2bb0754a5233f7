import type { Expansion } from '../../plan/expansion.js';
import { NO_USAGE } from '../../plan/plan.js';
import { numberOf } from '../../plan/tree.js';
import { messageOf, PlanError } from '../../kernel/errors.js';
import type { Expander, ExpansionOutcome, ExpansionRequest } from '../expander.js';
import { sanitizeExpansion } from '../sanitize/sanitize-expansion.js';
import type { SanitizedExpansion } from '../sanitize/sanitize-expansion.js';
import { ADDED, keptGoals, NOT_DIVIDED } from './level.js';
import type { LevelVerdict, ReviewLevel } from './level.js';

type Expanded = Extract<ExpansionOutcome, { kind: 'expansion' }>;

/**
 * An expander whose proposals a person looks at before they are stored, one after the other. What is shown is what the
 * guards let in. The next goal is asked about when he has decided, for what he does not get to see would be paid for in vain.
 * @param onStop called when the person wants to go on another time; what waits for him is then not stored
 */
export function reviewedExpander(expander: Expander, review: ReviewLevel, onStop: () => void): Expander {
  let before: Promise<unknown> = Promise.resolve();
  let isStopped = false;
  const ask = async (request: ExpansionRequest, outcome: Expanded): Promise<ExpansionOutcome> => {
    const reviewed = await reviewedOutcome(request, outcome, review);
    isStopped = reviewed.kind === 'aborted';
    if (isStopped) onStop();
    return reviewed;
  };
  return {
    ...expander,
    async expand(request, signal, stop) {
      let usage = NO_USAGE;
      const turn = before.then(async (): Promise<ExpansionOutcome> => {
        if (isStopped) return { kind: 'aborted', usage };
        const outcome = await expander.expand(request, signal, stop);
        usage = outcome.usage;
        return outcome.kind === 'expansion' ? ask(request, outcome) : outcome;
      });
      before = turn.catch(() => undefined);
      return turn.catch((thrown: unknown) => ({
        kind: 'unavailable' as const,
        error: new PlanError('INTERNAL', messageOf(thrown), { cause: thrown }),
        usage,
      }));
    },
  };
}

async function reviewedOutcome(
  { plan, goal, maxChildren }: ExpansionRequest,
  outcome: Expanded,
  review: ReviewLevel,
): Promise<ExpansionOutcome> {
  const guarded = sanitizeExpansion(outcome.expansion, plan, goal, maxChildren);
  const warnings = [...outcome.warnings, ...guarded.warnings];
  const { reasoning } = guarded;
  if (guarded.atomic) return outcome;
  const verdict = await review({
    goal: { description: goal.description, number: numberOf(plan, goal) },
    reasoning,
    subGoals: guarded.subGoals.map((one) => ({ description: one.description, after: numbersOf(one) })),
  });
  if (verdict.kind === 'stopped') return { kind: 'aborted', usage: outcome.usage };
  const subGoals = verdict.kind === 'dropped' ? [] : wantedOf(guarded, verdict.subGoals);
  const expansion: Expansion =
    subGoals.length === 0
      ? { reasoning: NOT_DIVIDED, atomic: true, sub_goals: [] }
      : { reasoning, atomic: false, ...decisionsOf(guarded, verdict), sub_goals: subGoals };
  return { ...outcome, expansion, warnings };
}

/** What was decided; a choice that a sub-goal makes is left open where that one was dropped. */
function decisionsOf({ decisions }: SanitizedExpansion, verdict: LevelVerdict): Pick<Expansion, 'decisions'> {
  const kept = verdict.kind === 'accepted' ? verdict.subGoals : [];
  const placeOf = (index: number) =>
    kept.filter(({ description }) => description.trim() !== '').findIndex(({ from }) => from === index + 1);
  return {
    decisions: decisions.map(({ what, choice, decidedBy }) => {
      const place = typeof decidedBy === 'number' ? placeOf(decidedBy) : -1;
      return { what, choice, decided_by: place < 0 ? null : place + 1 };
    }),
  };
}

function wantedOf(
  { subGoals }: SanitizedExpansion,
  wanted: Parameters<typeof keptGoals>[2],
): Expansion['sub_goals'] {
  return keptGoals(subGoals, numbersOf, wanted).map(({ proposed, description, after }) => ({
    description,
    reasoning: proposed?.reasoning ?? ADDED,
    // A new one is judged as any other.
    atomic: proposed?.atomic ?? false,
    acceptance: [...(proposed?.acceptance ?? [])],
    size: proposed?.size ?? null,
    touches: [...(proposed?.touches ?? [])],
    depends_on: after.map((position) => position + 1),
  }));
}

/** Places counted from 1. */
function numbersOf({ dependencies }: SanitizedExpansion['subGoals'][number]): readonly number[] {
  return dependencies.map((position) => position + 1);
}
