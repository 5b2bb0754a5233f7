import { outputSchemaOf } from './output-schemas.js';
import { readToolsFile } from './read-tools-file.js';
import type { ToolsFile } from './read-tools-file.js';
import type { Tool } from './tools-file.js';

/** Returns the tools of a tools file as they are drafted with. */
export function draftTools({ tools }: Pick<ToolsFile, 'tools'>): readonly Tool[] {
  return tools.map(({ name, description, inputSchema, outputSchema, effects, run }) => ({
    name,
    description,
    inputSchema,
    outputSchema: outputSchema ?? (run === null || 'kit' in run ? undefined : outputSchemaOf(run)),
    ...(run === null ? {} : { effects }),
    ...(run !== null && 'file' in run ? { file: { action: run.file, root: run.root ?? '.' } } : {}),
  }));
}

/**
 * The tools of a tools file, without those of kits, to draft with.
 * @param file its name, for messages
 * @throws PlanError INVALID_INPUT as {@link readToolsFile}
 */
export function readTools(text: string, file: string): readonly Tool[] {
  return draftTools(readToolsFile(text, file));
}
