import * as z from 'zod';

import type { JsonValue } from '../../../kernel/json/json-value.js';
import { stampFields } from '../../../plan/events/stamp.js';
import type { EventStamp } from '../../../plan/events/stamp.js';
import { abortRequested } from './events/abort-requested.js';
import { attemptEnded } from './events/attempt-ended.js';
import { attemptStarted } from './events/attempt-started.js';
import { checked } from './events/checked.js';
import { codeRefused } from './events/code-refused.js';
import type { RunTransition } from './events/define-run-event.js';
import { itemsFixed } from './events/items-fixed.js';
import { leftToWorkers } from './events/left-to-workers.js';
import { outcomeSettled } from './events/outcome-settled.js';
import { pauseRequested } from './events/pause-requested.js';
import { runApproved } from './events/run-approved.js';
import { runEnded } from './events/run-ended.js';
import { runInterrupted } from './events/run-interrupted.js';
import { runPrepared } from './events/run-prepared.js';
import { runStarted } from './events/run-started.js';
import { signalGiven } from './events/signal-given.js';
import { stepEnded } from './events/step-ended.js';
import { stepSkipped } from './events/step-skipped.js';
import { waiting } from './events/waiting.js';
import type { Run } from './run.js';

/** Every event of a run, by its type: the one table. */
const RUN_EVENTS = {
  run_prepared: runPrepared,
  run_approved: runApproved,
  code_refused: codeRefused,
  run_started: runStarted,
  items_fixed: itemsFixed,
  attempt_started: attemptStarted,
  attempt_ended: attemptEnded,
  checked,
  outcome_settled: outcomeSettled,
  step_skipped: stepSkipped,
  step_ended: stepEnded,
  waiting,
  abort_requested: abortRequested,
  left_to_workers: leftToWorkers,
  pause_requested: pauseRequested,
  signal_given: signalGiven,
  run_interrupted: runInterrupted,
  run_ended: runEnded,
} as const;

type RunEvents = typeof RUN_EVENTS;
type RunEventType = keyof RunEvents;
export type RunPayloadOf<Type extends RunEventType> = z.infer<RunEvents[Type]['payload']>;
/** What happened, before the store stamps it with who, when and where. */
export type RunPayload = { [Type in RunEventType]: RunPayloadOf<Type> }[RunEventType];
export type RunEvent = { [Type in RunEventType]: RunPayloadOf<Type> & EventStamp }[RunEventType];

/** One line of the log of a run, without its `crc`. */
export const runEventSchema = z
  .discriminatedUnion('type', [
    runPrepared.event,
    ...Object.values(RUN_EVENTS)
      .map(({ event }) => event)
      .filter((event) => event !== runPrepared.event),
  ])
  .meta({
    title: 'frctl run event',
    description: 'Something that happened in a run, a line of its log. A run changes in no other way.',
  });

/** The event that a value is; null where it is none that this version knows. */
export function readRunEvent(value: unknown): RunEvent | null {
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  const { type } = value;
  if (typeof type !== 'string' || !Object.hasOwn(RUN_EVENTS, type)) return null;
  const schemas: Readonly<Record<string, { readonly event: z.ZodType<RunEvent> }>> = RUN_EVENTS;
  return schemas[type]?.event.safeParse(value).data ?? null;
}

/** The stamp alone: what is legible of an event whose type a newer version added. */
export const runStampSchema = z.looseObject({ ...stampFields, type: z.string() });

/** What the program knows of an event. */
interface RunEventRow {
  // As methods, for each row takes its own event and no other; `rowOf` finds it by the event's type.
  apply(run: Run | null, event: RunEvent): RunTransition;
  describe(event: RunEvent): string;
}

/** Finds what the program knows of an event. */
export function runEventRow(event: RunEvent): RunEventRow {
  const rows: Readonly<Record<RunEventType, RunEventRow>> = RUN_EVENTS;
  return rows[event.type];
}

/** The output that an event of a run has within it; undefined where it has none. */
export function outputWithin(event: RunEvent): JsonValue | undefined {
  return event.type === 'attempt_ended' || event.type === 'outcome_settled' ? event.output : undefined;
}
