import { LONGEST_TIMER_MS } from '../../../kernel/longest-timer.js';
import { executeRun, checkPlanConditions } from '../executor/execute-run.js';
import type { ExecutionEnd } from '../executor/execute-run.js';
import type { ExecutionEvent, ExecutorOptions } from '../executor/session.js';
import type { RunLog } from '../model/run-log.js';
import { wordRunRefusal } from '../model/run-refusals.js';
import type { Run } from '../model/run.js';
import type { RunSteps } from '../model/steps/run-step.js';
import { processStart } from '../../../host/processes/recorded-process.js';
import { pause } from '../../../host/pause.js';
import type { PlanError } from '../../../kernel/errors.js';
import { VERSION } from '../../../kernel/version.js';
import type { RunContext } from '../../../operations/operation.js';
import type { Context } from '../../../operations/shared/context.js';
import { noteSeen } from './approving/begun-here.js';
import { afterRun, refuseUncompletable } from './after-run.js';
import { refuseChangedTools } from './changed-tools.js';
import { refuseChangedFiles } from './named-files.js';
import {
  howToApprove,
  approvalToUse,
  checkedPlan,
  preflightRefusal,
  refuseByState,
  refuseChangedInputs,
  refuseOtherFolder,
  refuseUnasked,
} from './preflight.js';
import { refuseOtherPanes } from './panes-of-run.js';
import { openRunApprovals } from './run-approvals.js';
import type { RunApprovals } from './run-approvals.js';
import { reportOf } from './run-report.js';
import type { CarriedOut } from './run-report.js';
import { holdRun, runBusy, statusNow } from './run-state.js';
import { openTools } from './open-tools.js';
import { whatEnds } from './prepared-tools.js';
import { policyOfRun, policyRefusal } from './run-policy.js';
import type { PolicyRefusal } from './run-policy.js';

/** How a run is to be carried out. */
export interface CarryingOut {
  /** What is done about an outcome that nobody knows. */
  readonly onUnknown?: ExecutorOptions['onUnknown'] | undefined;
  /** The token of the claim under which the goal is completed afterwards. */
  readonly complete?: string | undefined;
  /** The longest that it may take, in milliseconds. */
  readonly timeout?: number | undefined;
  /** How long it stays when a person is asked, in milliseconds. */
  readonly waitMs?: number | undefined;
  /** Whether somebody is there who is asked. */
  readonly inPlace?: boolean | undefined;
  /** Runs what was prepared, also when the file has changed since. */
  readonly snapshot?: boolean | undefined;
  /** Of a worker: the id of the event that left the run to workers. */
  readonly workers?: string | undefined;
  /** Told when nothing refused it. */
  readonly onBegun?: () => void;
  /** Told what happens meanwhile. */
  readonly tell?: ((event: ExecutionEvent) => void) | undefined;
}

/**
 * Carries out a run that was prepared and approved, or goes on with it. Nothing runs unless everything is as it was
 * approved.
 * @throws PlanError as `plan run` does
 */
export async function carryOutRun(context: RunContext, log: RunLog, input: CarryingOut): Promise<CarriedOut> {
  await refuseByState(context, log);
  if (input.workers !== undefined) refuseOtherFolder(log.run);
  await refuseUncompletable(context, log.run, input.complete);
  const { steps } = await checkedPlan(log.run, input.snapshot === true);
  const approvals = await openRunApprovals(context, log.run.prepared);
  const approval = await approvalToUse(context, log, approvals);
  const policy = await policyOfRun(context, log.run);
  const tools = await openTools(context, {
    plan: steps.root.plan,
    dialect: steps.dialect,
    file: log.run.prepared.tools_file ?? undefined,
    confinement: policy?.source,
    run: log.run.id,
    host: steps.host,
    prepared: log.run.prepared,
    keep: (content) => log.keepBytes(content),
  });
  try {
    refuseChangedTools(log.run, steps, tools.toolbox);
    await refuseOtherPanes(log.run, steps, tools.toolbox);
    if (approval === null) await refuseUnasked(context, log.run, { steps, toolbox: tools.toolbox, policy });
    if (log.run.executor === null) {
      await refuseChangedFiles(log.run, steps, tools.toolbox);
      await refuseChangedInputs(log.run, steps, tools.toolbox);
    }
    const ready = { log, steps, approvals, approval, toolbox: tools.toolbox, refusal: policyRefusal(policy) };
    return await carryOut(context, input, ready);
  } finally {
    await tools.toolbox.close();
  }
}

interface Ready {
  readonly log: RunLog;
  readonly steps: RunSteps;
  readonly approvals: RunApprovals;
  readonly approval: string | null;
  readonly toolbox: ExecutorOptions['toolbox'];
  readonly refusal: PolicyRefusal;
}

