import type { Plan } from '../../../plan/plan.js';
import type { PlanFile } from '../../../plan/schema.js';
import { toPlanFile } from '../../../plan/snapshot/plan-file.js';
import { differencesFromLog, partsThatDiffer, stateAfter } from '../../log-differences.js';
import type { Diagnosis } from '../../maintenance.js';
import type { PlanLog } from '../../plan-store.js';
import { withoutPosition } from './diagnosis-options.js';
import type { DiagnosisOptions } from './diagnosis-options.js';

/** What stands where a plan file should be. */
export interface FoundPlanFile {
  readonly path: string;
  readonly exists: boolean;
  readonly file: PlanFile | null;
  /** Whether git put it together from the lines of both sides. */
  readonly isMerged: boolean;
  /** Whether it is to the byte what was published. */
  readonly isPublished: boolean;
  readonly reason: string | null;
}

/** What is wrong with a plan file, beside its log. */
export async function planFileDiagnoses(
  options: DiagnosisOptions,
  found: FoundPlanFile,
  log: PlanLog,
): Promise<readonly Diagnosis[]> {
  const { path, file } = found;
  const publish = async () => {
    return (await log.publish('now')) ? 'rewrote the plan file from the log' : null;
  };
  const rewrite = { file: path, cure: '`plan doctor --fix` rewrites it from the log.', mend: publish };
  if (!found.exists)
    return [
      {
        code: 'PLAN_FILE_MISSING',
        severity: 'warning',
        message: 'there is no plan file beside the log',
        ...rewrite,
      },
    ];
  if (file === null && found.isMerged) {
    return [
      {
        code: 'PLAN_FILE_MERGED',
        severity: 'note',
        message:
          'git merged the plan file line by line, so it does not count; the log has what both sides did',
        ...rewrite,
        cure: 'The next change rewrites it, and so does `plan doctor --fix`.',
      },
    ];
  }
  if (file === null) {
    return [
      {
        code: 'PLAN_FILE_DAMAGED',
        severity: 'error',
        message: `the plan file cannot be used: ${found.reason ?? ''}`,
        ...rewrite,
      },
    ];
  }
  const view = await options.store.open(options.id);
  const { isCutOff, publishDue } = view;
  if (isCutOff) return [lostByLog(options, { path, shown: view.plan, log })];
  const [difference, ...others] = await differencesFromLog(file, log);
  if (difference === undefined) {
    // The plan file of a large plan is behind most of the time, and nothing is wrong then.
    if (!publishDue) return [];
    return [
      {
        code: 'PLAN_FILE_STALE',
        severity: 'note',
        message: 'the log has changes that the plan file does not show yet',
        ...rewrite,
      },
    ];
  }
  const more = others.length === 0 ? '' : `, and ${others.length} more differences`;
  const isLost = found.isPublished && log.damage.some(({ kind }) => kind === 'damaged');
  if (isLost)
    return [
      lostFromLog(options, { path, shown: view.plan, log, message: `${difference.path}${more}` }, publish),
    ];
  return [
    {
      code: 'PLAN_FILE_DIFFERS',
      severity: 'error',
      file: path,
      message: `${difference.message} (${difference.path}${more})`,
      cure: '`plan doctor --fix --keep log` takes back the edit, `--keep file` makes it a change of the log.',
      mend: mendsOfEdit(publish, () =>
        found.isPublished
          ? keepShown(log, view.plan, 'it was edited by hand')
          : keepFile(log, file, 'it was edited by hand'),
      )[options.keep ?? 'neither'],
    },
  ];
}

type Mend = () => Promise<string | null>;

/** How a plan file that was edited is mended, by what is to be kept. */
function mendsOfEdit(publish: Mend, keepFile: Mend) {
  return { log: publish, file: keepFile, neither: undefined };
}

/** Nobody edited the file: it has what an event did that is damaged now. */
function lostFromLog(
  { keep }: DiagnosisOptions,
  {
    path,
    shown,
    log,
    message,
  }: { readonly path: string; readonly shown: Plan; readonly log: PlanLog; readonly message: string },
  publish: () => Promise<string | null>,
): Diagnosis {
  return {
    code: 'CHANGE_LOST_FROM_LOG',
    severity: 'error',
    file: path,
    message: `the plan file still has what a damaged event had changed (${message})`,
    cure: '`plan doctor --fix` makes that a change of the log again (`--keep log`: takes it out of the plan file).',
    mend: keep === 'log' ? publish : () => keepShown(log, shown, 'an event of its log is damaged'),
  };
}

/** Nothing can be changed until that is seen to: the plan file has what the log has no more. */
function lostByLog(
  { keep }: DiagnosisOptions,
  { path, shown, log }: { readonly path: string; readonly shown: Plan; readonly log: PlanLog },
): Diagnosis {
  return {
    code: 'LOG_CUT_OFF',
    severity: 'error',
    file: path.replace(/\.json$/, '.events.jsonl'),
    message:
      'the end of the log, or a line of it, is gone or damaged; the plan file still has what that changed',
    cure: 'Bring the log back, or `plan doctor --fix` goes on from the plan file (`--keep log`: from what is left of the log).',
    mend: async () => {
      if (keep !== 'log') return keepShown(log, shown, 'a part of its log was lost');
      return (await log.publish('now')) ? 'rewrote the plan file from what is left of the log' : null;
    },
  };
}

/** Makes the state that is shown the next of the log: only what differs from what the log comes to. */
async function keepShown(log: PlanLog, shown: Plan, reason: string): Promise<string | null> {
  const file = withoutPosition(toPlanFile(shown));
  return restore(log, file, reason, { only: partsThatDiffer(file, log.plan) });
}

/** Only what somebody changed is taken from the file: what others did meanwhile, here or in another clone, stays. */
async function keepFile(log: PlanLog, file: PlanFile, reason: string): Promise<string | null> {
  const base = file.log === undefined ? null : stateAfter(await log.events(file.log));
  return restore(
    log,
    withoutPosition(file),
    reason,
    base === null ? {} : { only: partsThatDiffer(file, base) },
  );
}

async function restore(
  log: PlanLog,
  plan: PlanFile,
  reason: string,
  only: { readonly only?: ReturnType<typeof partsThatDiffer> },
): Promise<string | null> {
  const [outcome] = await log.append([{ type: 'plan_restored', plan, reason, ...only }]);
  if (outcome === undefined || outcome.refused !== null) return null;
  await log.publish('now');
  return 'made the plan file’s state the next change of the log';
}
