import { messageOf, PlanError } from '../errors.js';
import { validatePlanFile } from '../plan/invariants.js';
import type { PlanFile } from '../plan/schema.js';
import { planPaths } from '../store/file/layout.js';
import {
  addLines,
  backUp,
  inspectFiles,
  isIndexDamaged,
  missingGitLines,
  removeFile,
} from '../store/file/inspect.js';
import type { FileFinding } from '../store/file/inspect.js';
import { identify } from '../store/file/file-identity.js';
import { parseJson } from '../store/file/plan-file-reader.js';
import type { PlanLog, PlanStore, Shelf } from '../store/plan-store.js';
import { readTextFileIfAny, writeTextFile } from '../store/text-files.js';
import type { Context } from './context.js';
import { differencesFromLog } from './log-differences.js';
import { replayHistory } from '../plan/history.js';
import { repairPlanFile } from '../plan/repair.js';
import { stringifyPlanFile } from '../plan/plan-file.js';

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

/** A finding before anything was done, and what would mend it. */
interface Diagnosis {
  readonly code: string;
  readonly severity: Finding['severity'];
  readonly file: string;
  readonly message: string;
  readonly cure: string;
  /** Mends it and says how; absent when that is for a person to do. */
  readonly mend?: (() => Promise<string>) | undefined;
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
  for (const shelf of ['active', 'archive'] as const) {
    findings.push(
      ...(await settle(fileDiagnoses(await inspectFiles(folder, shelf)), null, options.fix === true)),
    );
    for (const id of await store.ids(shelf)) {
      const diagnoses = await diagnosePlan({ store, folder, shelf, id, keep: options.keep });
      const mending = options.fix === true && diagnoses.some(({ mend }) => mend !== undefined);
      if (mending)
        backups.push(await backUp(folder, shelf, id, new Date(context.environment.now()).toISOString()));
      findings.push(...(await settle(diagnoses, id, options.fix === true)));
    }
  }
  findings.push(...(await settle(await storeDiagnoses(folder, store), null, options.fix === true)));
  return {
    healthy: findings.every(({ severity, fixed }) => severity === 'note' || fixed !== null),
    findings,
    backups,
  };
}

async function settle(
  diagnoses: readonly Diagnosis[],
  plan: string | null,
  fix: boolean,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { mend, ...diagnosis } of diagnoses) {
    findings.push({ ...diagnosis, plan, fixed: fix && mend !== undefined ? await mend() : null });
  }
  return findings;
}

interface Patient {
  readonly store: PlanStore;
  readonly folder: string;
  readonly shelf: Shelf;
  readonly id: string;
  readonly keep: 'file' | 'log' | undefined;
}

async function diagnosePlan(patient: Patient): Promise<readonly Diagnosis[]> {
  const paths = planPaths(patient.folder, patient.id, patient.shelf);
  const text = await readTextFileIfAny(paths.planFile).catch(() => '');
  const parsed = text === null ? null : parseJson(text);
  const checked = parsed !== null && 'value' in parsed ? validatePlanFile(parsed.value) : null;
  const file = checked?.problems.length === 0 ? checked.file : null;
  const reason =
    parsed !== null && 'problem' in parsed ? parsed.problem.message : (checked?.problems[0]?.message ?? null);
  if ((await identify(paths.eventLog)) === null) return withoutLog(patient, paths.planFile, checked);

  const log = await patient.store.open(patient.id, 'log').catch((thrown: unknown) => thrown);
  if (!isLog(log)) return unusableLog(patient, paths, file, messageOf(log));
  return [
    ...log.damage.map(({ offset, length, reason }): Diagnosis => {
      const torn = reason.startsWith('the line is cut off');
      return {
        code: torn ? 'TORN_LINE' : 'DAMAGED_EVENT',
        severity: torn ? 'note' : 'error',
        file: paths.eventLog,
        message: `${length} bytes at ${offset}: ${reason}`,
        cure: torn
          ? 'None is needed: a writer was stopped before its change was acknowledged.'
          : 'What this event changed is lost unless version control or a backup has it; the others stand.',
      };
    }),
    ...(await contradictions(log, paths.eventLog)),
    ...(await planFileDiagnoses(patient, { path: paths.planFile, exists: text !== null, file, reason }, log)),
  ];
}

interface FoundPlanFile {
  readonly path: string;
  readonly exists: boolean;
  readonly file: PlanFile | null;
  readonly reason: string | null;
}

