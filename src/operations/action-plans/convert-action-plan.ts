import { resolve } from 'node:path';

import { convertActionPlan } from '../../action-plans/convert/convert-action-plan.js';
import type { Loss } from '../../action-plans/convert/losses.js';
import type { DialectName } from '../../action-plans/dialect.js';
import { PlanError } from '../../kernel/errors.js';
import { isThere, writeTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';
import { dialectNamed, readActionPlanFile, sidecarPath } from './read-action-plan-file.js';

export interface ConvertOptions {
  /** A file, or `-` for standard input, whose text is then given. */
  readonly file: string;
  /** The text of standard input. */
  readonly input?: string | undefined;
  readonly to: string;
  /** The dialect of the file; found by its shape when it is left out. */
  readonly format?: string | undefined;
  /** Convert although behaviour is lost. */
  readonly lossy?: boolean | undefined;
  /** A file to write instead of returning the text. */
  readonly output?: string | undefined;
  /** Whether the file that is written may be there already. */
  readonly force?: boolean | undefined;
}

/** A plan in another dialect. */
export interface Conversion {
  readonly from: DialectName;
  readonly to: DialectName;
  /** The file that was written, or null. */
  readonly file: string | null;
  /** The text, or null when it went to a file. */
  readonly content: string | null;
  /** What the target has no place for, for `*.ext.json` beside the plan; null where there is nothing, or it was written. */
  readonly sidecar: string | null;
  readonly sidecar_file: string | null;
  /** What the new document does not do; empty unless `lossy`. */
  readonly losses: readonly Loss[];
  /** New ids of steps by their old ones. */
  readonly renamed: Readonly<Record<string, string>>;
  readonly remarks: readonly string[];
}

/**
 * Writes an action plan in another dialect.
 * @throws PlanError REFUSED with every loss in `details.losses`, unless `lossy`, and for an output file that is
 *   there already, unless `force`; INVALID_INPUT, FILE_NOT_FOUND, STORAGE_FAILED
 */
export async function convertActionPlanFile(context: Context, options: ConvertOptions): Promise<Conversion> {
  const to = dialectNamed(options.to);
  const read = await readActionPlanFile(context, options);
  const converted = convertActionPlan(read, to);
  if (converted.losses.length > 0 && options.lossy !== true) throw refusal(converted.losses, to);
  const result: Conversion = {
    from: read.dialect,
    to,
    file: null,
    content: converted.text,
    sidecar: converted.sidecar,
    sidecar_file: null,
    losses: converted.losses,
    renamed: Object.fromEntries(converted.renamed),
    remarks: converted.remarks,
  };
  if (options.output === undefined) return result;
  return { ...result, ...(await writeConversion(context, options, converted.text, converted.sidecar)) };
}

async function writeConversion(
  { environment }: Context,
  { output = '', force = false, to }: ConvertOptions,
  text: string,
  sidecar: string | null,
): Promise<Pick<Conversion, 'file' | 'content' | 'sidecar' | 'sidecar_file'>> {
  const inside = (file: string) => resolve(environment.workingFolder, file);
  const beside = sidecarPath(output);
  // A sidecar that is there from another plan would be read as this one's.
  const isStale = to === 'obsidian' && sidecar === null && isThere(inside(beside));
  const carried = isStale ? '{}\n' : sidecar;
  for (const file of carried === null ? [output] : [output, beside]) {
    if (force || !isThere(inside(file))) continue;
    throw new PlanError('REFUSED', `${file} is there already`, {
      hint: 'Give --force to replace it, or another name with --output.',
      details: { path: file },
    });
  }
  // The sidecar first: a plan without what it carries would be read as less than it is.
  if (carried !== null) await writeTextFile(inside(beside), carried);
  await writeTextFile(inside(output), text);
  return { file: output, content: null, sidecar: null, sidecar_file: carried === null ? null : beside };
}

function refusal(losses: readonly Loss[], to: DialectName): PlanError {
  const list = losses.map(({ what, step, why }) => `\n  ${step ?? 'the plan'}: ${what}: ${why}`).join('');
  return new PlanError(
    'REFUSED',
    `as ${to} the plan would not do the same; ${losses.length} ${losses.length === 1 ? 'thing' : 'things'} would be lost:${list}`,
    { hint: 'Give --lossy to convert it nevertheless.', details: { losses } },
  );
}
