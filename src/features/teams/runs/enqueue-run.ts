import type { RunLog } from '../../runs/model/run-log.js';
import { wordRunRefusal } from '../../runs/model/run-refusals.js';
import type { Run } from '../../runs/model/run.js';
import type { LeavingOptions } from '../../runs/parts.js';
import { PlanError } from '../../../kernel/errors.js';
import type { RunContext } from '../../../operations/operation.js';
import { teamOf } from '../operations/team-of.js';
import { howToApprove, preflightRefusal, refuseRunThatIsOver } from '../../runs/operations/preflight.js';
import { isExecutorAlive, refuseDamaged } from '../../runs/operations/run-state.js';
import { noteLostExecutor } from '../../runs/operations/runs/settle-run.js';

/**
 * Leaves a run to workers, from wherever: the event that says so enters a job for the one that carries it out. Whether all
 * is as it was approved is looked at there.
 * @throws PlanError WRONG_STATE for a store of files, E_PLAN_EXPIRED, E_PLAN_CONSUMED, E_PLAN_APPROVAL_MISSING,
 *   E_PLAN_WORKSPACE_MISMATCH, RUN_BUSY, STORE_DAMAGED, STORAGE_FAILED
 */
export async function enqueueRun(
  context: RunContext,
  log: RunLog,
  { on_unknown, snapshot }: LeavingOptions,
): Promise<void> {
  const team = await teamOf(context);
  refuseDamaged(log);
  await refuseRunThatIsOver(context, log.run);
  refuseUnmarked(log.run);
  refuseUnapproved(log.run);
  await team.prepare();
  if (log.run.workers === null || !(await isExecutorAlive(log.run, context))) {
    await noteLostExecutor(context, log);
    const [outcome] = await log.append([
      {
        type: 'left_to_workers',
        ...(on_unknown === undefined ? {} : { on_unknown }),
        ...(snapshot === true ? { snapshot } : {}),
      },
    ]);
    if (outcome?.refused != null)
      throw new PlanError('WRONG_STATE', wordRunRefusal(outcome.refused), { details: { run: log.run.id } });
  }
  await team.offerRun(log.run.id);
  context.emit({
    type: 'notice',
    message: `Workers carry out ${log.run.id}: \`plan worker\` in ${log.run.prepared.workspace.root} is one; \`plan runs show ${log.run.id}\` shows how far it is.`,
  });
}

/** A run that an older version prepared does not say which folder it is for. */
function refuseUnmarked(run: Run): void {
  if (run.prepared.workspace.mark !== undefined) return;
  throw preflightRefusal(
    'E_PLAN_WORKSPACE_MISMATCH',
    run,
    'it does not say which of the folders of that path it is for, so workers cannot know it',
    'Prepare it again, or run it without --workers.',
  );
}

/** Whether an approval holds is for whoever carries the run out to find out. */
function refuseUnapproved(run: Run): void {
  if (!run.prepared.requires_approval || run.approvals.some(({ scope }) => scope === 'run')) return;
  throw preflightRefusal('E_PLAN_APPROVAL_MISSING', run, 'nobody has approved it', howToApprove(run));
}
