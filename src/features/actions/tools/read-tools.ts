import { readToolsFile } from './read-tools-file.js';
import type { Tool } from './tools-file.js';

/**
 * The tools of a tools file, to draft with.
 * @param file its name, for messages
 * @throws PlanError INVALID_INPUT as {@link readToolsFile}
 */
export function readTools(text: string, file: string): readonly Tool[] {
  return readToolsFile(text, file).tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }));
}
