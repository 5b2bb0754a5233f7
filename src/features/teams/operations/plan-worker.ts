import { setMaxListeners } from 'node:events';

import * as z from 'zod';

import { repeatedly } from '../../../host/repeatedly.js';
import { PlanError } from '../../../kernel/errors.js';
import { forwardAbort } from '../../../kernel/forward-abort.js';
import type { Team } from '../team.js';
import { createWorkerRuns } from '../runs/worker-runs.js';
import { defineOperation } from '../../../operations/operation.js';
import { field, toggle } from '../../../operations/shared/fields.js';
import { announcedPlans } from './announced-plans.js';
import { loadAhead } from './load-ahead.js';
import { createWorkerPlans } from './worker-plans.js';
import { sweepPlans } from './sweep-plans.js';
import { createNoRuns } from './worker-runs.js';
import type { WorkerRuns } from './worker-runs.js';
import { teamOf } from './team-of.js';
import { projectConfigSchema } from '../../../operations/settings/config.js';
import { DEFAULTS } from '../../../operations/settings/settings.js';

/** What sees to the runs that are left to workers. */
const MAKERS: readonly (typeof createNoRuns)[] = [createWorkerRuns];
const [createRuns = createNoRuns] = MAKERS;

/** How often a worker that is to end when all is done looks whether it is. */
const LOOK_MS = 250;
/** How often a worker looks whether what it plans has ended. */
const TELL_MS = 1000;
/** What is said before there is anything to say: a worker that has nothing to do is not stuck. */
const WAITING = 'Waiting for plans and runs that are left to workers. Ctrl-C ends this worker.';

const report = z
  .object({
    goals: z.int().nonnegative().describe('Goals that this worker has expanded.'),
    plans: z.array(z.string()).readonly().describe('Ids of the plans that they are of.'),
    runs: z
      .array(z.string())
      .readonly()
      .describe('Runs of action plans that it has carried out, or gone on with.'),
  })
  .readonly();

/**
 * Plans, as one of any number of workers, every plan of the database that workers are to plan, and carries out the runs of
 * action plans that are left to them. Whatever it has asked is stored when it ends; what it was at when it died is done by
 * others.
 * @throws PlanError WRONG_STATE for a store of files, INVALID_CONFIG, STORAGE_FAILED
 */
export const planWorker = defineOperation({
  input: z.strictObject({
    concurrency: field(
      projectConfigSchema.shape.concurrency,
      `most goals that it asks about, and runs that it carries out, at once (default: ${DEFAULTS.concurrency})`,
    ),
    untilDone: toggle('end when workers have nothing left to plan or to carry out'),
  }),
  output: report,
  examples: ['plan worker', 'plan worker --concurrency 2', 'plan worker --until-done'],
  mutates: true,
  interruptible: 'in steps',
  async run(context, { concurrency = DEFAULTS.concurrency, untilDone }): Promise<z.output<typeof report>> {
    const { emit } = context;
    const team = await teamOf(context);
    const over = new AbortController();
    const drop = new AbortController();
    const broken = new AbortController();
    for (const { signal } of [over, drop]) setMaxListeners(0, signal);
    const unlink = [
      forwardAbort(context.signal, over),
      forwardAbort(broken.signal, over),
      forwardAbort(context.dropSignal, drop),
    ];
    const workerPlans = createWorkerPlans({
      context,
      team,
      concurrency,
      signal: over.signal,
      drop: drop.signal,
      emit,
    });
    const runs = createRuns({
      context: { ...context, signal: over.signal, dropSignal: drop.signal },
      team,
    });
    const say = (message: string) => emit({ type: 'notice', message });
    const announced = announcedPlans({ team, read: (planId) => workerPlans.read(planId), say });
    const stopLooking = repeatedly(TELL_MS, () => announced.look(), { ref: false });
    const told = new Map<string, string>();
    const failed = new Map<string, string>();
    const expanded = new Map<string, number>();
    const leave = untilDone === true ? whenDone(team, runs, over) : () => undefined;
    try {
      await Promise.all([team.prepare(), loadAhead()]);
      if (untilDone !== true) say(WAITING);
      await team.work({
        concurrency,
        signal: over.signal,
        notice: say,
        async sweep() {
          await sweepPlans({ team, read: (planId) => workerPlans.read(planId), emit, told });
          await runs.sweep();
        },
        carryOut: (run) => runs.carryOut(run),
        avoided: () => runs.avoided(),
        async handle(job, ending) {
          const isExpanded = await workerPlans.handle(job, ending).catch((cause: unknown) => {
            if (cause instanceof PlanError) {
              if (failed.get(job.plan) !== cause.message) say(`${cause.message}; it is tried again`);
              failed.set(job.plan, cause.message);
            }
            // What is no trouble of the database, such as a program that was changed under it, is so for every job.
            else broken.abort(cause);
            throw cause;
          });
          if (!isExpanded) return;
          failed.delete(job.plan);
          expanded.set(job.plan, (expanded.get(job.plan) ?? 0) + 1);
          announced.begun(job.plan);
        },
      });
      await announced.look().catch(() => undefined);
    } finally {
      leave();
      stopLooking();
      workerPlans.close();
      for (const release of unlink) release();
    }
    if (broken.signal.aborted) throw broken.signal.reason;
    const goals = [...expanded.values()].reduce((sum, one) => sum + one, 0);
    return { goals, plans: [...expanded.keys()].toSorted(), runs: [...runs.taken].toSorted() };
  },
});

/** Ends a worker when no plan is planned by workers any more, and no run is left to them. @returns stops looking */
function whenDone(team: Team, runs: WorkerRuns, over: AbortController): () => void {
  return repeatedly(LOOK_MS, async () => {
    if ((await team.plans()).length === 0 && !(await runs.hasWork())) over.abort();
  });
}
