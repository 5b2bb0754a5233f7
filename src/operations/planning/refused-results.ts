import type { Result } from '../../plan/events/result.js';
import { replayHistory } from '../../plan/history.js';
import type { PlanLog } from '../../storage/plan-store.js';
import { wordRefusal } from '../../plan/refusals.js';

/** A result that was submitted and not accepted, because its claim was over, say. It is kept. */
export interface RefusedResult {
  readonly event: string;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly result: Result;
}

/** The results for a goal that were not accepted, oldest first. */
export async function refusedResults(log: PlanLog, goal: string): Promise<readonly RefusedResult[]> {
  const events = await log.events();
  const submitted = events.some(
    (event) => event.type === 'goal_completed' && event.goal === goal && event.result !== undefined,
  );
  if (!submitted) return [];
  return [...replayHistory(events)].flatMap(({ event, verdict }) => {
    if (event.type !== 'goal_completed' || event.goal !== goal || event.result === undefined) return [];
    if (verdict.kind !== 'refused') return [];
    const { id, at, by, result } = event;
    return [{ event: id, at, by, reason: wordRefusal(verdict.refusal), result }];
  });
}
