import { planDigest } from '../../actions/model/content-hash.js';
import type { RunLog } from '../model/run-log.js';
import type { Run, RunApproval } from '../model/run.js';
import { stepsOfRun } from '../model/steps/run-step.js';
import type { RunSteps } from '../model/steps/run-step.js';
import type { Toolbox } from '../model/tool.js';
import { folderFingerprint, realFolder } from '../../../host/files/folders.js';
import { PlanError } from '../../../kernel/errors.js';
import type { ErrorCode } from '../../../kernel/errors.js';
import { planIdOf } from '../../../plan/ids.js';
import type { Context } from '../../../operations/shared/context.js';
import { readPlan } from '../../../operations/shared/find-plan.js';
import { usedTools } from './prepared-tools.js';
import { whyApproval } from './why-approval.js';
import type { ApprovalCauses } from './why-approval.js';
import { forgottenByLog } from './approving/begun-here.js';
import type { RunApprovals } from './run-approvals.js';
import { signCommand } from './run-report.js';
import { changedSource, readPrepared } from './run-source.js';
import { isExecutorAlive, refuseDamaged, runBusy } from './run-state.js';

/** How long after {@link resumableFrom} a run can be continued without being approved again, in milliseconds. */
const RESUME_WITHIN_MS = 24 * 60 * 60_000;

/**
 * The preflight check of what the log and the machine say, before any tool is opened. Refuses another workspace, a
 * preparation that is too old, a run that is over, another executor.
 * @throws PlanError E_PLAN_WORKSPACE_MISMATCH, E_PLAN_EXPIRED, E_PLAN_CONSUMED, WRONG_STATE, RUN_BUSY, STORE_DAMAGED
 */
export async function refuseByState(context: Context, log: RunLog): Promise<void> {
  const { run } = log;
  refuseDamaged(log);
  const { environment } = context;
  const root = realFolder(context.projectFolder() ?? environment.workingFolder);
  if (root !== run.prepared.workspace.root)
    throw preflightRefusal(
      'E_PLAN_WORKSPACE_MISMATCH',
      run,
      `it was prepared for ${run.prepared.workspace.root}, and this is ${root}`,
      run.workers === null
        ? 'Prepare it here.'
        : `\`plan worker\` carries it out when it is started in ${run.prepared.workspace.root}.`,
    );
  await refuseRunThatIsOver(context, run);
  if (run.executor !== null && (await isExecutorAlive(run, context))) throw runBusy(run.id, run.executor);
}

/**
 * The preflight check of the run itself: refuses one that is over, or whose time is.
 * @throws PlanError E_PLAN_EXPIRED, E_PLAN_CONSUMED, WRONG_STATE
 */
export async function refuseRunThatIsOver(context: Context, run: Run): Promise<void> {
  refuseExpired(run, context.environment.now());
  await refuseEnded(context, run);
}

/**
 * The preflight check of the folder: refuses another one of the same path, as another machine may have: what nobody
 * looks at happens where it was prepared.
 * @throws PlanError E_PLAN_WORKSPACE_MISMATCH
 */
export function refuseOtherFolder(run: Run): void {
  const { root, mark } = run.prepared.workspace;
  if (mark === folderFingerprint(root)) return;
  throw preflightRefusal(
    'E_PLAN_WORKSPACE_MISMATCH',
    run,
    `${root} is another folder here than the one that it was prepared for`,
    `\`plan worker\` carries it out when it is started where it was prepared; \`plan run ${run.id}\` does so here all the same.`,
  );
}

function refuseExpired(run: Run, now: number): void {
  if (run.ended !== null) return;
  const { executor, prepared } = run;
  const until = executor === null ? Date.parse(prepared.expires_at) : resumableFrom(run) + RESUME_WITHIN_MS;
  if (now <= until) return;
  const what = executor === null ? 'what was prepared expired' : 'it can be continued for a day, until';
  throw preflightRefusal(
    'E_PLAN_EXPIRED',
    run,
    `${what} ${executor === null ? 'at ' : ''}${new Date(until).toISOString()}`,
    'Prepare it again, and approve it again.',
  );
}

/** From when on a run that was begun can be continued: when it was prepared, or approved last if that is later. */
function resumableFrom({ prepared_at, approvals }: Run): number {
  const times = approvals
    .filter(({ scope, used }) => scope === 'run' && used)
    // When it was given is not part of what is proven; until when it holds is.
    .map(({ at, expires_at }) => Math.min(Date.parse(at), Date.parse(expires_at)));
  return times.reduce((latest, time) => Math.max(latest, time), Date.parse(prepared_at));
}

async function refuseEnded(context: Context, run: Run): Promise<void> {
  if (run.ended === null) return;
  const { outcome, at } = run.ended;
  const code = outcome === 'aborted' ? 'WRONG_STATE' : 'E_PLAN_CONSUMED';
  throw preflightRefusal(
    code,
    run,
    `it ${outcome === 'aborted' ? 'was aborted' : outcome} at ${at}`,
    outcome === 'succeeded'
      ? `Nothing is left to run. \`plan runs show ${run.id}\` shows what it did${await wayOfGoal(context, run)}.`
      : `A run is carried out once. \`plan runs show ${run.id}\` shows what it did; prepare it again for another try.`,
  );
}

/** What is left to do with the goal of a run that succeeded, as the end of a sentence; nothing where nothing is. */
async function wayOfGoal(context: Context, { prepared: { goal } }: Run): Promise<string> {
  if (goal === undefined) return '';
  const plan = await readPlan(context, planIdOf(goal)).catch(() => null);
  const status = plan?.goals.get(goal)?.status;
  if (status === 'complete') return '; its goal is done';
  return status === 'atomic' ? `, and \`plan complete ${goal}\` completes its goal` : '';
}

