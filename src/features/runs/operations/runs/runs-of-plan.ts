import type { Run } from '../../model/run.js';
import { PlanError } from '../../../../kernel/errors.js';
import type { Diagnosis } from '../../../../storage/maintenance.js';
import type { Context } from '../../../../operations/shared/context.js';

/**
 * The runs that carry out goals of a plan.
 * @throws PlanError WRONG_STATE while one of them is carried out, or can be continued: somebody has to end it first
 */
export async function runsToDropWith(context: Context, plan: string): Promise<readonly string[]> {
  if (!context.mayHaveRuns()) return [];
  const { statusNow } = await import('../run-state.js');
  const { runs } = await (await context.runs()).list();
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
  return own.map(({ id }: Run) => id);
}

/** Deletes runs for good. @throws PlanError STORAGE_FAILED */
export async function dropRuns(context: Context, runs: readonly string[]): Promise<void> {
  if (runs.length === 0) return;
  const store = await context.runs();
  for (const run of runs) await store.purge(run);
}

/** What keeps the logs of runs of a plan from being read as a whole. */
export async function runDiagnoses(
  context: Pick<Context, 'mayHaveRuns' | 'runs'>,
): Promise<readonly Diagnosis[]> {
  if (!context.mayHaveRuns()) return [];
  const store = await context.runs();
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
          ? `It cannot be continued. \`plan runs show ${id}\` shows the rest; look what was done, and prepare what is left anew. \`plan runs prune ${id}\` removes it.`
          : `\`plan runs show ${id}\` shows the rest; \`plan runs prune ${id}\` removes it.`,
    });
  }
  return [...unreadable, ...damaged];
}
