import { PlanError } from '../../../kernel/errors.js';
import type { Context } from '../../../operations/shared/context.js';
import { KIT_SHELF } from '../parts.js';
import type { ToolsFile } from './read-tools-file.js';

/**
 * Returns a tools file with what its kits bind; what the file itself binds outranks them.
 * @param name that of the file, for messages
 * @throws PlanError INVALID_INPUT as {@link KitShelf.open} does, or where there are no kits at all
 */
export async function withKits(context: Context, file: ToolsFile, name: string): Promise<ToolsFile> {
  if (Object.keys(file.kits).length === 0) return file;
  const shelf = await context.partIfAny(KIT_SHELF);
  if (shelf === null) throw new PlanError('INVALID_INPUT', `${name}: kits: there are no kits here`);
  const root = context.projectFolder() ?? context.environment.workingFolder;
  const { tools, checks, panes, workflows } = await shelf.open(file.kits, { file: name, root });
  const own = new Set(file.tools.map((tool) => tool.name));
  return {
    ...file,
    tools: [...file.tools, ...tools.filter((tool) => !own.has(tool.name))],
    checks: new Map([...checks, ...file.checks]),
    panes: file.panes ?? panes,
    workflows,
  };
}
