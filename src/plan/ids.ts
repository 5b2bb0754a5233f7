/** A plan id: 8 hexadecimal characters. Nothing else may become part of a path. */
export const PLAN_ID_PATTERN = /^[0-9a-f]{8}$/;

/** A goal id: the plan's id, a hyphen, and a suffix. New ones have 6 of 0-9a-z; older tools used others. */
export const GOAL_ID_PATTERN = /^[0-9a-f]{8}-[0-9A-Za-z_-]{1,64}$/;

const ACTION_PLAN_ID = /ap-[0-9a-z]{6,61}/;

/** The id of an action plan, as the store keeps it. Nothing else may become part of a path. */
export const ACTION_PLAN_ID_PATTERN = new RegExp(`^${ACTION_PLAN_ID.source}$`);

/** Whatever in a text looks like the id of an action plan. */
export function actionPlanIdsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(new RegExp(ACTION_PLAN_ID, 'g')), ([id]) => id);
}

/** Where new ids come from; passed in, so that tests are exact. */
export interface IdSource {
  /** 8 hexadecimal characters. */
  planId(): string;
  /** 6 of 0-9a-z: the part of a goal id after the hyphen. */
  goalSuffix(): string;
  /** A unique id for an event, a run or a claim. */
  eventId(): string;
}

/** Makes the ID of a plan's root goal. */
export function rootGoalId(planId: string): string {
  return `${planId}-root`;
}

/** The id of the plan that a goal is of. */
export function planIdOf(goalId: string): string {
  return goalId.slice(0, goalId.indexOf('-'));
}

/** Cuts the plan's id off the id of a goal. */
export function goalSuffix(goalId: string): string {
  return goalId.slice(goalId.indexOf('-') + 1);
}