async function carryOut(context: RunContext, input: CarryingOut, ready: Ready): Promise<CarriedOut> {
  const { log } = ready;
  const codes = new Map<string, string>();
  const tell = (event: ExecutionEvent) => {
    if (event.type === 'approval_asked') codes.set(event.step, event.code);
    input.tell?.(event);
  };
  const release = await holdRun(context, log.run);
  const timer = timeLimit(input.timeout);
  const options = executorOptions(context, input, ready, { tell, timeUp: timer.signal });
  try {
    const missed = log.run.executor === null ? await checkPlanConditions(options) : null;
    if (missed !== null)
      throw preflightRefusal(
        'E_PLAN_PRECONDITION_FAILED',
        log.run,
        missed.detail,
        'Make it hold, or prepare the run again.',
      );
    const end = await executed(options, await start(context, ready, input));
    if (end.kind === 'taken') throw taken(log.run);
    if (ready.approval !== null && log.run.ended !== null)
      await noteSeen(context.environment, log.run, 'ended');
    const after = await afterRun(context, log, input.complete);
    const ended = log.run.waiting.length === 0 ? [] : whatEnds(log.run.prepared.tools, ready.toolbox);
    return reportOf(log, await statusNow(log.run, context), {
      codes,
      isSigned: ready.approvals.isSigned,
      after,
      ended,
    });
  } finally {
    timer.release();
    await release();
  }
}

/** Carries it out; whatever goes wrong here, the log does not say that it is still carried out. */
async function executed(options: ExecutorOptions, executor: string): Promise<ExecutionEnd> {
  try {
    return await executeRun(options, executor);
  } catch (thrown) {
    const { log } = options;
    await log
      .append([{ type: 'run_interrupted', because: 'executor_lost', executor }])
      .catch(() => undefined);
    throw thrown;
  }
}

function executorOptions(
  context: RunContext,
  { onUnknown = 'verify', waitMs, inPlace }: CarryingOut,
  { log, steps, approvals, toolbox, refusal: refusalOfCall }: Ready,
  { tell, timeUp }: { readonly tell: (event: ExecutionEvent) => void; readonly timeUp: AbortSignal },
): ExecutorOptions {
  const never = new AbortController().signal;
  return {
    log,
    steps,
    toolbox,
    clock: {
      now: context.environment.now,
      wait: (ms, signal) => pause(Math.min(ms, LONGEST_TIMER_MS), signal),
    },
    stop: AbortSignal.any([context.signal ?? never, timeUp]),
    drop: AbortSignal.any([context.dropSignal ?? never, timeUp]),
    onUnknown,
    waitMs,
    inPlace,
    approvals: approvals,
    refusal: refusalOfCall,
    emit: tell,
  };
}

function timeLimit(ms: number | undefined): { readonly signal: AbortSignal; readonly release: () => void } {
  const up = new AbortController();
  const timer = ms === undefined ? undefined : setTimeout(() => up.abort(), Math.min(ms, LONGEST_TIMER_MS));
  return { signal: up.signal, release: () => clearTimeout(timer) };
}

/** Says that this process carries the run out from here on; the same event uses the approval up. @throws PlanError RUN_BUSY, E_PLAN_… */
async function start(
  { environment }: Context,
  { log, approval }: Ready,
  { workers, onBegun }: CarryingOut,
): Promise<string> {
  const started = await processStart(environment.pid);
  const replaces = log.run.executor?.id;
  const [outcome] = await log.append([
    {
      type: 'run_started',
      executor: {
        host: environment.host,
        pid: environment.pid,
        ...(started === undefined ? {} : { process_start: started }),
        version: VERSION,
      },
      ...(replaces === undefined ? {} : { replaces }),
      approval: replaces === undefined ? approval : null,
      ...(workers === undefined ? {} : { workers }),
    },
  ]);
  if (outcome?.refused === null) {
    if (approval !== null) await noteSeen(environment, log.run, 'begun');
    onBegun?.();
    return outcome.event.id;
  }
  const code = outcome?.refused.code ?? 'run_taken';
  if (code === 'run_taken') throw taken(log.run);
  const why = outcome?.refused == null ? '' : wordRunRefusal(outcome.refused);
  if (code === 'not_left')
    throw preflightRefusal('WRONG_STATE', log.run, why, 'Somebody has taken it from workers.');
  if (code === 'expired') throw preflightRefusal('E_PLAN_EXPIRED', log.run, why, 'Prepare it again.');
  if (code === 'ended') throw preflightRefusal('E_PLAN_CONSUMED', log.run, why, 'Prepare it again.');
  throw preflightRefusal('E_PLAN_APPROVAL_MISSING', log.run, why, howToApprove(log.run));
}

function taken(run: Run): PlanError {
  return runBusy(run.id, run.executor);
}
