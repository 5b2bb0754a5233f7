import { messageOf, PlanError } from '../../../kernel/errors.js';
import { replayHistory } from '../../../plan/history.js';
import { validatePlanFile } from '../../../plan/invariants.js';
import { stringifyPlanFile } from '../../../plan/snapshot/plan-file.js';
import { repairPlanFile } from '../../../plan/snapshot/repair.js';
import type { PlanFile } from '../../../plan/schema.js';
import { identify } from '../../../host/files/file-identity.js';
import { deleteFile } from '../../../host/files/move-file.js';
import { forgetLogs } from '../log/removed-logs.js';
import { planPaths } from '../store-paths.js';
import type { PlanPlace } from '../store-paths.js';
import { hasFittingChecksum, isUnionMerge } from '../snapshot/checksum.js';
import { parseJsonText } from '../../../plan/snapshot/parse-plan.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import type { PlanLog, PlanStore } from '../../plan-store.js';
import { readStoredTextIfAny } from '../../../host/files/text-files.js';
import { isOfOneFile } from '../../../host/files/storage-error.js';
import { cannotBeRead } from './diagnose-files.js';
import { damageDiagnoses } from './diagnose-damage.js';
import { journalDiagnoses } from './diagnose-journal.js';
import type { Diagnosis } from '../../maintenance.js';
import { differencesFromLog, partsThatDiffer, stateAfter } from '../../log-differences.js';

/** A plan to be examined. */
export interface DiagnosisOptions {
  readonly store: PlanStore;
  readonly folder: string;
  /** Where its files are that count. */
  readonly place: PlanPlace;
  readonly id: string;
  readonly keep: 'file' | 'log' | undefined;
}

/** What is wrong with a plan's log and plan file, and with how they agree. */
export async function diagnosePlan(options: DiagnosisOptions): Promise<readonly Diagnosis[]> {
  const paths = planPaths(options.folder, options.id, options.place);
  const text = await readStoredTextIfAny(paths.planFile).catch(() => '');
  const parsed = text === null ? null : parseJsonText(text);
  const checked = parsed !== null && 'value' in parsed ? validatePlanFile(parsed.value) : null;
  const file = checked?.problems.length === 0 ? checked.file : null;
  const reason =
    parsed !== null && 'problem' in parsed ? parsed.problem.message : (checked?.problems[0]?.message ?? null);
  if ((await identify(paths.eventLog)) === null) return withoutLog(options, paths.planFile, checked);

  const log = await options.store.open(options.id, 'log').catch((thrown: unknown) => thrown);
  if (!isLog(log)) return unusableLog(options, paths, file, messageOf(log));
  return [
    ...damageDiagnoses(log, paths.eventLog, () => options.store.open(options.id)),
    ...(await journalDiagnoses(log, paths.eventLog).catch(unreadableJournal)),
    ...(await contradictions(log, paths.eventLog)),
    // What is no file is named as such, and cannot be written anew.
    ...((await isStrange(paths.planFile))
      ? []
      : await planFileDiagnoses(
          options,
          {
            path: paths.planFile,
            exists: text !== null,
            file,
            isMerged: text !== null && isUnionMerge(text),
            isPublished: text !== null && hasFittingChecksum(Buffer.from(text)),
            reason,
          },
          log,
        )),
  ];
}

async function isStrange(path: string): Promise<boolean> {
  return identify(path).then(
    () => false,
    () => true,
  );
}

/** A plan is looked at also where nothing can be read of its journal. */
function unreadableJournal(thrown: unknown): readonly Diagnosis[] {
  if (!isOfOneFile(thrown)) throw thrown;
  return [cannotBeRead(thrown)];
}

interface FoundPlanFile {
  readonly path: string;
  readonly exists: boolean;
  readonly file: PlanFile | null;
  /** Whether git put it together from the lines of both sides. */
  readonly isMerged: boolean;
  /** Whether it is to the byte what was published. */
  readonly isPublished: boolean;
  readonly reason: string | null;
}

async function planFileDiagnoses(
  options: DiagnosisOptions,
  found: FoundPlanFile,
  log: PlanLog,
): Promise<readonly Diagnosis[]> {
  const { path, file } = found;
  const publish = async () => {
    return (await log.publish('now')) ? 'wrote the plan file anew from the log' : null;
  };
  const rewrite = { file: path, cure: '`plan doctor --fix` writes it anew from the log.', mend: publish };
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
        cure: 'The next change writes it anew, and so does `plan doctor --fix`.',
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
  const { isCutOff, publishDue } = await options.store.open(options.id);
  if (isCutOff) return [cutOffLog(options, { path, file, log })];
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
    return [lostFromLog(options, { path, file, log, message: `${difference.path}${more}` }, publish)];
  return [
    {
      code: 'PLAN_FILE_DIFFERS',
      severity: 'error',
      file: path,
      message: `${difference.message} (${difference.path}${more})`,
      cure: '`plan doctor --fix --keep log` takes back the edit, `--keep file` makes it a change of the log.',
      mend:
        options.keep === undefined
          ? undefined
          : options.keep === 'log'
            ? publish
            : () => keepFile(log, file, 'it was edited by hand'),
    },
  ];
}

