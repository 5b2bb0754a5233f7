import { PlanError } from '../../../kernel/errors.js';
import type { Diagnosis } from '../../../storage/maintenance.js';
import type { Team } from '../team.js';
import type { Context } from '../../../operations/shared/context.js';
import { TEAM } from '../parts.js';
import { runOfWorkers } from './plan-session.js';
import { jobsForSweptPlan } from './sweep-plans.js';

/**
 * What is wrong with the plans that workers plan: goals that wait without a job, which a worker that runs finds by itself.
 * @throws PlanError STORAGE_FAILED
 */
export async function workerDiagnoses(context: Context): Promise<readonly Diagnosis[]> {
  const team = await context.partIfAny(TEAM);
  if (team === null) return [];
  const store = context.store();
  const diagnoses: Diagnosis[] = [];
  for (const { id, status } of (await store.list()).plans) {
    if (status !== 'in_progress') continue;
    const { plan } = await store.open(id);
    const run = runOfWorkers(plan);
    if (run === null) continue;
    const jobs = await jobsSeen(team, id);
    // What is so for one plan is so for all.
    if (jobs instanceof PlanError) return [hiddenFrom(store.location, jobs)];
    const { inHand, waiting } = jobs;
    const missing = plan.counts.pending - inHand - waiting;
    if (missing <= 0) continue;
    diagnoses.push({
      code: 'GOALS_WITHOUT_JOB',
      severity: 'warning',
      file: `${store.location}: plan ${id}`,
      message: `${missing} of the goals that wait for workers have no job`,
      cure: '`plan doctor --fix` gives them one; so does any worker that runs, within a second or two',
      async mend() {
        await team.prepare();
        await team.begin(id, run.id);
        await team.offer(jobsForSweptPlan(plan));
        return 'every goal that waits has a job';
      },
    });
  }
  return diagnoses;
}

/** The jobs of a plan; the error that says so where this user of the database may not see them. */
async function jobsSeen(team: Team, plan: string): Promise<Awaited<ReturnType<Team['jobsOf']>> | PlanError> {
  try {
    return await team.jobsOf(plan);
  } catch (cause) {
    if (cause instanceof PlanError && cause.code === 'INVALID_CONFIG') return cause;
    throw cause;
  }
}

function hiddenFrom(file: string, { message, hint }: PlanError): Diagnosis {
  const cure = hint ?? 'connect as the owner of the tables';
  return { code: 'JOBS_HIDDEN', severity: 'note', file, message, cure };
}
