import { extname, resolve } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { pictureOf } from '../../exports/picture.js';
import { EXPORT_FORMAT_NAMES, EXPORT_FORMATS } from '../../exports/registry.js';
import type { ExportFormatName } from '../../exports/registry.js';
import { writeTextFile } from '../../host/files/text-files.js';
import { defineOperation } from '../operation.js';
import { choice, planArgument, text, whole } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { exportedPlanSchema, viewerWarnings } from './exported-plan.js';
import type { ExportedPlan } from './exported-plan.js';

const PICTURES: ReadonlySet<ExportFormatName> = new Set(['mermaid', 'dot', 'svg']);

/**
 * Writes a plan in a format; what is written, the format's own reader accepts.
 * @throws PlanError USAGE for a file whose ending names no format, PLAN_NOT_FOUND, STORAGE_FAILED
 */
export const exportPlan = defineOperation({
  arguments: ['plan'],
  input: z.strictObject({
    plan: planArgument(),
    format: choice(EXPORT_FORMAT_NAMES, 'format (default: by the ending of the output file, else json)', {
      value: 'format',
    }),
    depth: whole('of a picture (mermaid, dot, svg): the deepest level; the goals below it are only counted'),
    output: text('write to a file instead of standard output', 'file', { short: 'o' }),
  }),
  output: exportedPlanSchema,
  examples: [
    'plan export --format markdown',
    'plan export 0398 -o plan.html',
    'plan export -o plan.svg --depth 2',
  ],
  mutates: true,
  async run(context, { plan: name, output, depth, format = formatOfFile(output) }): Promise<ExportedPlan> {
    if (depth !== undefined && !PICTURES.has(format))
      throw new PlanError(
        'USAGE',
        `--depth is for pictures (${[...PICTURES].join(', ')}), not for ${format}`,
      );
    const plan = await readPlan(context, name);
    const render = await EXPORT_FORMATS[format].load();
    const content = render(plan, pictureOf(plan, { depth }));
    const about = { plan: plan.header.id, format, ...viewerWarnings(format, content) };
    if (output === undefined) return { ...about, file: null, content };
    await writeTextFile(resolve(context.environment.workingFolder, output), content);
    return { ...about, file: output, content: null };
  },
});

/** The format whose files end like this one, and JSON for standard output. @throws PlanError USAGE */
function formatOfFile(file: string | undefined): ExportFormatName {
  if (file === undefined) return 'json';
  const ending = extname(file).slice(1).toLowerCase();
  const found = EXPORT_FORMAT_NAMES.find(
    (name) => EXPORT_FORMATS[name].extension === ending || name === ending,
  );
  if (found !== undefined) return found;
  throw new PlanError('USAGE', `no format has files that end like ${file}`, {
    hint: 'Name one with --format.',
  });
}
