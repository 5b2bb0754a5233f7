import type { EventPayload } from '../../../plan/events.js';
import { namedGoal } from '../../../plan/goal-in-words.js';
import type { Plan } from '../../../plan/plan.js';
import { wordRefusal } from '../../../plan/refusals.js';
import type { Outcome, PlanLog } from '../../../storage/plan-store.js';
import type { Emit } from '../planning-progress.js';

/**
 * Stores the events of planning and reports each with what became of it.
 * @param onWritten called once a kill no longer loses them
 */
export async function appendAndTell(
  log: PlanLog,
  payloads: readonly EventPayload[],
  emit: Emit,
  onWritten?: () => void,
): Promise<readonly Outcome[]> {
  const outcomes = payloads.length === 0 ? [] : await log.append(payloads, undefined, onWritten);
  for (const { event, refused } of outcomes) {
    const reason = refused === null ? null : wordRefusal(refused, (id) => namedGoal(log.plan, id));
    emit({ type: 'changed', event, refused: reason, plan: log.plan });
  }
  return outcomes;
}

/** The event that counts what a reply cost whose event was refused, as for a goal that somebody removed meanwhile. */
export function usageOfRefused(plan: Plan, { event, refused }: Outcome): readonly EventPayload[] {
  if (refused === null || (event.type !== 'goal_expanded' && event.type !== 'goal_failed')) return [];
  if (event.usage === undefined) return [];
  return [
    {
      type: 'usage_added',
      because: `the reply was refused: ${wordRefusal(refused, (id) => namedGoal(plan, id))}`,
      usage: event.usage,
    },
  ];
}
