const GOAL = /^<!--\s*goal:([0-9A-Za-z_-]{1,64})\s*-->$/;
const PLAN = /^<!--\s*plan:([0-9a-f]{8})\s*-->\s*$/;

/** The part of a goal's id after the plan's that a comment in a checklist names; null for any other comment. */
export function markedGoal(comment: string): string | null {
  return GOAL.exec(comment)?.[1] ?? null;
}

/** The plan that a line of a checklist names as its own; null for any other line. */
export function markedPlan(line: string): string | null {
  return PLAN.exec(line)?.[1] ?? null;
}
