import { PlanError } from '../../../../kernel/errors.js';
import type { Diagnosis } from '../../../../storage/maintenance.js';
import type { Context } from '../../../../operations/shared/context.js';
import type { Purge, PurgedPlan } from '../../../../operations/shared/hooks.js';
import { RUNS } from '../../parts.js';
import { statusNow } from '../run-state.js';

/**
 * Finds the runs that carry out goals of a plan, which go with it.
 * @throws PlanError WRONG_STATE while one of them is carried out, or can be continued: somebody has to end it first
 */
export async function runsOfPurged(context: Context, { id: plan }: PurgedPlan): Promise<Purge> {
  const store = await context.partIfAny(RUNS);
  if (store === null) return { runs: [], drop: async () => undefined };
  const { runs } = await store.list();
  const own = runs.filter(({ prepared }) => prepared.goal?.startsWith(`${plan}-`) === true);
  for (const run of own) {
    const status = await statusNow(run, context);
    if (status === 'running' || status === 'waiting' || status === 'interrupted')
      throw new PlanError('WRONG_STATE', `${run.id} carries out a goal of this plan and is not over`, {
        hint: {
          commandLine: `\`plan runs show ${run.id}\` shows how far it is; \`plan abort ${run.id}\` ends it, and \`plan runs prune ${run.id}\` removes one whose log is damaged.`,
        },
        details: { run: run.id, status },
      });
  }
  const ids = own.map(({ id }) => id);
  return {
    runs: ids,
    async drop() {
      for (const run of ids) await store.purge(run);
    },
  };
}

/** What keeps the logs of runs of a plan from being read as a whole. */
export async function runDiagnoses(context: Pick<Context, 'partIfAny'>): Promise<readonly Diagnosis[]> {
  const store = await context.partIfAny(RUNS);
  if (store === null) return [];
  const { runs, problems } = await store.list();
  const unreadable = problems.map(({ run, message }): Diagnosis => ({
    code: 'RUN_UNREADABLE',
    severity: 'error',
    file: store.locationOf(run),
    message,
    cure: `Look what it did. \`plan runs prune ${run}\` removes it.`,
  }));
  const damaged: Diagnosis[] = [];
  for (const { id, ended } of runs) {
    const { damage } = await store.open(id);
    const lines = damage.filter(({ kind }) => kind !== 'torn');
    const [first] = lines;
    if (first === undefined) continue;
    const more = lines.length === 1 ? '' : `, and ${lines.length - 1} more places`;
    damaged.push({
      code: 'RUN_DAMAGED',
      // Of what is over nothing more depends on its log.
      severity: ended === null ? 'error' : 'note',
      file: store.locationOf(id),
      message: `the log of ${id} cannot be read at ${first.place}: ${first.reason}${more}`,
      cure:
        ended === null
          ? `It cannot be continued. \`plan runs show ${id}\` shows the rest; look what was done, and prepare what is left again. \`plan runs prune ${id}\` removes it.`
          : `\`plan runs show ${id}\` shows the rest; \`plan runs prune ${id}\` removes it.`,
    });
  }
  return [...unreadable, ...damaged];
}
