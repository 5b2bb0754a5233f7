import { resolve } from 'node:path';

import { PlanError } from '../../kernel/errors.js';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from '../../exports/registry.js';
import { writeTextFile } from '../../host/files/text-files.js';
import type { Context } from '../shared/context.js';
import { readPlan } from '../shared/find-plan.js';
import type { ExportedPlan } from './exported-plan.js';

export interface ExportOptions {
  readonly plan?: string | undefined;
  readonly format: string;
  /** A file to write instead of returning the text. */
  readonly output?: string | undefined;
}

/**
 * Writes a plan in a format; what is written, the format's own reader accepts.
 * @throws PlanError INVALID_INPUT for an unknown format, PLAN_NOT_FOUND, STORAGE_FAILED
 */
export async function exportPlan(context: Context, options: ExportOptions): Promise<ExportedPlan> {
  const format = EXPORT_FORMAT_NAMES.find((name) => name === options.format);
  if (format === undefined) {
    throw new PlanError(
      'INVALID_INPUT',
      `${JSON.stringify(options.format.slice(0, 40))} is no export format`,
      {
        hint: `Formats are ${EXPORT_FORMAT_NAMES.join(', ')}.`,
      },
    );
  }
  const plan = await readPlan(context.store(), options.plan);
  const render = await EXPORT_FORMATS[format].load();
  const content = render(plan);
  if (options.output === undefined) return { plan: plan.header.id, format, file: null, content };
  await writeTextFile(resolve(context.environment.workingFolder, options.output), content);
  return { plan: plan.header.id, format, file: options.output, content: null };
}
