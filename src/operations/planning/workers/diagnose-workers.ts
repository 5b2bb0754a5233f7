import type { Diagnosis } from '../../../storage/maintenance.js';
import type { Context } from '../../shared/context.js';
import { runOfWorkers } from './plan-session.js';
import { jobsFor } from './sweep-plans.js';

/**
 * What is wrong with the plans that workers plan: goals that wait without a job, which a worker that runs finds by itself.
 * @throws PlanError STORAGE_FAILED
 */
export async function workerDiagnoses(context: Context): Promise<readonly Diagnosis[]> {
  const team = await context.team();
  if (team === null) return [];
  const store = context.store();
  const diagnoses: Diagnosis[] = [];
  for (const { id, status } of (await store.list()).plans) {
    if (status !== 'in_progress') continue;
    const { plan } = await store.open(id);
    const run = runOfWorkers(plan);
    if (run === null) continue;
    const { inHand, waiting } = await team.jobsOf(id);
    const missing = plan.counts.pending - inHand - waiting;
    if (missing <= 0) continue;
    diagnoses.push({
      code: 'GOALS_WITHOUT_JOB',
      severity: 'warning',
      file: `${store.location}: plan ${id}`,
      message: `${missing} of the goals that wait for workers have no job`,
      cure: '`plan doctor --fix` gives them one; so does any worker that runs, within a second or two',
      async mend() {
        await team.begin(id, run.id);
        await team.offer(jobsFor(plan, team));
        return 'every goal that waits has a job';
      },
    });
  }
  return diagnoses;
}
