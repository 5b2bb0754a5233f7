import * as z from 'zod';

import { isKeptTool } from '../../features/interop/data-members.js';
import { leftOutOf } from '../../features/interop/exports/original-fields.js';
import { unsupportedParts } from '../../features/interop/exports/unsupported-parts.js';
import type { Unsupported } from '../../features/interop/exports/unsupported-parts.js';
import { EXPORT_FORMAT_NAMES, FOLDER_FORMAT_NAMES } from '../../exports/registry.js';
import type { ExportFormatName, FolderFormatName } from '../../exports/registry.js';
import { legible } from '../../kernel/text/legible.js';
import { rootOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import { warningsSchema } from '../shared/report-schemas.js';

/** A plan in another format. */
export const exportedPlanSchema = z
  .object({
    plan: z.string(),
    format: z.enum([...EXPORT_FORMAT_NAMES, ...FOLDER_FORMAT_NAMES]),
    file: z.string().nullable().describe('The file that was written, or the folder; or null.'),
    content: z.string().nullable().describe('The text, or null when it went to a file.'),
    warnings: warningsSchema
      .readonly()
      .optional()
      .describe('What a viewer may not draw, or another tool has no place for.'),
  })
  .readonly();

export type ExportedPlan = z.output<typeof exportedPlanSchema>;

/** What Mermaid draws by default, on GitHub too; beyond it there is an error in place of the picture. */
const MERMAID_CHARACTERS = 50_000;
const MERMAID_ARROWS = 500;
/** Of more goals a flowchart is many screens wide, on which nobody finds anything. */
const READABLE_GOALS = 80;

/** Warns of what a viewer may not draw of an exported plan, with the way on. */
export function viewerWarnings(
  format: ExportFormatName | FolderFormatName,
  text: string,
): { readonly warnings?: readonly { readonly code: string; readonly message: string }[] } {
  if (format !== 'mermaid') return {};
  const arrows = text.match(/^ {2}\S+ -\.?-> \S+$/gm)?.length ?? 0;
  const goals = text.match(/^ {2}\S+\["/gm)?.length ?? 0;
  if (arrows <= MERMAID_ARROWS && text.length <= MERMAID_CHARACTERS) {
    if (goals <= READABLE_GOALS) return {};
    const message = `A flowchart of ${goals} goals is too wide to read. --depth N leaves out what is below a level; svg and dot run downwards.`;
    return { warnings: [{ code: 'large_picture', message }] };
  }
  const message = `Mermaid draws at most ${MERMAID_ARROWS} arrows and ${MERMAID_CHARACTERS} characters unless it is set up for more; this has ${arrows} and ${text.length}. --depth N leaves out what is below a level; dot and svg have no such limit.`;
  return { warnings: [{ code: 'viewer_limit', message }] };
}

const NOWHERE = [
  'reasons',
  'sizes',
  'places in documents',
  'decisions and artifacts',
  'action plans',
] as const;

/** What of a plan the formats of other tools have no place for. */
const LACKS: Readonly<Partial<Record<ExportFormatName | FolderFormatName, readonly Unsupported[]>>> = {
  beads: [...NOWHERE, 'claims'],
  taskmaster: [...NOWHERE, 'claims', 'tags', 'reasons of failures', 'summaries of what was done'],
  github: [...NOWHERE, 'claims', 'reasons of failures', 'summaries of what was done'],
  backlog: [...NOWHERE, 'claims', 'reasons of failures'],
};

/** Warns of what an exported plan lacks because another tool has no place for it. */
export async function unsupportedWarnings(
  plan: Plan,
  format: ExportFormatName | FolderFormatName,
): Promise<readonly { readonly code: string; readonly message: string }[]> {
  const lacks = LACKS[format];
  if (lacks === undefined) return [];
  const missing = [...unsupportedParts(plan, lacks), ...(await placesNotHeld(plan, format))];
  const leftOut = isKeptTool(format) ? leftOutOf(plan, format) : [];
  return [
    ...(missing.length === 0
      ? []
      : [{ code: 'not_held', message: `${format} has no place for ${missing.join(', ')}` }]),
    ...(leftOut.length === 0
      ? []
      : [
          {
            code: 'not_data',
            message: `left out, for what is not known to be data could have ${format} run something: ${listed(leftOut)}`,
          },
        ]),
  ];
}

const MOST_LISTED = 20;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).map(legible).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What goals have that have no place where they come to stand; only the code of that format is loaded. */
async function placesNotHeld(
  plan: Plan,
  format: ExportFormatName | FolderFormatName,
): Promise<readonly string[]> {
  if (format === 'backlog') {
    const { lostOfMilestones } = await import('../../features/interop/exports/backlog.js');
    return [...lostOfMilestones(plan), ...lostOfRoot(plan)];
  }
  if (format !== 'taskmaster') return [];
  const { crossTagDependencies } = await import('../../features/interop/exports/taskmaster.js');
  return [...crossTagDependencies(plan), ...lostOfRoot(plan)];
}

/** Where the goal of the whole plan is no task, its text and criteria have no place. */
function lostOfRoot(plan: Plan): readonly string[] {
  const { child_ids, detail = '', acceptance = [] } = rootOf(plan);
  const isLost = child_ids.length > 0 && (detail !== '' || acceptance.length > 0);
  return isLost ? ['details and criteria of the goal of the whole plan (1 goal)'] : [];
}
