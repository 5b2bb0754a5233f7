import { namedGoal } from '../../plan/goal-in-words.js';
import { wordRefusal } from '../../plan/refusals.js';
import type { CheckedGoal } from '../../planning/check/ask-about-findings.js';
import type { PlanLog } from '../../storage/plan-store.js';

/** Changes goals as was answered about them, in one change. Returns why goals were not changed, by their ids. */
export async function appendEdits(
  log: PlanLog,
  answers: readonly CheckedGoal[],
  by?: string,
): Promise<ReadonlyMap<string, string>> {
  const events = answers
    .filter(({ edit }) => Object.keys(edit).length > 0)
    .map(({ goal, edit: { description, acceptance }, reason }) => ({
      type: 'goal_edited' as const,
      goal,
      fields: {
        ...(description === undefined ? {} : { description }),
        ...(acceptance === undefined ? {} : { acceptance: [...acceptance] }),
      },
      because: reason,
    }));
  if (events.length === 0) return new Map();
  const outcomes = await log.append(events, by);
  await log.publish('now');
  return new Map(
    outcomes.flatMap(({ event, refused }) =>
      refused === null || event.type !== 'goal_edited'
        ? []
        : [[event.goal, wordRefusal(refused, (id) => namedGoal(log.plan, id))] as const],
    ),
  );
}
