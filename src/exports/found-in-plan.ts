/** What looks wrong in a plan, for those who read it. */
export interface FoundInPlan {
  readonly goal: string;
  readonly message: string;
}
