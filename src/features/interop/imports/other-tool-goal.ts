/** A task of another tool. */
export interface OtherToolGoal {
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
  /** What is said of it when it was finished. */
  readonly result?: string | undefined;
  readonly dependsOn: readonly string[];
  /** What has no place here, under the name of the tool. */
  readonly rest?: Readonly<Record<string, unknown>>;
}
