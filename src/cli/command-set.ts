import type { Feature } from '../feature.js';
import type { OperationIn, OperationTable } from '../operations/registered-operation.js';
import type { Renderer, RendererOf } from './renderer.js';
import type { OwnCommand } from './shared/command-description.js';

/** How the result of each operation of a table is shown; each is imported only when it is needed. */
export type RenderersOf<Table extends OperationTable> = {
  readonly [Name in keyof Table]: () => Promise<RendererOf<OperationIn<Table, Name>>>;
};

/** What a feature adds to the command line, in `commands.ts` of its folder. */
export interface FeatureCommands<Table extends OperationTable = OperationTable> {
  readonly renderers: RenderersOf<Table>;
  /** Commands that are no operation, such as `serve`. */
  readonly commands?: readonly FeatureCommand[];
}

/** A command of a feature that is no operation: an interface of its own. */
export interface FeatureCommand {
  readonly command: OwnCommand;
  /** Runs it. @param options as commander has read them, those of every command too */
  run(this: void, options: Readonly<Record<string, unknown>>, given: CommandRun): Promise<void>;
}

/** What such a command runs with. */
interface CommandRun {
  readonly commands: CommandSet;
  /** Takes the document for `--json`, and the text. */
  readonly print: (document: unknown, text: string) => void;
}

/** What a command line offers: the core with some features. */
export interface CommandSet {
  readonly features: readonly Feature[];
  readonly operations: OperationTable;
  readonly renderers: Readonly<Record<string, () => Promise<Renderer>>>;
  readonly others: readonly FeatureCommand[];
}
