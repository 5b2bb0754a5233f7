import * as z from 'zod';

import { PlanError } from '../../kernel/errors.js';
import { pictureOf } from '../../exports/picture.js';
import { CORE_FORMATS, fileFormatNames, formatNames, isFolderFormat } from '../../exports/registry.js';
import type { ExportFormat, FolderFormat, Formats } from '../../exports/registry.js';
import { writeTextFile } from '../../host/files/text-files.js';
import { writeFolder } from '../../host/files/write-folder.js';
import type { Plan } from '../../plan/plan.js';
import type { Context } from '../shared/context.js';
import { defineOperation } from '../operation.js';
import { choice, planArgument, text, whole } from '../shared/fields.js';
import { readPlan } from '../shared/find-plan.js';
import { fileOfOutput, fileToWrite } from '../shared/named-file.js';
import { exportedPlanSchema, lostWarnings, viewerWarnings } from './exported-plan.js';
import type { ExportedPlan } from './exported-plan.js';
import { quickFindings } from './findings-told.js';

const PICTURES: ReadonlySet<string> = new Set(['mermaid', 'dot', 'svg']);

/**
 * Makes the operation that writes a plan in a format; what is written, the format's own reader accepts.
 * @throws PlanError USAGE for a file whose ending names no format, PLAN_NOT_FOUND, STORAGE_FAILED
 */
export function exportPlanIn<File extends string, Folder extends string>(formats: Formats<File, Folder>) {
  const names = formatNames(formats);
  const folders = Object.keys(formats.folders);
  return defineOperation({
    arguments: ['plan'],
    input: z.strictObject({
      plan: planArgument(),
      format: choice(names, 'format (default: by the ending of the output file, else json)', {
        value: 'format',
      }),
      depth: whole(
        'of a picture (mermaid, dot, svg): the deepest level; the goals below it are only counted',
      ),
      output: text(
        `write to a file instead of standard output (-); ${folders.join(', ')}: to this folder`,
        'file',
        { short: 'o' },
      ),
    }),
    output: exportedPlanSchema(names),
    examples: [
      'plan export --format markdown',
      'plan export 0398 -o plan.html',
      'plan export -o plan.svg --depth 2',
      'plan export --format backlog -o .',
    ],
    mutates: true,
    async run(context, { plan: name, output: named, depth, format: given }) {
      const output = fileOfOutput(named);
      const format: File | Folder = given ?? formatOfFile(output, formats);
      if (depth !== undefined && !PICTURES.has(format))
        throw new PlanError(
          'USAGE',
          `--depth is for pictures (${[...PICTURES].join(', ')}), not for ${format}`,
        );
      const plan = await readPlan(context, name);
      const exported = isFolderFormat(formats, format)
        ? await exportFolder(context, plan, { name: format, format: formats.folders[format], output })
        : await exportFile(context, plan, { name: format, format: formats.files[format], output, depth });
      return { plan: plan.header.id, format, ...exported };
    },
  });
}

/** The operation in the formats of the core. */
export const exportPlan = exportPlanIn(CORE_FORMATS);

interface Exporting<Format> {
  readonly name: string;
  readonly format: Format;
  readonly output: string | undefined;
}

type Exported = Omit<ExportedPlan, 'plan' | 'format'>;

async function exportFile(
  context: Context,
  plan: Plan,
  { name, format, output, depth }: Exporting<ExportFormat> & { readonly depth: number | undefined },
): Promise<Exported> {
  // What no goal makes is told for itself.
  const findings =
    format.hasFindings === true
      ? (await quickFindings(plan)).filter(({ code }) => code !== 'MISSING_RESULT')
      : [];
  const content = (await format.load())(plan, pictureOf(plan, { depth }), findings);
  const found = [
    ...(viewerWarnings(name, content).warnings ?? []),
    ...(await lostWarnings(plan, name, format)),
  ];
  const warnings = found.length === 0 ? {} : { warnings: found };
  if (output === undefined) return { ...warnings, file: null, content };
  await writeTextFile(fileToWrite(context, output), content);
  return { ...warnings, file: output, content: null };
}

/**
 * Writes the files of a format that is a folder; where there are such files already, none is written.
 * @throws PlanError USAGE without a folder, INVALID_INPUT, STORAGE_FAILED
 */
async function exportFolder(
  context: Context,
  plan: Plan,
  { name, format, output }: Exporting<FolderFormat>,
): Promise<Exported> {
  if (output === undefined)
    throw new PlanError('USAGE', `${name} is a folder of files`, {
      hint: ['Name the folder above it with -o.'],
    });
  const { folders, load } = format;
  await writeFolder(fileToWrite(context, output), (await load())(plan), folders);
  const warnings = await lostWarnings(plan, name, format);
  return { content: null, file: output, ...(warnings.length === 0 ? {} : { warnings }) };
}

/** The format whose files end like this one, and JSON for standard output. @throws PlanError USAGE */
function formatOfFile<File extends string>(file = 'plan.json', formats: Formats<File>): File {
  const name = file.toLowerCase();
  // `x.github.json` is more of GitHub than of JSON: the longest ending counts, and of equals the first.
  const [found] = fileFormatNames(formats)
    .flatMap((format) =>
      [formats.files[format].extension, format]
        .filter((ending) => name.endsWith(`.${ending}`))
        .map((ending) => ({ format, length: ending.length })),
    )
    .toSorted((one, other) => other.length - one.length);
  if (found !== undefined) return found.format;
  throw new PlanError('USAGE', `no format has files that end like ${file}`, {
    hint: { commandLine: 'Name one with --format.' },
  });
}
