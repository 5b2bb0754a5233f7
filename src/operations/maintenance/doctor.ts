import { backUp, inspectFiles } from '../../storage/file/inspect.js';
import { PLAN_PLACES } from '../../storage/file/layout.js';
import { plansOnDisk } from '../../storage/file/plans-on-disk.js';
import type { Context } from '../shared/context.js';
import { fileDiagnoses, storeDiagnoses } from './diagnose-files.js';
import { removedLogDiagnoses } from './diagnose-journal.js';
import { diagnosePlan } from './diagnose-plan.js';
import { diagnoseTwoPlaces } from './diagnose-two-places.js';
import type { Diagnosis } from './diagnosis.js';

/** Something that the doctor found. */
export interface Finding {
  readonly code: string;
  /** `note`: nothing is wrong; `warning` and `error` make the check fail until they are mended. */
  readonly severity: 'note' | 'warning' | 'error';
  /** Id of the plan, or null for the store as a whole. */
  readonly plan: string | null;
  readonly file: string;
  readonly message: string;
  /** What mends it. */
  readonly cure: string;
  /** What was done about it; null when nothing was. */
  readonly fixed: string | null;
}

export interface DoctorOptions {
  /** Mend what is safe, after a backup. */
  readonly fix?: boolean | undefined;
  /** Note what was found, and cannot or shall not be mended, as looked at: it is no longer found. */
  readonly accept?: boolean | undefined;
  /** What counts where a plan file and its log differ; needed to mend that. */
  readonly keep?: 'file' | 'log' | undefined;
}

export interface DoctorReport {
  /** Whether nothing but notes is left. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
  /** Folders with the files as they were before they were mended. */
  readonly backups: readonly string[];
}

/**
 * Looks at every file of the store, explains what is wrong, and mends what is safe when asked to. A log is
 * never rewritten: what is lost of it stays lost and is named.
 * @throws PlanError STORE_NOT_FOUND, STORAGE_FAILED
 */
export async function examineStore(context: Context, options: DoctorOptions): Promise<DoctorReport> {
  const store = context.store();
  const folder = context.storeFolder();
  if (folder === null) return { healthy: true, findings: [], backups: [] };
  const findings: Finding[] = [];
  const backups: string[] = [];
  const fix = options.fix === true;
  for (const place of PLAN_PLACES) {
    const found = await inspectFiles(folder, place);
    findings.push(...(await settle(fileDiagnoses(found, folder), null, options)));
  }
  for (const [id, diagnosis] of await removedLogDiagnoses(folder))
    findings.push(...(await settle([diagnosis], id, options)));
  for (const [id, { place, isInBoth }] of await plansOnDisk(folder, context.environment.now())) {
    const diagnoses = [
      ...(await diagnosePlan({ store, folder, place, id, keep: options.keep })),
      ...(isInBoth ? [await diagnoseTwoPlaces({ store, folder, place, id })] : []),
    ];
    if (fix && diagnoses.some(({ mend }) => mend !== undefined))
      backups.push(await backUp(folder, id, new Date(context.environment.now()).toISOString()));
    findings.push(...(await settle(diagnoses, id, options)));
  }
  findings.push(...(await settle(await storeDiagnoses(folder, store), null, options)));
  return {
    healthy: findings.every(({ severity, fixed }) => severity === 'note' || fixed !== null),
    findings,
    backups,
  };
}

async function settle(
  diagnoses: readonly Diagnosis[],
  plan: string | null,
  { fix, accept: isAccepted }: DoctorOptions,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { mend, accept, ...diagnosis } of diagnoses) {
    const deed = isAccepted === true && accept !== undefined ? accept : fix === true ? mend : undefined;
    findings.push({ ...diagnosis, plan, fixed: deed === undefined ? null : await deed() });
  }
  return findings;
}
