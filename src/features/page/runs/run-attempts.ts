import type { Context } from '../../../operations/shared/context.js';
import { openRunState } from '../../runs/operations/run-state.js';

/** One attempt at a step of a run. */
export interface RunAttempt {
  readonly step: string;
  readonly attempt: number;
  readonly tool: string;
  /** Null while it is under way, or where nobody wrote down how it ended. */
  readonly outcome: 'succeeded' | 'failed' | 'timed_out' | 'lost' | 'not_sent' | null;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly error: string | null;
}

/** So many attempts are told at most, the last ones. */
const MOST_ATTEMPTS = 2000;

/** The attempts of a run in the order in which they began. @throws PlanError E_PLAN_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED */
export async function attemptsOf(context: Context, run: string): Promise<readonly RunAttempt[]> {
  const log = await openRunState(context, run);
  const attempts = new Map<string, RunAttempt>();
  for (const event of await log.events()) {
    if (event.type === 'attempt_started') {
      const { step, attempt, tool, at } = event;
      attempts.set(`${step} ${attempt}`, {
        step,
        attempt,
        tool,
        outcome: null,
        started_at: at,
        ended_at: null,
        error: null,
      });
    }
    if (event.type !== 'attempt_ended') continue;
    const name = `${event.step} ${event.attempt}`;
    const known = attempts.get(name);
    if (known?.ended_at === null)
      attempts.set(name, {
        ...known,
        outcome: event.outcome,
        ended_at: event.at,
        error: event.error === undefined ? null : `${event.error.code}: ${event.error.message}`,
      });
  }
  return [...attempts.values()].slice(-MOST_ATTEMPTS);
}
