import * as z from 'zod';

import { EXPORT_FORMAT_NAMES } from '../../exports/registry.js';
import type { ExportFormatName } from '../../exports/registry.js';
import { warningsSchema } from '../shared/report-schemas.js';

/** A plan in another format. */
export const exportedPlanSchema = z
  .object({
    plan: z.string(),
    format: z.enum(EXPORT_FORMAT_NAMES),
    file: z.string().nullable().describe('The file that was written, or null.'),
    content: z.string().nullable().describe('The text, or null when it went to a file.'),
    warnings: warningsSchema.readonly().optional().describe('What a viewer may not draw.'),
  })
  .readonly();

export type ExportedPlan = z.output<typeof exportedPlanSchema>;

/** What Mermaid draws by default, on GitHub too; beyond it there is an error in place of the picture. */
const MERMAID_CHARACTERS = 50_000;
const MERMAID_ARROWS = 500;

/** What a viewer of a format may not draw of a text, with the way on. */
export function viewerWarnings(
  format: ExportFormatName,
  text: string,
): { readonly warnings?: readonly { readonly code: string; readonly message: string }[] } {
  if (format !== 'mermaid') return {};
  const arrows = text.match(/^ {2}\S+ -\.?-> \S+$/gm)?.length ?? 0;
  if (arrows <= MERMAID_ARROWS && text.length <= MERMAID_CHARACTERS) return {};
  const message = `Mermaid draws at most ${MERMAID_ARROWS} arrows and ${MERMAID_CHARACTERS} characters unless it is set up for more; this has ${arrows} and ${text.length}. --depth N leaves out what is below a level; dot and svg have no such limit.`;
  return { warnings: [{ code: 'viewer_limit', message }] };
}
