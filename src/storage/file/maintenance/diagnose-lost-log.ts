import { deleteFile } from '../../../host/files/move-file.js';
import { replaceFile } from '../../../host/files/replace-file.js';
import type { validatePlanFile } from '../../../plan/invariants.js';
import type { PlanFile } from '../../../plan/schema.js';
import { stringifyPlanFile, toPlanFile } from '../../../plan/snapshot/plan-file.js';
import { repairPlanFile } from '../../../plan/snapshot/repair.js';
import type { Diagnosis } from '../../maintenance.js';
import { forgetLogs } from '../log/removed-logs.js';
import { withoutPosition } from './diagnosis-options.js';
import type { DiagnosisOptions } from './diagnosis-options.js';

/** What can be done about a log that cannot be read. */
export function unusableLog(
  options: DiagnosisOptions,
  paths: { readonly planFile: string; readonly eventLog: string },
  file: PlanFile | null,
  reason: string,
): readonly Diagnosis[] {
  const found = { code: 'LOG_UNUSABLE', severity: 'error', file: paths.eventLog, message: reason } as const;
  if (file === null)
    return [{ ...found, cure: 'Bring back the log or the plan file from version control or a backup.' }];
  const mend = async () => {
    // With what the log has that the plan file does not show yet.
    const shown = await options.store.open(options.id).catch(() => null);
    const plan = withoutPosition(shown === null ? file : toPlanFile(shown.plan));
    await deleteFile(paths.eventLog);
    await forgetLogs(options.folder, options.id);
    const log = await options.store.open(options.id);
    await log.append([{ type: 'plan_restored', plan, reason: 'its log could not be read' }]);
    await log.publish('now');
    return 'set the log aside (in the backup) and began a new one from the plan file';
  };
  const cure = '`plan doctor --fix` sets the log aside and begins a new one from the plan file.';
  return [{ ...found, cure, mend }];
}

/** Diagnoses a plan file that has no log. */
export function diagnoseMissingLog(
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
