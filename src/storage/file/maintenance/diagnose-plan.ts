import { messageOf, PlanError } from '../../../kernel/errors.js';
import { replayHistory } from '../../../plan/history.js';
import { validatePlanFile } from '../../../plan/invariants.js';
import { fileIdentity } from '../../../host/files/file-identity.js';
import { planPaths } from '../store-paths.js';
import { hasFittingChecksum, isUnionMerge } from '../../log/checksum.js';
import { parseJsonText, refuseUnknownVersion } from '../../../plan/snapshot/parse-plan.js';
import type { FilePlanLog } from '../log/file-plan-log.js';
import type { PlanLog } from '../../plan-store.js';
import { readStoredTextIfAny } from '../../../host/files/text-files.js';
import { isOfOneFile } from '../../../host/files/storage-error.js';
import { cannotBeRead } from './diagnose-files.js';
import { damageDiagnoses } from './diagnose-damage.js';
import { journalDiagnoses } from './diagnose-journal.js';
import { unusableLog, diagnoseMissingLog } from './diagnose-lost-log.js';
import { planFileDiagnoses } from './diagnose-plan-file.js';
import type { DiagnosisOptions } from './diagnosis-options.js';
import type { Diagnosis } from '../../maintenance.js';

/**
 * What is wrong with a plan's log and plan file, and with how they agree.
 * @throws PlanError UNSUPPORTED_VERSION for a plan file of a later format, which is left alone; STORAGE_FAILED
 */
export async function diagnosePlan(options: DiagnosisOptions): Promise<readonly Diagnosis[]> {
  const paths = planPaths(options.folder, options.id, options.planFolder);
  const text = await readStoredTextIfAny(paths.planFile).catch(() => '');
  const parsed = text === null ? null : parseJsonText(text);
  if (parsed !== null && 'value' in parsed) refuseUnknownVersion(parsed.value, paths.planFile);
  const checked = parsed !== null && 'value' in parsed ? validatePlanFile(parsed.value) : null;
  const file = checked?.problems.length === 0 ? checked.file : null;
  const reason =
    parsed !== null && 'problem' in parsed ? parsed.problem.message : (checked?.problems[0]?.message ?? null);
  if ((await fileIdentity(paths.eventLog)) === null)
    return diagnoseMissingLog(options, paths.planFile, checked);

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
  return fileIdentity(path).then(
    () => false,
    () => true,
  );
}

/** A plan is looked at also where nothing can be read of its journal. */
function unreadableJournal(thrown: unknown): readonly Diagnosis[] {
  if (!isOfOneFile(thrown)) throw thrown;
  return [cannotBeRead(thrown)];
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

function isLog(value: unknown): value is FilePlanLog {
  if (value instanceof PlanError && value.code === 'STORAGE_FAILED') throw value;
  return typeof value === 'object' && value !== null && 'append' in value;
}
