import { isSameJson } from '../kernel/json/same-json.js';
import { replayHistory } from '../plan/history.js';
import type { PlanEvent } from '../plan/events.js';
import type { Problem } from '../plan/invariants.js';
import type { Plan } from '../plan/plan.js';
import { toPlanFile } from '../plan/snapshot/plan-file.js';
import type { PlanFile } from '../plan/schema.js';
import type { PlanLog } from './plan-store.js';

/** Where a plan file says something else than that part of its log which it reflects: it was edited by hand. */
export async function differencesFromLog(file: PlanFile, log: PlanLog): Promise<readonly Problem[]> {
  const { log: position, goals: said, crc: _checked, ...header } = file;
  if (position === undefined) return [];
  const events = await log.events(position);
  if (!events.some(({ id }) => id === position.event))
    return [
      {
        code: 'DIFFERS_FROM_LOG',
        path: '$.log.event',
        message:
          'the plan file shows an event that its log does not hold; `plan doctor` says what can be done',
      },
    ];
  const plan = stateAfter(events);
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

/**
 * The differences of a plan file from the state that its log comes to, member by member. What follows from the rest
 * is left out.
 */
export function partsThatDiffer(file: PlanFile, plan: Plan) {
  const { goals: said, ...header } = file;
  const { goals: logged, ...loggedHeader } = toPlanFile(plan);
  const ids = new Set([...Object.keys(said), ...Object.keys(logged)]);
  return {
    header: membersThatDiffer(header, loggedHeader).filter((name) => !FOLLOWS.has(name)),
    goals: Object.fromEntries(
      [...ids].flatMap((id) => {
        const members = membersThatDiffer(said[id] ?? {}, logged[id] ?? {});
        return members.length === 0 ? [] : [[id, members]];
      }),
    ),
  };
}

const FOLLOWS = new Set(['status', 'updated_at', 'log', 'crc', 'run', 'accepted_damage']);

function membersThatDiffer(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter(
    (name) => !isSameJson(one[name] ?? null, other[name] ?? null) || name in one !== name in other,
  );
}

/** The state that the events of a log in canonical order come to, to compare with a plan file. */
export function stateAfter(events: readonly PlanEvent[]): Plan | null {
  let plan: Plan | null = null;
  for (const { after } of replayHistory(events)) plan = after;
  return plan;
}

function differs(path: string, message: string): Problem {
  return { code: 'DIFFERS_FROM_LOG', path, message: `${message}; it was edited by hand` };
}
