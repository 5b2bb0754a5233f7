import type { JsonObject } from '../../kernel/json/json-value.js';
import type { Part } from '../../operations/shared/parts.js';
import type { KitBinding } from './tools/bindings.js';
import type { BoundTool } from './tools/read-tools-file.js';

/** What the kits of a tools file bind. */
export interface KitContents {
  readonly tools: readonly BoundTool[];
  /** Conditions, by their types. */
  readonly checks: ReadonlyMap<string, KitBinding>;
  /** What tells which pane is meant; null where no kit knows panes. */
  readonly panes: KitBinding | null;
  /** Paths of the plans of workflows, relative to the project, by the names of the workflows. */
  readonly workflows: ReadonlyMap<string, string>;
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
