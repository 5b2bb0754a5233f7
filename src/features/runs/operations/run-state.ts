import { isRunning } from '../../../host/processes/recorded-process.js';
import type { RunLog } from '../model/run-log.js';
import { runStatus } from '../model/run.js';
import type { Run, RunExecutor, RunStatus } from '../model/run.js';
import { PlanError } from '../../../kernel/errors.js';
import type { Context } from '../../../operations/shared/context.js';
import { RUN_TEAM, RUNS } from '../parts.js';

/**
 * Whether the state of a run may still change by the process that it was started by: it may be alive. One of another
 * machine may be, unless runs are in a database, which tells.
 */
export async function isExecutorAlive(run: Run, context: Context): Promise<boolean> {
  const { executor, running } = run;
  if (!running || executor === null) return false;
  const { environment } = context;
  const team = await context.partIfAny(RUN_TEAM);
  if (team !== null) return team.isHeld(run.id);
  return executor.host !== environment.host || isRunning(executor);
}

/**
 * Holds a run, where runs are in a database, so that others can tell whether its executor lives.
 * @returns lets it go
 * @throws PlanError RUN_BUSY, STORAGE_FAILED
 */
export async function holdRun(context: Context, run: Run): Promise<() => Promise<void>> {
  const team = await context.partIfAny(RUN_TEAM);
  if (team === null) return async () => undefined;
  const release = await team.hold(run.id);
  if (release === null) throw runBusy(run.id, run.executor);
  return release;
}

/** The state of a run in a word, told by its log, the clock, and whether its executor lives. */
export async function statusNow(run: Run, context: Context): Promise<RunStatus> {
  const status = runStatus(run, context.environment.now());
  return status === 'running' && !(await isExecutorAlive(run, context)) ? 'interrupted' : status;
}

/**
 * The state of a run as it is now, and how far it is. One that seems to have lost its executor is read once more:
 * that may have ended, and have said so, since the run was read.
 * @throws PlanError STORAGE_FAILED
 */
export async function runNow(
  run: Run,
  context: Context,
): Promise<{ readonly run: Run; readonly status: RunStatus }> {
  const status = await statusNow(run, context);
  if (status !== 'interrupted' || !run.running) return { run, status };
  // One that was removed meanwhile is told of as it was.
  const log = await openRunState(context, run.id).catch(() => null);
  return log === null ? { run, status } : { run: log.run, status: await statusNow(log.run, context) };
}

/**
 * The error for a run whose state is that another process carries it out.
 * @param executor null where it has not yet said in the log which it is
 */
export function runBusy(run: string, executor: Pick<RunExecutor, 'host' | 'pid'> | null): PlanError {
  const who = executor === null ? 'another process' : `process ${executor.pid} on ${executor.host}`;
  return new PlanError('RUN_BUSY', `${who} is carrying out ${run}`, {
    hint: {
      commandLine: `\`plan runs show ${run}\` shows how far it is; \`plan abort ${run}\` ends it. Where that process is gone for good, \`plan abort ${run} --force\` ends the run.`,
    },
    details: { run, host: executor?.host ?? null, pid: executor?.pid ?? null },
  });
}

/**
 * Opens a run of the store with its state.
 * @throws PlanError E_PLAN_NOT_FOUND, STORE_NOT_FOUND, STORE_DAMAGED, STORAGE_FAILED
 */
export async function openRunState(context: Context, name: string): Promise<RunLog> {
  return (await context.part(RUNS)).open(name);
}

/**
 * Refuses to go on with a run whose state the log cannot tell: unknown is not never.
 * @throws PlanError STORE_DAMAGED, UNSUPPORTED_VERSION
 */
export function refuseDamaged({ damage, run }: RunLog): void {
  const first = damage.find(({ kind }) => kind !== 'torn');
  if (first === undefined) return;
  const code = first.kind === 'unknown' ? 'UNSUPPORTED_VERSION' : 'STORE_DAMAGED';
  throw new PlanError(
    code,
    `the log of ${run.id} cannot be read at ${first.place}: ${first.reason}; what was done is not known for sure`,
    {
      hint: {
        commandLine: `\`plan runs show ${run.id}\` shows the rest. Look what was done, and prepare what is left again.`,
      },
      details: { run: run.id, offset: first.offset },
    },
  );
}
