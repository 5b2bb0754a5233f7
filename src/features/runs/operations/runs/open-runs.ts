import type { Run, RunStatus } from '../../model/run.js';
import type { Context } from '../../../../operations/shared/context.js';
import { isApprovedBySignatures } from '../approving/approvers.js';
import { RUNS } from '../../parts.js';
import { stepStateNow, runReportSummary } from '../run-report.js';
import type { RunSummary } from '../run-report.js';
import { runNow } from '../run-state.js';
import { nextOf } from './next-of-run.js';

/** A run that goes no further before somebody does something. */
interface OpenRun extends Pick<RunSummary, 'run' | 'source' | 'goal'> {
  readonly status: 'prepared' | 'approved' | 'waiting' | 'interrupted';
  /** What it waits for. */
  readonly why: string;
  /** The command to give, or to look with. */
  readonly command: string;
}

/** What is said of a run that nothing is asked of. */
const WHY: Readonly<Record<OpenRun['status'], string>> = {
  prepared: 'nobody has approved it yet',
  approved: 'it is approved and not begun',
  waiting: 'it waits for a person',
  interrupted: 'it was interrupted',
};

function isOpen(status: RunStatus): status is OpenRun['status'] {
  return Object.hasOwn(WHY, status);
}

/**
 * The runs that need somebody: those of a plan, and those that carry out no goal.
 * @throws PlanError STORAGE_FAILED
 */
export async function openRunsOf(context: Context, plan: string): Promise<readonly OpenRun[]> {
  const { runs } = await (await context.part(RUNS)).list('open');
  const own = runs.filter(({ prepared }) => prepared.goal?.startsWith(`${plan}-`) ?? true);
  if (own.length === 0) return [];
  const isSigned = await isApprovedBySignatures(context);
  const found = await Promise.all(
    own.map(async (read) => {
      const { run, status } = await runNow(read, context);
      return openRun(run, status, isSigned);
    }),
  );
  return found.filter((one) => one !== null);
}

/** What a run waits for; null for one that goes on by itself, or is over. */
function openRun(run: Run, status: RunStatus, isSigned: boolean): OpenRun | null {
  if (!isOpen(status)) return null;
  const asked = whyOf(run, status);
  const unknown = [...run.instances].flatMap(([step, one]) =>
    stepStateNow(one, status) === 'unknown' && one.effects === 'once' ? [step] : [],
  );
  const hasQuestion = status === 'waiting' || (unknown.length > 0 && run.workers === null);
  const isLeft = run.workers !== null && status !== 'waiting';
  const [first] = nextOf(run, status, { unknown: [], isSigned });
  const show = `plan runs show ${run.id}`;
  const { source, goal } = runReportSummary(run, status);
  return {
    run: run.id,
    status,
    source,
    goal,
    why: isLeft
      ? 'it is left to workers, and none carries it out now'
      : unknown.length === 0 || status === 'waiting'
        ? asked
        : unknownIn(unknown),
    // A question is looked at before it is answered.
    command: hasQuestion ? show : (first?.command ?? show),
  };
}

function whyOf(run: Run, status: OpenRun['status']): string {
  if (status === 'prepared' && !run.prepared.requires_approval) return 'it is not begun';
  const [first, ...others] = run.waiting;
  if (status !== 'waiting' || first === undefined) return WHY[status];
  return others.length === 0 ? first.summary : `${first.summary}, and ${others.length} more`;
}

function unknownIn([first, ...others]: readonly string[]): string {
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `it was interrupted; nobody knows whether ${first ?? ''} took effect${more}`;
}
