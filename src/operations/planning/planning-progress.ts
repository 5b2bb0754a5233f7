import type { PlanError } from '../../kernel/errors.js';
import type { PlanEvent } from '../../plan/events.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal, Summary, Warning } from '../../plan/schema.js';
import { streamed } from '../shared/streamed.js';
import type { Streamed } from '../shared/streamed.js';

/** Something that happens while a plan is made. */
export type PlanningEvent =
  /** A change was stored. `plan` is the state after it. */
  | {
      readonly type: 'changed';
      readonly event: PlanEvent;
      readonly refused: string | null;
      readonly plan: Plan;
    }
  | { readonly type: 'expansion_started'; readonly goal: Goal }
  | { readonly type: 'expansion_ended'; readonly goal: Goal }
  | {
      /** A result that stands already, whatever comes of what is still asked. */
      readonly type: 'partialResult';
      readonly result: unknown;
    }
  /** Something the user should know: a retry, a fallback, what plans in a model's place. */
  | {
      readonly type: 'notice';
      readonly message: string;
      /** What it says again and again as it changes, such as that a server is rate-limited: the last one counts. */
      readonly topic?: string;
      /** Set for what the repository has decided; it is among the warnings of the result as well. */
      readonly warning?: Warning;
    };

/** What planning came to. */
export interface PlanningResult {
  readonly plan: Summary;
  /** What the repository has decided about how it is planned, such as methods of its own. */
  readonly warnings: readonly Warning[];
  /** Why planning stopped before everything was planned; null when nothing is left to plan. */
  readonly stopped: PlanError | null;
}

/**
 * Planning under way: iterate it for its events, await `result` for what it came to. Either may be used
 * alone; until iteration begins, the last thousand events wait.
 */
export type PlanningRun<Result extends PlanningResult = PlanningResult> = Streamed<PlanningEvent, Result>;

export type Emit = (this: void, event: PlanningEvent) => void;

/** Starts work that reports its progress in events of planning and makes a result. */
export function startRun<Result extends PlanningResult>(
  work: (emit: Emit) => Promise<Result>,
): PlanningRun<Result> {
  const warnings: Warning[] = [];
  return streamed<PlanningEvent, Result>(async (tell) => {
    const done = await work((event) => {
      if (event.type === 'notice' && event.warning !== undefined) warnings.push(event.warning);
      tell(event);
    });
    return { ...done, warnings: [...done.warnings, ...warnings] };
  });
}
