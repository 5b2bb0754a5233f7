import type { ActionStep } from '../../actions/model/action-plan.js';
import { PlanError } from '../../../kernel/errors.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { RunEvent, RunPayload, RunPayloadOf } from '../model/run-events.js';
import type { RunLog } from '../model/run-log.js';
import { wordRunRefusal } from '../model/run-refusals.js';
import type { RunRefusal } from '../model/run-refusals.js';
import { instanceInRun } from '../model/run.js';
import type { Instance } from '../model/instance.js';
import type { Run, RunApproval } from '../model/run.js';
import type { ExpectedFiles } from './expected-files.js';
import type { NamedFiles } from './named-files.js';
import type { StepOrder } from '../model/steps/order.js';
import type { RunSteps } from '../model/steps/run-step.js';
import type { Toolbox } from '../model/tool.js';
import type { RunOutputs } from '../model/values/run-values.js';

/** What is done about an outcome that nobody knows: look at the verifications, else ask; always ask; or count it as failed. */
type OnUnknown = 'verify' | 'ask' | 'fail';

/** Time, as an executor needs it. */
interface RunClock {
  /** Milliseconds since 1970. */
  now(this: void): number;
  /** Waits so many milliseconds, or until the signal says so. */
  wait(this: void, ms: number, signal: AbortSignal): Promise<void>;
}

/** How a person is asked to approve a step, and how it is known that it was a person. */
export interface StepApprovals {
  /** Draws a one-time code for a step, where codes approve and no more wait than may. */
  ask(step: string, argsDigest: string): Promise<StepQuestion>;
  /** How many people must agree to a step. */
  readonly needed: number;
  /** Whether these approvals, as far as their proofs hold here, are those of as many people as must agree. */
  areEnough(approvals: readonly RunApproval[]): Promise<boolean>;
}

/** A question about a step, and until when it can be answered. */
export interface StepQuestion {
  readonly expires_at: string;
  /** Null where a signature answers it, or too many codes are out. */
  readonly drawn: AskedApproval | null;
  /** What a person has to know who finds no code; null where there is nothing. */
  readonly note: string | null;
}

/** A question that a person answers with a code. */
export interface AskedApproval {
  readonly code: string;
  readonly stored: string;
  /** Whose key has drawn it. */
  readonly key: string;
  readonly expires_at: string;
}

/** Something that happens while a run is carried out. */
export type ExecutionEvent =
  | { readonly type: 'run_event'; readonly event: RunEvent; readonly run: Run }
  /** What a call that is under way waits for. */
  | { readonly type: 'step_waits'; readonly step: string; readonly message: string }
  /** A person is asked to approve a step. The code is shown once, and stored nowhere. */
  | {
      readonly type: 'approval_asked';
      readonly step: string;
      readonly summary: string;
      readonly code: string;
      readonly expires_at: string;
      /** Whether the executor stays for the answer. */
      readonly isKept: boolean;
    };

/** What a run is carried out with. */
export interface ExecutorOptions {
  readonly log: RunLog;
  readonly steps: RunSteps;
  readonly toolbox: Toolbox;
  readonly clock: RunClock;
  /** No further attempt is begun; what is under way ends. */
  readonly stop: AbortSignal;
  /** Drops the calls that are under way. */
  readonly drop: AbortSignal;
  readonly onUnknown: OnUnknown;
  /** Where it is left out, a step that needs an approval waits without a code. */
  readonly approvals?: StepApprovals | undefined;
  /** Why the policy refuses a call, now that its arguments are known; null where it does not. */
  readonly refusal?: ((step: ActionStep, args: JsonObject) => string | null) | undefined;
  readonly emit: (event: ExecutionEvent) => void;
  /** Milliseconds for which it stays, with all that it has opened, when a person is asked; where it is left out, none. */
  readonly waitMs?: number | undefined;
  /** Whether somebody is there who is asked with a code: then it stays though nobody said how long. */
  readonly inPlace?: boolean | undefined;
  /** Milliseconds that a tool is given to end after it was told to (default 5,000). */
  readonly graceMs?: number | undefined;
  /** Milliseconds between two looks at a verification (default 250). */
  readonly pollMs?: number | undefined;
}

/** Why an executor goes no further, though the run is not over. */
export type HaltCause = 'signal' | 'waiting' | 'aborted' | 'taken';

/** Thrown within an executor so that it goes no further. What is to be asked is written when all that is under way has ended. */
export class Halted extends Error {
  override readonly name = 'Halted';
  readonly because: HaltCause;
  readonly asks: readonly RunPayloadOf<'waiting'>[];

  constructor(because: HaltCause, asks: readonly RunPayloadOf<'waiting'>[] = []) {
    super(because);
    this.because = because;
    this.asks = asks;
  }
}

/** An executor at work. */
export interface Session extends ExecutorOptions {
  readonly order: StepOrder;
  readonly outputs: RunOutputs;
  readonly expected: ExpectedFiles;
  readonly named: NamedFiles;
  /** Id of the start that this executor made. */
  readonly executor: string;
  /** Drops calls for whatever reason: a second signal, an abort, another executor. */
  readonly dropped: AbortSignal;
  /** Writes events, each of which must be accepted. @throws Halted when the run is another executor’s, or over */
  append(payloads: readonly RunPayload[]): Promise<void>;
  instance(name: string): Instance;
  /** @throws Halted when no further attempt is to be begun */
  refuseToStop(): void;
}

/** The codes of refusals that say that somebody else has the run, or has ended it. */
const TAKEN: ReadonlySet<RunRefusal['code']> = new Set(['run_taken', 'not_running', 'ended']);

/** Appends events and tells of each; one that is refused ends what goes on. @throws Halted, PlanError */
export async function appendInSession(
  { log, emit }: Pick<ExecutorOptions, 'log' | 'emit'>,
  payloads: readonly RunPayload[],
): Promise<void> {
  for (const { event, refused } of await log.append(payloads)) {
    if (refused === null) {
      emit({ type: 'run_event', event, run: log.run });
      continue;
    }
    if (TAKEN.has(refused.code)) throw new Halted('taken');
    const code = refused.code === 'tool_changed' ? 'E_TOOL_CHANGED' : 'INTERNAL';
    throw new PlanError(code, `the run could not go on: ${wordRunRefusal(refused)}`, {
      details: { run: log.run.id, refusal: refused.code },
    });
  }
}

/** What the log tells of an instance. */
export function instanceInSession(log: RunLog, name: string): Instance {
  return instanceInRun(log.run, name);
}
