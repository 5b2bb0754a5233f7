import type { Result } from '../../plan/events/result.js';
import type { PlanEvent } from '../../plan/events.js';
import { replayHistory } from '../../plan/history.js';
import type { Usage } from '../../plan/schema.js';
import type { PlanLog } from '../../storage/plan-store.js';

/** What each completion in the history that counts submitted, by goal, for its digest; of several the last. */
export async function submittedResults(log: PlanLog): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  for (const event of await acceptedEvents(log)) {
    if (event.type !== 'goal_completed') continue;
    if (event.result === undefined) results.delete(event.goal);
    else results.set(event.goal, event.result);
  }
  return results;
}

/** The goals whose digest as it is was made after a model or an agent had been asked for one. */
export async function goalsAskedAbout(log: PlanLog): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  for (const event of await acceptedEvents(log)) {
    if (event.type === 'goal_digested' && wasAsked(event.usage)) asked.add(event.goal);
    else if (event.type === 'goal_digested' || event.type === 'goal_completed') asked.delete(event.goal);
  }
  return asked;
}

/** What an agent answered costs no call, and nobody knows what it cost. */
function wasAsked(usage: Usage | undefined): boolean {
  return usage !== undefined && (usage.calls > 0 || usage.cost_usd === null);
}

async function acceptedEvents(log: PlanLog): Promise<readonly PlanEvent[]> {
  const history = [...replayHistory(await log.events())];
  return history.flatMap(({ event, verdict }) => (verdict.kind === 'accepted' ? [event] : []));
}
