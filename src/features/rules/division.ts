/** A sub-goal before it is known whether it has sub-goals itself. */
export interface Planned {
  readonly description: string;
  readonly expandable: boolean;
  /** Numbers of earlier sub-goals, counted from 1. */
  readonly dependsOn: readonly number[];
  /** What must hold for it to be done, as the goal asks. */
  readonly acceptance?: readonly string[];
}

/** A goal divided once. */
export interface Division {
  readonly reasoning: string;
  readonly subGoals: readonly Planned[];
  /** Name of the method that was applied. */
  readonly method: string | null;
}
