import { isSameJson } from '../plan/changes.js';
import { replayHistory } from '../plan/history.js';
import type { PlanEvent } from '../plan/events.js';
import type { Problem } from '../plan/invariants.js';
import type { Plan } from '../plan/plan.js';
import { toPlanFile } from '../plan/plan-file.js';
import type { PlanFile } from '../plan/schema.js';

/**
 * Where a plan file says something else than its log up to the event that it names: it was edited by hand.
 * @param events the whole log in canonical order
 */
export function differencesFromLog(file: PlanFile, events: readonly PlanEvent[]): readonly Problem[] {
  const { log: position, goals: said, ...header } = file;
  if (position === undefined) return [];
  const last = events.findIndex(({ id }) => id === position.event);
  if (last === -1) return [differs('$.log.event', 'the plan file names an event that its log does not hold')];
  const plan = stateAfter(events.slice(0, last + 1));
  if (plan === null) return [];
  const { goals: logged, ...loggedHeader } = toPlanFile(plan);
  const ids = new Set([...Object.keys(said), ...Object.keys(logged)]);
  return [
    ...(isSameJson(header, loggedHeader)
      ? []
      : [differs('$', 'the plan file’s own fields differ from its log')]),
    ...[...ids]
      .filter((id) => !isSameJson(said[id], logged[id]))
      .map((id) => differs(`$.goals[${JSON.stringify(id)}]`, `goal ${id} differs from the log`)),
  ];
}

/** The state that events in canonical order come to. */
export function stateAfter(events: readonly PlanEvent[]): Plan | null {
  let plan: Plan | null = null;
  for (const { after } of replayHistory(events)) plan = after;
  return plan;
}

function differs(path: string, message: string): Problem {
  return { code: 'DIFFERS_FROM_LOG', path, message: `${message}; it was edited by hand` };
}
