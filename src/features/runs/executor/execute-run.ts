import { setMaxListeners } from 'node:events';

import { repeatedly } from '../../../host/repeatedly.js';
import type { RunPayload } from '../model/run-events.js';
import type { RunLog } from '../model/run-log.js';
import type { RunEnd } from '../model/run.js';
import { orderOf } from '../model/steps/order.js';
import { NO_ITERATION } from '../model/values/resolve.js';
import { outputsOf } from '../model/values/run-values.js';
import { expectedFiles } from './expected-files.js';
import { checkConditions } from './check-conditions.js';
import { namedFiles } from './named-files.js';
import { runList } from './run-list.js';
import { appendInSession, Halted, instanceInSession } from './session.js';
import type { ExecutorOptions, Session } from './session.js';
import type { ConditionResult } from '../model/tool.js';

/** How often an executor looks whether somebody asks it to stop, in milliseconds. */
const LOOK_EVERY_MS = 250;

/** What carrying out a run came to, this time. */
export type ExecutionEnd =
  | { readonly kind: 'ended'; readonly end: RunEnd }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'interrupted' }
  /** Another executor has the run. */
  | { readonly kind: 'taken' };

/**
 * Carries out a run that was started, or goes on with it. Every call is written down before it is made and after it
 * has ended; what the log says is done is not done again.
 * @param executor id of the start that the run was begun with
 * @throws PlanError STORAGE_FAILED; what was under way is then of unknown outcome
 */
export async function executeRun(options: ExecutorOptions, executor: string): Promise<ExecutionEnd> {
  const over = new AbortController();
  const { session, release } = openSession(options, executor, over);
  try {
    const { failed } = await runList(session, options.steps.root, NO_ITERATION);
    await session.append([
      failed === null
        ? { type: 'run_ended', outcome: 'succeeded' }
        : { type: 'run_ended', outcome: 'failed', failed: failed.step, reason: failed.error.message },
    ]);
    return endOf(options.log);
  } catch (thrown) {
    if (!(thrown instanceof Halted)) throw thrown;
    return await halt(options, thrown, executor);
  } finally {
    release();
  }
}

/**
 * Looks at the preconditions of the plan before a run is executed.
 * @returns what the first said that does not hold; null when all hold
 */
export async function checkPlanConditions(options: ExecutorOptions): Promise<ConditionResult | null> {
  const { session, release } = openSession(options, '', new AbortController());
  try {
    const checks = options.steps.root.plan.preconditions ?? [];
    return await checkConditions(session, { step: null, kind: 'precondition', checks, resolver: null });
  } catch (thrown) {
    // Nothing was begun that could go on.
    if (thrown instanceof Halted)
      return { ok: false, detail: 'it was stopped while its preconditions were checked' };
    throw thrown;
  } finally {
    release();
  }
}

function openSession(
  options: ExecutorOptions,
  executor: string,
  taken: AbortController,
): { readonly session: Session; readonly release: () => void } {
  const { log, steps, stop, drop } = options;
  const dropped = AbortSignal.any([drop, taken.signal]);
  const paused = new AbortController();
  const stopped = AbortSignal.any([stop, paused.signal]);
  // Every call under way listens to them.
  for (const signal of [stop, drop, dropped, stopped]) setMaxListeners(0, signal);
  const isAborted = () => log.run.abort_requested !== null || log.run.ended !== null;
  const session: Session = {
    ...options,
    stop: stopped,
    order: orderOf(steps),
    outputs: outputsOf(log),
    expected: expectedFiles(log, options.toolbox),
    named: namedFiles(log, executor, options.clock.now),
    executor,
    dropped,
    append: (payloads) => appendInSession(options, payloads),
    instance: (name) => instanceInSession(log, name),
    refuseToStop() {
      if (isAborted()) throw new Halted('aborted');
      // Whoever was told of the pause need not wait for the next look at the log.
      if (stopped.aborted || dropped.aborted || log.run.pausing) throw new Halted('signal');
    },
  };
  if (executor === '') return { session, release: () => undefined };
  const release = repeatedly(LOOK_EVERY_MS, async () => {
    await log.refresh();
    if (isAborted() || log.run.executor?.id !== executor) taken.abort();
    if (log.run.pausing) paused.abort();
  });
  return { session, release };
}

/** Writes down why the run goes no further for now. */
async function halt(options: ExecutorOptions, halted: Halted, executor: string): Promise<ExecutionEnd> {
  const { log } = options;
  await log.refresh();
  const because = log.run.abort_requested === null ? halted.because : 'aborted';
  try {
    switch (because) {
      case 'waiting':
        await appendInSession(options, halted.asks);
        return { kind: 'waiting' };
      case 'signal':
        await appendInSession(options, [{ type: 'run_interrupted', because: 'signal', executor }]);
        return { kind: 'interrupted' };
      case 'aborted':
        await appendInSession(options, [aborted(log)]);
        return endOf(log);
      case 'taken':
        return log.run.ended === null ? { kind: 'taken' } : endOf(log);
    }
  } catch (thrown) {
    if (!(thrown instanceof Halted)) throw thrown;
    return log.run.ended === null ? { kind: 'taken' } : endOf(log);
  }
}

function aborted({ run }: RunLog): RunPayload {
  const reason = run.abort_requested ?? '';
  return { type: 'run_ended', outcome: 'aborted', ...(reason === '' ? {} : { reason }) };
}

function endOf({ run }: RunLog): ExecutionEnd {
  return run.ended === null ? { kind: 'taken' } : { kind: 'ended', end: run.ended };
}
