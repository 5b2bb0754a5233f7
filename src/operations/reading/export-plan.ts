import { resolve } from 'node:path';

import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { pictureOf } from '../../exports/picture.js';
import {
  EXPORT_FORMAT_NAMES,
  EXPORT_FORMATS,
  FOLDER_FORMAT_NAMES,
  FOLDER_FORMATS,
  isFolderFormat,
} from '../../exports/registry.js';
import type { ExportFormatName, FolderFormatName, RenderPlan } from '../../exports/registry.js';
import { writeTextFile } from '../../host/files/text-files.js';
import { writeFolder } from '../../host/files/write-folder.js';
import type { Plan } from '../../plan/plan.js';
import type { Context } from '../shared/context.js';
import { defineOperation } from '../operation.js';
import { choice, planArgument, text, whole } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { fileOfOutput, fileToWrite } from '../shared/named-file.js';
import { exportedPlanSchema, unsupportedWarnings, viewerWarnings } from './exported-plan.js';
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
    format: choice(
      [...EXPORT_FORMAT_NAMES, ...FOLDER_FORMAT_NAMES],
      'format (default: by the ending of the output file, else json)',
      {
        value: 'format',
      },
    ),
    depth: whole('of a picture (mermaid, dot, svg): the deepest level; the goals below it are only counted'),
    output: text(
      `write to a file instead of standard output (-); ${FOLDER_FORMAT_NAMES.join(', ')}: to this folder`,
      'file',
      {
        short: 'o',
      },
    ),
  }),
  output: exportedPlanSchema,
  examples: [
    'plan export --format markdown',
    'plan export 0398 -o plan.html',
    'plan export -o plan.svg --depth 2',
    'plan export --format backlog -o .',
  ],
  mutates: true,
  async run(context, { plan: name, output: named, depth, format: given }): Promise<ExportedPlan> {
    const output = fileOfOutput(named);
    const format = given ?? formatOfFile(output);
    if (depth !== undefined && (isFolderFormat(format) || !PICTURES.has(format)))
      throw new PlanError(
        'USAGE',
        `--depth is for pictures (${[...PICTURES].join(', ')}), not for ${format}`,
      );
    const plan = await readPlan(context, name);
    if (isFolderFormat(format)) return exportFolder(context, plan, format, output);
    const render: RenderPlan = await EXPORT_FORMATS[format].load();
    const content = render(plan, pictureOf(plan, { depth }));
    const warnings = [
      ...(viewerWarnings(format, content).warnings ?? []),
      ...(await unsupportedWarnings(plan, format)),
    ];
    const about = { plan: plan.header.id, format, ...(warnings.length === 0 ? {} : { warnings }) };
    if (output === undefined) return { ...about, file: null, content };
    await writeTextFile(fileToWrite(context, output), content);
    return { ...about, file: output, content: null };
  },
});

/**
 * Writes the files of a format that is a folder; where there are such files already, none is written.
 * @throws PlanError USAGE without a folder, INVALID_INPUT, STORAGE_FAILED
 */
async function exportFolder(
  { environment }: Context,
  plan: Plan,
  format: FolderFormatName,
  output: string | undefined,
): Promise<ExportedPlan> {
  if (output === undefined)
    throw new PlanError('USAGE', `${format} is a folder of files`, {
      hint: ['Name the folder above it with -o.'],
    });
  const { folders, load } = FOLDER_FORMATS[format];
  await writeFolder(resolve(environment.workingFolder, output), (await load())(plan), folders);
  const warnings = await unsupportedWarnings(plan, format);
  const about = { plan: plan.header.id, format, content: null };
  return { ...about, file: output, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The format whose files end like this one, and JSON for standard output. @throws PlanError USAGE */
function formatOfFile(file: string | undefined): ExportFormatName {
  if (file === undefined) return 'json';
  const name = file.toLowerCase();
  // `x.github.json` is more of GitHub than of JSON: the longest ending counts, and of equals the first.
  const [found] = EXPORT_FORMAT_NAMES.flatMap((format) =>
    [EXPORT_FORMATS[format].extension, format]
      .filter((ending) => name.endsWith(`.${ending}`))
      .map((ending) => ({ format, length: ending.length })),
  ).toSorted((one, other) => other.length - one.length);
  if (found !== undefined) return found.format;
  throw new PlanError('USAGE', `no format has files that end like ${file}`, {
    hint: { commandLine: 'Name one with --format.' },
  });
}
