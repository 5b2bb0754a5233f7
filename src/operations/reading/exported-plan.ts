import * as z from 'zod';

import type { ExportFormat, FolderFormat } from '../../exports/registry.js';
import { legible } from '../../kernel/text/legible.js';
import type { Plan } from '../../plan/plan.js';
import { warningsSchema } from '../shared/report-schemas.js';

/** A plan in one of some formats. */
export function exportedPlanSchema<Format extends string>(formats: readonly Format[]) {
  return z
    .object({
      plan: z.string(),
      format: z.enum(formats),
      file: z.string().nullable().describe('The file that was written, or the folder; or null.'),
      content: z.string().nullable().describe('The text, or null when it went to a file.'),
      warnings: warningsSchema
        .readonly()
        .optional()
        .describe('What a viewer may not draw, or another tool has no place for.'),
    })
    .readonly();
}

export type ExportedPlan = z.output<ReturnType<typeof exportedPlanSchema>>;

/** What Mermaid draws by default, on GitHub too; beyond it there is an error in place of the picture. */
const MERMAID_CHARACTERS = 50_000;
const MERMAID_ARROWS = 500;
/** Of more goals a flowchart is many screens wide, on which nobody finds anything. */
const READABLE_GOALS = 80;

/** Warns of what a viewer may not draw of an exported plan, with the way on. */
export function viewerWarnings(
  format: string,
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

/** Warns of what an exported plan lacks because another tool has no place for it. */
export async function lostWarnings(
  plan: Plan,
  name: string,
  { lost, leftOut }: ExportFormat | FolderFormat,
): Promise<readonly { readonly code: string; readonly message: string }[]> {
  const missing = (await lost?.())?.(plan) ?? [];
  const unknown = (await leftOut?.())?.(plan) ?? [];
  const warnings = [];
  if (missing.length > 0)
    warnings.push({ code: 'not_held', message: `${name} has no place for ${missing.join(', ')}` });
  if (unknown.length > 0)
    warnings.push({
      code: 'not_data',
      message: `left out, for what is not known to be data could have ${name} run something: ${listed(unknown)}`,
    });
  return warnings;
}

const MOST_LISTED = 20;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  return `${names.slice(0, MOST_LISTED).map(legible).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
