import { draftTools } from '../tools/read-tools.js';
import type { Tool } from '../tools/tools-file.js';
import type { Context } from '../../../operations/shared/context.js';
import { calledFile, readNamedFile } from '../../../operations/shared/named-file.js';

const LARGEST_TOOLS = 4 * 1024 * 1024;

/** The tools of a file; null where none is named. @throws PlanError FILE_NOT_FOUND, INVALID_INPUT */
export async function toolsFrom(context: Context, file: string | undefined): Promise<readonly Tool[] | null> {
  if (file === undefined) return null;
  const { readToolsFile } = await import('../tools/read-tools-file.js');
  const name = calledFile(file);
  const read = readToolsFile(await readNamedFile(context, file, LARGEST_TOOLS), name);
  const { withKits } = await import('../tools/kits.js');
  return draftTools(await withKits(context, read, name));
}
