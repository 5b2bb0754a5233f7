import { PlanError } from '../errors.js';
import { changesBetween } from '../plan/changes.js';
import type { GoalChange } from '../plan/changes.js';
import type { PlanEvent } from '../plan/events.js';
import { replayHistory } from '../plan/history.js';
import { summarize } from '../plan/plan.js';
import type { Summary } from '../plan/schema.js';
import type { Context } from './context.js';
import { findPlan } from './find-plan.js';
import { refuseArchived } from './resume-plan.js';

export interface Undone {
  readonly plan: Summary;
  /** The event that was undone, and the goals that are as they were before it. */
  readonly undone: {
    readonly event: string;
    readonly type: string;
    readonly at: string;
    readonly by: string;
  };
  readonly goals: readonly string[];
}

interface Change {
  readonly event: PlanEvent;
  readonly changes: readonly GoalChange[];
}

/**
 * Takes back the last accepted change of goals that is not undone yet, by appending its inverse; called
 * again it goes one further back. What calls have cost stays counted.
 * @throws PlanError WRONG_STATE when there is nothing to undo, REFUSED when a goal has changed since
 */
export async function undoChange(context: Context, name: string | undefined): Promise<Undone> {
  const log = await findPlan(context.store(), name);
  refuseArchived(log);
  const last = lastChange(await log.events());
  if (last === null)
    throw new PlanError('WRONG_STATE', 'there is no change to undo', {
      hint: '`plan log` shows what there was.',
    });
  const { event, changes } = last;
  const payload = {
    type: 'change_undone' as const,
    undoes: event.id,
    changes: changes.map(({ goal, before, after }) => ({ goal, before, after })),
  };
  const [outcome] = await log.append([payload]);
  if (outcome !== undefined && outcome.refused !== null) {
    throw new PlanError('REFUSED', `the change cannot be undone: ${outcome.refused}`, {
      hint: '`plan log` shows what came after it.',
    });
  }
  await log.publish('now');
  return {
    plan: summarize(log.plan),
    undone: { event: event.id, type: event.type, at: event.at, by: event.by },
    goals: changes.map(({ goal }) => goal),
  };
}

function lastChange(events: readonly PlanEvent[]): Change | null {
  const undone = new Set(events.flatMap((event) => (event.type === 'change_undone' ? [event.undoes] : [])));
  let last: Change | null = null;
  for (const { event, verdict, before, after } of replayHistory(events)) {
    if (verdict.kind !== 'accepted' || before === null || after === null) continue;
    if (event.type === 'change_undone' || event.type === 'plan_restored' || undone.has(event.id)) continue;
    const changes = changesBetween(before, after);
    if (changes.length > 0) last = { event, changes };
  }
  return last;
}
