import * as z from 'zod';

import { backUp, inspectFiles } from '../../storage/file/inspect.js';
import { PLAN_PLACES } from '../../storage/file/layout.js';
import { plansOnDisk } from '../../storage/file/plans-on-disk.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { choice, toggle } from '../shared/fields.js';
import { fileDiagnoses, storeDiagnoses } from './diagnose-files.js';
import { removedLogDiagnoses } from './diagnose-journal.js';
import { diagnosePlan } from './diagnose-plan.js';
import { diagnoseTwoPlaces } from './diagnose-two-places.js';
import type { Diagnosis } from './diagnosis.js';

const findingSchema = z.object({
  code: z.string(),
  severity: z
    .enum(['note', 'warning', 'error'])
    .describe('`note`: nothing is wrong; `warning` and `error` make the check fail until they are mended.'),
  plan: z.string().nullable().describe('Id of the plan, or null for the store as a whole.'),
  file: z.string(),
  message: z.string(),
  cure: z.string().describe('What mends it.'),
  fixed: z.string().nullable().describe('What was done about it; null when nothing was.'),
});

const doctorReportSchema = z.object({
  healthy: z.boolean().describe('Whether nothing but notes is left.'),
  findings: z.array(findingSchema).readonly(),
  backups: z
    .array(z.string())
    .readonly()
    .describe('Folders with the files as they were before they were mended.'),
});

const inputSchema = z.strictObject({
  fix: toggle('mend what is safe, after a backup'),
  keep: choice(['file', 'log'], 'what counts where a plan file and its log differ', { value: 'side' }),
  accept: toggle('note as looked at what cannot, or shall not, be mended'),
});

type Finding = z.output<typeof findingSchema>;
type DoctorReport = z.output<typeof doctorReportSchema>;
type DoctorInput = z.output<typeof inputSchema>;

/**
 * Looks at every file of the store, explains what is wrong, and mends what is safe when asked to. A log is
 * never rewritten: what is lost of it stays lost and is named.
 * @throws PlanError STORE_NOT_FOUND, STORAGE_FAILED
 */
export const doctor = defineOperation({
  input: inputSchema,
  output: doctorReportSchema,
  examples: ['plan doctor', 'plan doctor --fix', 'plan doctor --accept', 'plan doctor --fix --keep log'],
  mutates: true,
  run: examineStore,
  exitStatus: ({ healthy }) => (healthy ? 0 : 1),
});

async function examineStore(context: Context, options: DoctorInput): Promise<DoctorReport> {
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
  { fix, accept: isAccepted }: DoctorInput,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { mend, accept, ...diagnosis } of diagnoses) {
    const deed = isAccepted === true && accept !== undefined ? accept : fix === true ? mend : undefined;
    findings.push({ ...diagnosis, plan, fixed: deed === undefined ? null : await deed() });
  }
  return findings;
}