/** What is to run, read again from the bytes that were prepared. */
export interface CheckedPlan {
  readonly steps: RunSteps;
}

/**
 * The preflight check of the plan: reads what is to run from the bytes that were prepared, and holds it against
 * what was approved.
 * @throws PlanError E_PLAN_HASH_MISMATCH
 */
export async function checkedPlan(run: Run, isSnapshotEnough: boolean): Promise<CheckedPlan> {
  const { prepared } = run;
  const read = readPrepared(prepared);
  if (planDigest(read.plan, read.dialect) !== prepared.digest)
    throw preflightRefusal(
      'E_PLAN_HASH_MISMATCH',
      run,
      'its log no longer holds what was prepared',
      'Prepare it again.',
    );
  const changed = run.executor === null && !isSnapshotEnough ? await changedSource(prepared.source) : null;
  if (changed !== null)
    throw preflightRefusal(
      'E_PLAN_HASH_MISMATCH',
      run,
      `${changed} has changed since it was prepared`,
      'Prepare it again; --snapshot runs what was prepared.',
    );
  return { steps: stepsOfRun(read.plan, read.dialect, prepared.vars?.values) };
}

/**
 * The preflight check of approvals: the one that a start names; null where none is needed.
 * @throws PlanError E_PLAN_APPROVAL_MISSING, E_PLAN_CONSUMED
 */
export async function approvalToUse(
  context: Context,
  log: RunLog,
  approvals: RunApprovals,
): Promise<string | null> {
  if (!log.run.prepared.requires_approval) return null;
  await refuseForgotten(context, log);
  const { run } = log;
  const own = run.approvals.filter(({ scope }) => scope === 'run');
  const isBegun = run.executor !== null;
  const found = isBegun
    ? (await approvals.areEnough(own))
      ? (own[0] ?? null)
      : null
    : await approvals.usable(own);
  if (found !== null) return found.approval;
  throw preflightRefusal('E_PLAN_APPROVAL_MISSING', run, whyNotApproved(own, approvals), howToApprove(run));
}

/** Whoever puts an older log back has not been given another approval with it. */
async function refuseForgotten(context: Context, log: RunLog): Promise<void> {
  if ((await forgottenByLog(context.environment, log.run)) === null) return;
  // Whoever begins a run writes that into its log first: it may have happened since that was read.
  await log.refresh();
  const seen = await forgottenByLog(context.environment, log.run);
  if (seen === null) return refuseByState(context, log);
  throw preflightRefusal(
    'E_PLAN_CONSUMED',
    log.run,
    `you have ${seen === 'begun' ? 'begun it' : 'carried it out'}, and its log is an older copy that does not say so`,
    'Bring the newer log back, or look at what it did and prepare it again.',
  );
}

function whyNotApproved(own: readonly RunApproval[], { isSigned, needed }: RunApprovals): string {
  if (own.length === 0) return 'nobody has approved it';
  if (isSigned)
    return `${needed === 1 ? 'one person' : `${needed} different people`} must sign it, and too few of its signatures hold here: they are missing, used, too old, or of nobody who may sign now`;
  return 'none of its approvals holds here: it is used, too old, or of another user or machine';
}

/**
 * The preflight check that people were asked: refuses a run whose log says that nobody must agree, though somebody
 * must, for a log can be brought from elsewhere.
 * @throws PlanError E_PLAN_APPROVAL_MISSING
 */
export async function refuseUnasked(
  context: Context,
  run: Run,
  { steps, toolbox, policy }: Pick<ApprovalCauses, 'steps' | 'policy'> & { readonly toolbox: Toolbox },
): Promise<void> {
  const used = usedTools(steps, toolbox);
  const { losses = [] } = run.prepared;
  const [because] = await whyApproval(context, { steps, used, policy, losses });
  if (because === undefined) return;
  throw preflightRefusal(
    'E_PLAN_APPROVAL_MISSING',
    run,
    `its log says that no approval is needed, but one is: ${because}`,
    'Prepare it again.',
  );
}

/**
 * The preflight check of inputs: refuses to overwrite what has changed since it was looked at.
 * @throws PlanError E_PLAN_PRECONDITION_FAILED
 */
export async function refuseChangedInputs(run: Run, steps: RunSteps, toolbox: Toolbox): Promise<void> {
  const prepared = new Map(run.prepared.inputs.map(({ path, sha256 }) => [path, sha256]));
  if (prepared.size === 0) return;
  const { inputsOfTools } = await import('./prepared-tools.js');
  for (const { path, sha256 } of await inputsOfTools(steps, toolbox))
    if (prepared.has(path) && prepared.get(path) !== sha256)
      throw preflightRefusal(
        'E_PLAN_PRECONDITION_FAILED',
        run,
        `${path} has changed since it was prepared, and would be overwritten`,
        'Prepare it again.',
      );
}

/** The error of a preflight check, which names the run; what is wrong is also in its details, without that name. */
export function preflightRefusal(code: ErrorCode, run: Run, message: string, hint: string): PlanError {
  return new PlanError(code, `${run.id} does not run: ${message}`, {
    hint: { commandLine: hint },
    details: { run: run.id, problem: message },
  });
}

/** The hint of the preflight check for a run that nobody has agreed to: with its code, or by a signature. */
export function howToApprove({ id }: Run): string {
  return `\`plan approve CODE\` approves it, with the code that \`plan prepare\` printed, or \`${signCommand(id)}\` where signatures do. Where the code is lost, prepare it again.`;
}
