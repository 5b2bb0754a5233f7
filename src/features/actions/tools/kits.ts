import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Context } from '../../../operations/shared/context.js';
import type { Part } from '../../../operations/shared/parts.js';
import { PlanError } from '../../../kernel/errors.js';
import type { KitBinding } from './bindings.js';
import type { BoundTool, ToolsFile } from './read-tools-file.js';

/** What the kits of a tools file bind. */
export interface KitContents {
  readonly tools: readonly BoundTool[];
  /** Conditions, by their types. */
  readonly checks: ReadonlyMap<string, KitBinding>;
  /** What tells which pane is meant; null where no kit knows panes. */
  readonly panes: KitBinding | null;
}

/** The kits that there are. */
export const KIT_SHELF: Part<KitShelf> = { name: 'kits' };

export interface KitShelf {
  /**
   * Returns what kits bind.
   * @param kits their options, by name
   * @throws PlanError INVALID_INPUT for a kit that is unknown, or options that are wrong
   */
  open(kits: JsonObject, at: KitPlace): Promise<KitContents>;
}

/** Where kits are used. */
export interface KitPlace {
  /** The name of the tools file, for messages. */
  readonly file: string;
  /** The folder of the project, to which their paths are relative. */
  readonly root: string;
}

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
  const { tools, checks, panes } = await shelf.open(file.kits, { file: name, root });
  const own = new Set(file.tools.map((tool) => tool.name));
  return {
    ...file,
    tools: [...file.tools, ...tools.filter((tool) => !own.has(tool.name))],
    checks: new Map([...checks, ...file.checks]),
    panes: file.panes ?? panes,
  };
}
