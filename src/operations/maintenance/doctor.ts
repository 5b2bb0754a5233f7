import * as z from 'zod';

import type { PlanError } from '../../kernel/errors.js';
import type { Diagnosis } from '../../storage/maintenance.js';
import { isUnreadablePlan } from '../../storage/unreadable-plan.js';
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
    const copied = isMended && backUp !== null ? await attempt(backUp) : null;
    if (copied !== null && 'done' in copied) backups.push(copied.done);
    // Without a copy nothing is mended.
    const isKept = copied === null || 'done' in copied;
    const repaired = await applyRepairs(diagnoses, plan, isKept ? options : { ...options, fix: false });
    for (const finding of repaired) findings.push(finding);
    if (!isKept) findings.push(notCopied(plan, copied.failed));
  }
  const { configDiagnoses } = await import('./diagnose-configs.js');
  const unusable = (await configDiagnoses(context, maintenance)).filter(
    // What is no file was named as such.
    ({ file }) => findings.every((finding) => finding.file !== file),
  );
  const others = [...unusable];
  for (const { diagnose } of context.features)
    for (const one of (await diagnose?.(context)) ?? []) others.push(one);
  for (const finding of await applyRepairs(others, null, options)) findings.push(finding);
  return {
    healthy: findings.every(({ severity, fixed }) => severity === 'note' || fixed !== null),
    findings,
    backups,
  };
}

async function applyRepairs(
  diagnoses: readonly Diagnosis[],
  plan: string | null,
  { fix, accept: isAccepted }: DoctorInput,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { mend, accept, ...diagnosis } of diagnoses) {
    const repair = isAccepted === true && accept !== undefined ? accept : fix === true ? mend : undefined;
    const tried = repair === undefined ? { done: null } : await attempt(repair);
    findings.push(
      'done' in tried
        ? { ...diagnosis, plan, fixed: tried.done }
        : {
            ...diagnosis,
            plan,
            fixed: null,
            message: `${diagnosis.message}; it was not mended: ${tried.failed.message}`,
          },
    );
  }
  return findings;
}

/** Does something about one file; where that cannot be, the rest is seen to all the same. @throws PlanError STORAGE_FAILED for all files */
async function attempt<T>(
  repair: () => Promise<T>,
): Promise<{ readonly done: T } | { readonly failed: PlanError }> {
  try {
    return { done: await repair() };
  } catch (thrown) {
    if (!isUnreadablePlan(thrown)) throw thrown;
    return { failed: thrown };
  }
}

function notCopied(plan: string | null, { message, details }: PlanError): Finding {
  return {
    code: 'NOT_BACKED_UP',
    severity: 'error',
    plan,
    file: typeof details.path === 'string' ? details.path : '',
    message: `the files of this plan could not be copied, so nothing of it was mended: ${message}`,
    cure: 'Put the file that belongs there in its place, or move it elsewhere, and run `plan doctor --fix` again.',
    fixed: null,
  };
}
