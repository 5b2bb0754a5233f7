import * as z from 'zod';

import { NOT_PLAIN, readPlain } from '../kernel/json/plain-shape.js';
import type { OpenedGoal } from './apply/opened-goals.js';
import type { Transition } from './events/define-event.js';
import { dependenciesLinked } from './events/editing/dependencies-linked.js';
import { decisionMade } from './events/editing/decision-made.js';
import { dependenciesChanged } from './events/editing/dependencies-changed.js';
import { expansionRolledBack } from './events/editing/expansion-rolled-back.js';
import { goalEdited } from './events/editing/goal-edited.js';
import { goalMoved } from './events/editing/goal-moved.js';
import { goalRemoved } from './events/editing/goal-removed.js';
import { goalReplanned } from './events/editing/goal-replanned.js';
import { goalsAdded } from './events/editing/goals-added.js';
import { goalsMerged } from './events/editing/goals-merged.js';
import { changeUndone } from './events/plan/change-undone.js';
import { damageAccepted } from './events/plan/damage-accepted.js';
import { planArchived } from './events/plan/plan-archived.js';
import { planCreated } from './events/plan/plan-created.js';
import { planImported } from './events/plan/plan-imported.js';
import { planRestored } from './events/plan/plan-restored.js';
import { planUnarchived } from './events/plan/plan-unarchived.js';
import { goalExpanded } from './events/planning/goal-expanded.js';
import { planPaused } from './events/planning/plan-paused.js';
import { planningEnded } from './events/planning/planning-ended.js';
import { planningEstimated } from './events/planning/planning-estimated.js';
import { planningStarted } from './events/planning/planning-started.js';
import { callBegun } from './events/planning/call-begun.js';
import { usageAdded } from './events/planning/usage-added.js';
import { PLAIN_EVENTS } from './events/plain-events.js';
import { stampFields } from './events/stamp.js';
import type { EventStamp } from './events/stamp.js';
import { actionPlanLinked } from './events/work/action-plan-linked.js';
import { actionPlanRun } from './events/work/action-plan-run.js';
import { claimReleased } from './events/work/claim-released.js';
import { claimRenewed } from './events/work/claim-renewed.js';
import { goalClaimed } from './events/work/goal-claimed.js';
import { goalCompleted } from './events/work/goal-completed.js';
import { goalDigested } from './events/work/goal-digested.js';
import { goalFailed } from './events/work/goal-failed.js';
import { goalHoldEnded } from './events/work/goal-hold-ended.js';
import { goalPutOnHold } from './events/work/goal-put-on-hold.js';
import { goalReopened } from './events/work/goal-reopened.js';
import { workAttempted } from './events/work/work-attempted.js';
import type { Plan } from './plan.js';

/**
 * Every event, by its type: the one table. What is written and read, what it does, what it says of itself and
 * what `undo` may take back all follow from it.
 */
const EVENTS = byType({
  plan_created: planCreated,
  plan_imported: planImported,
  goal_expanded: goalExpanded,
  goal_failed: goalFailed,
  goal_completed: goalCompleted,
  goal_reopened: goalReopened,
  goal_digested: goalDigested,
  goal_put_on_hold: goalPutOnHold,
  goal_hold_ended: goalHoldEnded,
  goal_claimed: goalClaimed,
  claim_renewed: claimRenewed,
  claim_released: claimReleased,
  goal_replanned: goalReplanned,
  expansion_rolled_back: expansionRolledBack,
  goals_added: goalsAdded,
  goal_edited: goalEdited,
  goal_moved: goalMoved,
  goal_removed: goalRemoved,
  goals_merged: goalsMerged,
  dependencies_changed: dependenciesChanged,
  dependencies_linked: dependenciesLinked,
  decision_made: decisionMade,
  planning_started: planningStarted,
  planning_estimated: planningEstimated,
  planning_ended: planningEnded,
  plan_paused: planPaused,
  plan_archived: planArchived,
  plan_unarchived: planUnarchived,
  action_plan_linked: actionPlanLinked,
  action_plan_run: actionPlanRun,
  work_attempted: workAttempted,
  call_begun: callBegun,
  usage_added: usageAdded,
  change_undone: changeUndone,
  plan_restored: planRestored,
  damage_accepted: damageAccepted,
});

type Events = typeof EVENTS;
export type EventType = keyof Events;
export type PayloadOf<Type extends EventType> = z.infer<Events[Type]['payload']>;
/** What happened, before the store stamps it with who, when and where. */
export type EventPayload = { [Type in EventType]: PayloadOf<Type> }[EventType];
export type PlanEvent = { [Type in EventType]: PayloadOf<Type> & EventStamp }[EventType];
export type { EventStamp };

export const EVENT_TYPES: readonly EventType[] = Object.values(EVENTS).map(({ type }) => type);

/** One line of an event log, without its `crc`. */
export const eventSchema = z
  .discriminatedUnion('type', atLeastOne(Object.values(EVENTS).map(({ event }) => event)))
  .meta({
    title: 'frctl event',
    description: 'One change of a plan, a line of its event log. A plan changes in no other way.',
  });

/**
 * The event that a value is; null where it is none that this version knows. Only the schema of its own type is looked
 * into, for those of all take long to make.
 */
export function readEvent(value: unknown): PlanEvent | null {
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type)) return null;
  const shape = PLAIN_EVENTS[type];
  const plain = shape === undefined ? NOT_PLAIN : readPlain(value, shape);
  if (isPlainEvent(plain)) return plain;
  const schemas: Readonly<Record<string, { readonly event: z.ZodType<PlanEvent> }>> = EVENTS;
  return schemas[type]?.event.safeParse(value).data ?? null;
}

/** Whether an event was read by its shape, which accepts nothing that its schema would not. */
function isPlainEvent(plain: unknown): plain is PlanEvent {
  return plain !== NOT_PLAIN;
}

/** The stamp alone: what is legible of an event whose type a newer version added. */
export const eventStampSchema = z.looseObject({ ...stampFields, type: z.string() });

/** What the program knows of an event. */
interface EventRow {
  readonly touches: 'its_goal' | 'any_goal';
  readonly undoable: boolean;
  // As methods, for each row takes its own event and no other; `rowOf` finds it by the event's type.
  apply(plan: Plan | null, event: PlanEvent): Transition;
  opens(event: PlanEvent, plan: Plan): readonly OpenedGoal[];
  describe(event: PlanEvent, named: (goalId: string) => string, before: Plan | null): string;
}

/** Finds what the program knows of an event. */
export function definitionOf(event: PlanEvent): EventRow {
  const rows: Readonly<Record<EventType, EventRow>> = EVENTS;
  return rows[event.type];
}

/** A table whose every row is under its own type. */
function byType<Table extends { readonly [Type in keyof Table]: { readonly type: Type } }>(
  table: Table,
): Table {
  return table;
}

function atLeastOne<T>([first, ...rest]: readonly T[]): [T, ...T[]] {
  if (first === undefined) throw new TypeError('a table of events has at least one');
  return [first, ...rest];
}
