import { runEventRow } from './run-events.js';
import type { RunEvent } from './run-events.js';
import type { RunRefusal } from './run-refusals.js';
import type { Run } from './run.js';

/** What an event came to: the next state, or the run as it was and the reason. */
export interface AppliedToRun {
  readonly run: Run | null;
  /** Why the event was refused; null when it was accepted. */
  readonly refused: RunRefusal | null;
}

/**
 * The one way a run changes: pure, total and deterministic. Everybody who applies the events of a log in their order to
 * `null` has the same state.
 *
 * @param run the state before, or null before the event that makes the run
 */
export function applyRun(run: Run | null, event: RunEvent): AppliedToRun {
  const transition = runEventRow(event).apply(run, event);
  if (transition.kind === 'refused') return { run, refused: transition.refusal };
  return { run: { ...transition.run, updated_at: event.at }, refused: null };
}