async function planFileDiagnoses(
  patient: Patient,
  found: FoundPlanFile,
  log: PlanLog,
): Promise<readonly Diagnosis[]> {
  const { path, file } = found;
  const publish = async () => {
    await log.publish('now');
    return 'wrote the plan file anew from the log';
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
  const { missing } = await patient.store.open(patient.id);
  if (missing > 0) return [cutOffLog(patient, { path, file, log, missing })];
  const [difference, ...others] = differencesFromLog(file, await log.events());
  if (difference === undefined) {
    const stale = file.log?.event !== (await log.events()).at(-1)?.id;
    if (!stale) return [];
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
  return [
    {
      code: 'PLAN_FILE_DIFFERS',
      severity: 'error',
      file: path,
      message: `${difference.message} (${difference.path}${more})`,
      cure: '`plan doctor --fix --keep log` takes back the edit, `--keep file` makes it a change of the log.',
      mend:
        patient.keep === undefined
          ? undefined
          : patient.keep === 'log'
            ? publish
            : () => keepFile(log, file, 'it was edited by hand'),
    },
  ];
}

function cutOffLog(
  { keep }: Patient,
  {
    path,
    file,
    log,
    missing,
  }: { readonly path: string; readonly file: PlanFile; readonly log: PlanLog; readonly missing: number },
): Diagnosis {
  return {
    code: 'LOG_CUT_OFF',
    severity: 'error',
    file: path.replace(/\.json$/, '.events.jsonl'),
    message: `the last ${missing} bytes of the log are gone; the plan file still has that state`,
    cure: 'Bring the log back, or `plan doctor --fix` goes on from the plan file (`--keep log`: from what is left of the log).',
    mend: async () => {
      if (keep !== 'log') return keepFile(log, file, 'the end of its log was lost');
      await log.publish('now');
      return 'wrote the plan file anew from what is left of the log';
    },
  };
}

async function keepFile(log: PlanLog, file: PlanFile, reason: string): Promise<string> {
  const { log: _position, run: _ended, ...plan } = file;
  const [outcome] = await log.append([{ type: 'plan_restored', plan, reason }]);
  if (outcome !== undefined && outcome.refused !== null) return `nothing: ${outcome.refused}`;
  await log.publish('now');
  return 'made the plan file’s state the next change of the log';
}

function unusableLog(
  patient: Patient,
  paths: { readonly planFile: string; readonly eventLog: string },
  file: PlanFile | null,
  reason: string,
): readonly Diagnosis[] {
  const cure =
    file === null
      ? 'Bring back the log or the plan file from version control or a backup.'
      : '`plan doctor --fix` sets the log aside and begins a new one from the plan file.';
  const mend = async () => {
    await removeFile(paths.eventLog);
    const log = await patient.store.open(patient.id);
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
  patient: Patient,
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
    if (repaired !== null) await writeTextFile(path, stringifyPlanFile(repaired));
    return 'mended the links between goals; no goal was removed';
  };
  return problems.slice(0, 50).map((problem, index) => ({
    code: problem.code,
    severity: 'error',
    file: path,
    message: `${problem.message} (${problem.path})`,
    cure:
      repaired === null
        ? `Bring ${patient.id}.json back from version control or a backup.`
        : '`plan doctor --fix` mends the links between goals.',
    mend: repaired === null ? undefined : index === 0 ? mend : async () => 'mended with the first',
  }));
}

/** Changes that were refused because another copy of the store had changed the same before. */
async function contradictions(log: PlanLog, file: string): Promise<readonly Diagnosis[]> {
  const events = await log.events();
  if (new Set(events.map(({ replica }) => replica)).size < 2) return [];
  const refused = [...replayHistory(events)].filter(({ verdict }) => verdict.kind === 'refused').length;
  if (refused === 0) return [];
  const message = `${refused} changes of merged copies were refused because they contradict earlier ones`;
  return [
    { code: 'CONTRADICTIONS', severity: 'note', file, message, cure: '`plan log` shows which, and why.' },
  ];
}

const FILES: Readonly<
  Record<FileFinding['kind'], Pick<Diagnosis, 'code' | 'severity' | 'message' | 'cure'>>
> = {
  strange: {
    code: 'STRANGE_FILE',
    severity: 'note',
    message: 'this file is no part of a store',
    cure: 'Move it elsewhere if it is not yours to keep here.',
  },
  temporary: {
    code: 'TEMPORARY_FILE',
    severity: 'note',
    message: 'a process that was stopped left it behind',
    cure: 'It goes by itself after a while.',
  },
  link: {
    code: 'SYMBOLIC_LINK',
    severity: 'error',
    message: 'a file of a plan is a symbolic link',
    cure: 'Put the file itself here.',
  },
  not_a_file: {
    code: 'NOT_A_FILE',
    severity: 'error',
    message: 'what should be a file of a plan is none',
    cure: 'Move it elsewhere.',
  },
  unreadable: {
    code: 'NO_PERMISSION',
    severity: 'error',
    message: 'the file cannot be read',
    cure: 'chmod u+rw, or chown.',
  },
  unwritable: {
    code: 'READ_ONLY',
    severity: 'warning',
    message: 'the file cannot be written to',
    cure: 'chmod u+w, or chown.',
  },
};

function fileDiagnoses(findings: readonly FileFinding[]): readonly Diagnosis[] {
  return findings.map(({ kind, path }) => ({ ...FILES[kind], file: path }));
}

async function storeDiagnoses(folder: string, store: PlanStore): Promise<readonly Diagnosis[]> {
  const lines = [...(await missingGitLines(folder))].map(([name, missing]): Diagnosis => ({
    code: 'GIT_LINES_MISSING',
    severity: 'warning',
    file: `${folder}/${name}`,
    message: `${name} lacks ${missing.join(', ')}`,
    cure: '`plan doctor --fix` adds what git needs.',
    mend: async () => {
      await addLines(folder, name, missing);
      return 'added the lines';
    },
  }));
  if (!(await isIndexDamaged(folder))) return lines;
  const mend = async () => {
    await store.list();
    return 'made it anew';
  };
  return [
    ...lines,
    {
      code: 'INDEX_DAMAGED',
      severity: 'warning',
      file: `${folder}/index.json`,
      message: 'the listing cache is not JSON',
      cure: 'The next `plan list` makes it anew.',
      mend,
    },
  ];
}

function isLog(value: unknown): value is PlanLog {
  if (value instanceof PlanError && value.code === 'STORAGE_FAILED') throw value;
  return typeof value === 'object' && value !== null && 'append' in value;
}
