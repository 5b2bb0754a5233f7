import * as z from 'zod';

import type { Diagnosis } from '../../storage/maintenance.js';
import { defineOperation } from '../operation.js';
import type { Context } from '../shared/context.js';
import { choice, toggle } from '../shared/fields.js';

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
  const maintenance = await context.maintenance();
  const findings: Finding[] = [];
  const backups: string[] = [];
  for await (const { plan, diagnoses, backUp } of maintenance.examine(options.keep)) {
    const isMended = options.fix === true && diagnoses.some(({ mend }) => mend !== undefined);
    if (isMended && backUp !== null) backups.push(await backUp());
    findings.push(...(await settle(diagnoses, plan, options)));
  }
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
