import * as z from 'zod';

import { resultSchema } from '../../plan/events/result.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import type { PlanStore } from '../../storage/plan-store.js';
import { wordRefusal } from '../../plan/refusals.js';
import { namedGoal } from '../../plan/goal-in-words.js';

/** A result that was submitted and not accepted, because its claim was over, say. It is kept. */
export const refusedResultSchema = z
  .object({ event: z.string(), at: z.string(), by: z.string(), reason: z.string(), result: resultSchema })
  .readonly();

export type RefusedResult = z.output<typeof refusedResultSchema>;

/** The results for a goal that were not accepted, oldest first. */
export async function refusedResults(
  store: PlanStore,
  plan: Plan,
  goal: Goal,
): Promise<readonly RefusedResult[]> {
  const completions = await store.eventsOf(plan.header.id, 'goal_completed', goal.id);
  if (!completions.some(hasResult) || isTheOne(goal, completions)) return [];
  const { replayHistory } = await import('../../plan/history.js');
  const events = await (await store.open(plan.header.id)).events();
  return [...replayHistory(events)].flatMap(({ event, verdict }) => {
    if (event.type !== 'goal_completed' || event.goal !== goal.id || event.result === undefined) return [];
    if (verdict.kind !== 'refused') return [];
    const { id, at, by, result } = event;
    return [
      { event: id, at, by, reason: wordRefusal(verdict.refusal, (goal) => namedGoal(plan, goal)), result },
    ];
  });
}

function hasResult(event: PlanEvent): boolean {
  return event.type === 'goal_completed' && event.result !== undefined;
}

/** Whether a goal was completed once, and by that changed last: nothing need be replayed to know that it was accepted. */
function isTheOne({ status, updated_at }: Goal, completions: readonly PlanEvent[]): boolean {
  return completions.length === 1 && status === 'complete' && completions[0]?.at === updated_at;
}
