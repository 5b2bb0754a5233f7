import type { ToolRecord } from '../as-was.js';
import type { Told } from '../told.js';

/** A task of another tool. */
export interface OtherToolGoal extends Partial<Told> {
  /** What others name it by. */
  readonly key: string;
  /** The id of another task, if it has that too and was given a key of its own. */
  readonly repeats?: string | undefined;
  /** The key of the task that it is a part of; null for one that is part of none. */
  readonly parent: string | null;
  readonly description: string;
  readonly detail?: string | undefined;
  readonly acceptance?: readonly string[];
  readonly tags?: readonly string[];
  readonly done: boolean;
  /** The word of the tool that keeps it from being worked on, if it has one. */
  readonly onHold?: string | undefined;
  /** When that ends, an ISO 8601 time. */
  readonly heldUntil?: string | undefined;
  /** What the tool says of how it stands with it; missing where the tool says nothing of that. */
  readonly status?: string | undefined;
  /** The word by which nobody wants it any more, where that is not its status. */
  readonly dropped?: string | undefined;
  /** Whether it is open whatever becomes of what it is a part of. */
  readonly goesOn?: boolean;
  /** From 0, the most urgent, to 4. */
  readonly priority?: number | undefined;
  /** Links that have no meaning here. */
  readonly links?: readonly { readonly type: string; readonly to: string }[];
  /** What is said of it when it was finished; text of it while it is open here. */
  readonly result?: string | undefined;
  readonly dependsOn: readonly string[];
  /** The key of the task that a decision names; without it names are keys. */
  readonly keyOf?: (name: string) => string;
  /** What has no place here, under the name of the tool. */
  readonly rest?: Readonly<Record<string, unknown>>;
  /** The members that it had, as the export of the tool writes them. */
  readonly original?: ToolRecord;
  readonly place?: { readonly file: string; readonly line: number } | undefined;
}