/** Nobody edited the file: it has what an event did that is damaged now. */
function lostFromLog(
  { keep }: DiagnosisOptions,
  {
    path,
    file,
    log,
    message,
  }: { readonly path: string; readonly file: PlanFile; readonly log: PlanLog; readonly message: string },
  publish: () => Promise<string | null>,
): Diagnosis {
  return {
    code: 'CHANGE_LOST_FROM_LOG',
    severity: 'error',
    file: path,
    message: `the plan file still has what a damaged event had changed (${message})`,
    cure: '`plan doctor --fix` makes that a change of the log again (`--keep log`: takes it out of the plan file).',
    mend: keep === 'log' ? publish : () => keepFile(log, file, 'an event of its log is damaged'),
  };
}

function cutOffLog(
  { keep }: DiagnosisOptions,
  { path, file, log }: { readonly path: string; readonly file: PlanFile; readonly log: PlanLog },
): Diagnosis {
  return {
    code: 'LOG_CUT_OFF',
    severity: 'error',
    file: path.replace(/\.json$/, '.events.jsonl'),
    message: 'the end of the log is gone; the plan file still has that state',
    cure: 'Bring the log back, or `plan doctor --fix` goes on from the plan file (`--keep log`: from what is left of the log).',
    mend: async () => {
      if (keep !== 'log') return keepFile(log, file, 'the end of its log was lost');
      return (await log.publish('now')) ? 'wrote the plan file anew from what is left of the log' : null;
    },
  };
}

/** Only what differs is taken from the file: what others did meanwhile, here or in another clone, stays. */
async function keepFile(log: PlanLog, file: PlanFile, reason: string): Promise<string | null> {
  const base = file.log === undefined ? null : stateAfter(await log.events(file.log));
  const only = base === null ? {} : { only: partsThatDiffer(file, base) };
  const plan = withoutPosition(file);
  const [outcome] = await log.append([{ type: 'plan_restored', plan, reason, ...only }]);
  if (outcome === undefined || outcome.refused !== null) return null;
  await log.publish('now');
  return 'made the plan file’s state the next change of the log';
}

function unusableLog(
  options: DiagnosisOptions,
  paths: { readonly planFile: string; readonly eventLog: string },
  file: PlanFile | null,
  reason: string,
): readonly Diagnosis[] {
  const cure =
    file === null
      ? 'Bring back the log or the plan file from version control or a backup.'
      : '`plan doctor --fix` sets the log aside and begins a new one from the plan file.';
  const mend = async () => {
    await deleteFile(paths.eventLog);
    await forgetLogs(options.folder, options.id);
    const log = await options.store.open(options.id);
    await log.append([
      { type: 'plan_restored', plan: withoutPosition(file), reason: 'its log could not be read' },
    ]);
    await log.publish('now');
    return 'set the log aside (in the backup) and began a new one from the plan file';
  };
  return [
    {
      code: 'LOG_UNUSABLE',
      severity: 'error',
      file: paths.eventLog,
      message: reason,
      cure,
      mend: file === null ? undefined : mend,
    },
  ];
}

function withoutPosition(file: PlanFile | null): PlanFile {
  if (file === null) throw new TypeError('a plan file is needed');
  const { log: _position, run: _ended, ...plan } = file;
  return plan;
}

function withoutLog(
  options: DiagnosisOptions,
  path: string,
  checked: ReturnType<typeof validatePlanFile> | null,
): readonly Diagnosis[] {
  if (checked?.problems.length === 0) {
    return [
      {
        code: 'NO_LOG',
        severity: 'note',
        file: path,
        message: 'the plan file has no log',
        cure: 'None is needed: its first change begins one.',
      },
    ];
  }
  const repaired = checked === null || checked.file === null ? null : repairPlanFile(checked.file);
  const problems = checked?.problems ?? [{ code: 'NOT_JSON', path: '$', message: 'the file is not JSON' }];
  const mend = async () => {
    if (repaired !== null) await replaceFile(path, stringifyPlanFile(repaired));
    return 'mended the links between goals; no goal was removed';
  };
  return problems.slice(0, 50).map((problem, index) => ({
    code: problem.code,
    severity: 'error',
    file: path,
    message: `${problem.message} (${problem.path})`,
    cure:
      repaired === null
        ? `Bring ${options.id}.json back from version control or a backup.`
        : '`plan doctor --fix` mends the links between goals.',
    mend: repaired === null ? undefined : index === 0 ? mend : async () => 'mended with the first',
  }));
}

/** Changes that were refused because another copy of the store had changed the same before. */
async function contradictions(log: PlanLog, file: string): Promise<readonly Diagnosis[]> {
  const events = await log.events();
  // What follows the hyphen tells one log file from another in the same copy of the store.
  if (new Set(events.map(({ replica }) => replica.split('-')[0])).size < 2) return [];
  const refused = [...replayHistory(events)].filter(({ verdict }) => verdict.kind === 'refused').length;
  if (refused === 0) return [];
  const message = `${refused === 1 ? 'a change' : `${refused} changes`} in the log of merged copies ${refused === 1 ? 'was' : 'were'} refused for contradicting what came before`;
  return [
    { code: 'CONTRADICTIONS', severity: 'note', file, message, cure: '`plan log` shows which, and why.' },
  ];
}

function isLog(value: unknown): value is PlanLog {
  if (value instanceof PlanError && value.code === 'STORAGE_FAILED') throw value;
  return typeof value === 'object' && value !== null && 'append' in value;
}
