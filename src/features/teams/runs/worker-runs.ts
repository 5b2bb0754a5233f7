import type { RunLog } from '../../runs/model/run-log.js';
import { messageOf, messageWithHint, PlanError } from '../../../kernel/errors.js';
import type { WorkerRuns, WorkerRunsOptions } from '../operations/worker-runs.js';
import type { ExecutionEvent } from '../../runs/executor/session.js';
import type { RunReport } from '../../runs/operations/run-report.js';
import { isForWorkers, runFinder } from './queued-runs.js';

/** So long a worker that cannot carry a run out leaves it to others before it tries again. */
const UNABLE_MS = 10_000;

/** Keeps what one worker knows of the runs that are left to workers. */
export function createWorkerRuns({ context, team }: WorkerRunsOptions): WorkerRuns {
  const avoided = new Map<string, number>();
  const told = new Map<string, string>();
  const taken = new Set<string>();
  const find = runFinder({ context, team, onUnreadable: sayOnce });

  return {
    taken,
    avoided() {
      for (const [run, until] of avoided) if (until <= performance.now()) avoided.delete(run);
      return [...avoided.keys()];
    },
    async carryOut(runId) {
      const log = await find(runId);
      if (log == null || !isForWorkers(log.run)) return;
      try {
        await carryOutFor(log, { context, team, say }, () => {
          taken.add(runId);
          told.delete(runId);
        });
      } catch (cause) {
        await leave(log, cause);
      }
    },
    async sweep() {
      for (const { run, hasJob } of await team.runs()) {
        const log = await find(run);
        if (log == null || !isForWorkers(log.run) || hasJob) continue;
        if (!(await team.isHeld(run))) await team.offerRun(run);
      }
    },
    async hasWork() {
      for (const { run } of await team.runs()) {
        const log = await find(run);
        if (log === undefined || (log !== null && isForWorkers(log.run))) return true;
      }
      return false;
    },
  };

  /** What keeps this worker from a run: somebody else has it, nobody can have it, or others may. */
  async function leave(log: RunLog, cause: unknown): Promise<void> {
    const code = cause instanceof PlanError ? cause.code : 'INTERNAL';
    const { id } = log.run;
    if (code === 'STORAGE_FAILED') {
      sayOnce(id, `${id}: ${messageOf(cause)}; it is tried again`);
      throw cause;
    }
    if (code === 'RUN_BUSY' || !isForWorkers(await log.refresh())) return;
    if (code === 'E_PLAN_EXPIRED') {
      say(messageOf(cause));
      await log.append([{ type: 'pause_requested', reason: messageOf(cause) }]);
      return;
    }
    sayOnce(id, `This worker leaves ${id} to others: ${messageWithHint(cause, problemOf(id, cause))}`);
    avoided.set(id, performance.now() + UNABLE_MS);
    await team.offerRun(id);
  }

  function sayOnce(runId: string, message: string): void {
    if (told.get(runId) !== message) say(message);
    told.set(runId, message);
  }

  function say(message: string): void {
    context.emit({ type: 'notice', message });
  }
}

/** What keeps a run from being carried out, without its name where that was said before. */
function problemOf(run: string, cause: unknown): string {
  const details = cause instanceof PlanError ? cause.details : {};
  return details.run === run && typeof details.problem === 'string' ? details.problem : messageOf(cause);
}

interface Carrying extends WorkerRunsOptions {
  readonly say: (message: string) => void;
}

async function carryOutFor(
  log: RunLog,
  { context, team, say }: Carrying,
  onBegun: () => void,
): Promise<void> {
  const { id, workers } = log.run;
  if (workers === null) return;
  const { carryOutRun } = await import('../../runs/operations/carry-out-run.js');
  // The code of a step is shown where the run is carried out, as by the command that does so.
  const tell = (event: ExecutionEvent) => {
    if (event.type === 'step_waits') say(`${id}: ${event.step} waits: ${event.message}`);
    if (event.type === 'approval_asked') say(`${id}: ${event.summary}: \`plan approve ${event.code}\``);
  };
  const report = await carryOutRun({ ...context, ...context.newChange() }, log, {
    tell,
    onUnknown: workers.on_unknown,
    snapshot: workers.snapshot,
    workers: workers.id,
    onBegun() {
      onBegun();
      say(`Carrying out ${id}.`);
    },
  });
  say(`${id}: ${endOf(report)}`);
  // Another worker goes on at once; this one ends.
  if (report.status === 'interrupted' && report.workers) await team.offerRun(id);
}

function endOf({ status, waiting, reason }: RunReport): string {
  const [asked] = waiting;
  if (asked !== undefined) return `waits for a person: ${asked.summary}`;
  return reason === null ? status : `${status}: ${reason}`;
}
