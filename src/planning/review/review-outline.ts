import type { PayloadOf } from '../../plan/events.js';
import type { NewGoal } from '../../plan/events/new-goal.js';
import type { LeafVerdict } from '../outline-events.js';
import { ADDED, keptGoals, NOT_DIVIDED } from './level.js';
import type { ReviewLevel } from './level.js';

type Expanded = PayloadOf<'goal_expanded'>;

interface Reviewing {
  readonly root: { readonly id: string; readonly description: string };
  readonly review: ReviewLevel;
  readonly newGoalId: () => string;
  /** What becomes of goals that the person adds. */
  readonly leaves: LeafVerdict;
}

/** The goals that an outline still has, each as it is called and where it stands. */
type NumberedGoals = Map<string, { readonly description: string; readonly number: string }>;

/**
 * The levels of a document's outline as a person wants them, each looked at before those below it. What stood below a
 * goal that is dropped is not asked about.
 * @returns null when the person wants to go on another time
 */
export async function reviewedOutline(
  outline: readonly Expanded[],
  reviewing: Reviewing,
): Promise<readonly Expanded[] | null> {
  const { root } = reviewing;
  const positions: NumberedGoals = new Map([[root.id, { description: root.description, number: '' }]]);
  const reviewed: Expanded[] = [];
  for (const event of outline) {
    const goal = positions.get(event.goal);
    if (goal === undefined) continue;
    const level = event.atomic ? event : await reviewedLevel(event, goal, reviewing);
    if (level === null) return null;
    reviewed.push(level);
    for (const [index, { id, description }] of level.sub_goals.entries())
      positions.set(id, {
        description,
        number: goal.number === '' ? `${index + 1}` : `${goal.number}.${index + 1}`,
      });
  }
  return reviewed;
}

async function reviewedLevel(
  event: Expanded,
  goal: { readonly description: string; readonly number: string },
  { review, newGoalId, leaves }: Reviewing,
): Promise<Expanded | null> {
  const { sub_goals: proposed } = event;
  const numbers = new Map(proposed.map(({ id }, index) => [id, index + 1]));
  const afterOf = ({ dependencies }: NewGoal) => dependencies.flatMap((id) => numbers.get(id) ?? []);
  const verdict = await review({
    goal,
    reasoning: event.reasoning ?? '',
    subGoals: proposed.map((one) => ({ description: one.description, after: afterOf(one) })),
  });
  if (verdict.kind === 'stopped') return null;
  const kept = verdict.kind === 'dropped' ? [] : keptGoals(proposed, afterOf, verdict.subGoals);
  if (kept.length === 0) return { ...event, atomic: true, reasoning: NOT_DIVIDED, sub_goals: [] };
  const ids = kept.map((one) => one.proposed?.id ?? newGoalId());
  const sub_goals = kept.map((one, index): NewGoal => {
    const dependencies = one.after.flatMap((position) => ids[position] ?? []);
    if (one.proposed !== null) return { ...one.proposed, description: one.description, dependencies };
    const isAtomic = leaves === 'atomic';
    return {
      id: ids[index] ?? newGoalId(),
      description: one.description,
      atomic: isAtomic ? true : null,
      reasoning: isAtomic ? ADDED : null,
      dependencies,
    };
  });
  return { ...event, sub_goals };
}
