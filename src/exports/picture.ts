import { planOfGoals } from '../plan/make-plan.js';
import { goalOf } from '../plan/plan.js';
import type { Plan } from '../plan/plan.js';
import type { Goal } from '../plan/schema.js';
import { depthFirst } from '../plan/tree.js';
import { goalLabels } from './goal-labels.js';
import type { GoalLabels } from './goal-labels.js';

/** Which goals a picture shows. */
export interface PicturePart {
  /** The deepest level; below it goals are only counted. */
  readonly depth?: number | undefined;
  /** The goals to draw, with all above them; every goal where it is left out. */
  readonly goals?: ReadonlySet<string> | undefined;
}

/** What of a plan a picture shows. */
export interface Picture {
  /** The goals that are drawn, with the dependencies between them. */
  readonly plan: Plan;
  /** What each goal is called in the whole plan. */
  readonly labels: GoalLabels;
  /** How many goals are below a goal at the deepest level. */
  readonly below: ReadonlyMap<string, number>;
  /** What is not drawn, in words; empty where nothing is left out. */
  readonly note: string;
}

/** All of a plan. */
export function wholePicture(plan: Plan): Picture {
  return { plan, labels: goalLabels(plan), below: new Map(), note: '' };
}

/** A part of a plan. What depends on a goal below the deepest level depends on the goal above it that is drawn. */
export function pictureOf(plan: Plan, part: PicturePart): Picture {
  if (part.depth === undefined && part.goals === undefined) return wholePicture(plan);
  const drawn = goalsDrawn(plan, part);
  const stands = standIns(plan, drawn, part.depth);
  const dependencies = new Map<string, Set<string>>();
  const below = new Map<string, number>();
  for (const goal of plan.goals.values()) {
    const at = stands.get(goal.id);
    if (at === undefined) continue;
    if (at !== goal.id) below.set(at, (below.get(at) ?? 0) + 1);
    const known = dependencies.get(at) ?? new Set<string>();
    dependencies.set(at, known);
    for (const id of goal.dependencies) {
      const needed = stands.get(id);
      if (needed !== undefined && needed !== at) known.add(needed);
    }
  }
  const goals = new Map<string, Goal>();
  for (const [id, goal] of plan.goals) {
    if (!drawn.has(id)) continue;
    const child_ids = goal.child_ids.filter((child) => drawn.has(child));
    goals.set(id, { ...goal, child_ids, dependencies: [...(dependencies.get(id) ?? [])] });
  }
  const picture = planOfGoals(plan.header, goals);
  return { plan: picture, labels: goalLabels(plan), below, note: noteOf(plan.goals.size - goals.size, part) };
}

/** The goals that a picture shows: those asked for, not too deep, with all above them. */
export function goalsDrawn(
  plan: Plan,
  { depth = Number.POSITIVE_INFINITY, goals }: PicturePart,
): ReadonlySet<string> {
  const drawn = new Set<string>([plan.header.root_goal_id]);
  for (const { goal } of depthFirst(plan)) {
    if (goal.depth > depth || (goals !== undefined && !goals.has(goal.id))) continue;
    for (let up: Goal = goal; !drawn.has(up.id); up = goalOf(plan, up.parent_id ?? '')) drawn.add(up.id);
  }
  return drawn;
}

/** For each goal that is drawn itself, and each below the deepest level, the one that is drawn in its place. */
function standIns(
  plan: Plan,
  drawn: ReadonlySet<string>,
  depth: number | undefined,
): ReadonlyMap<string, string> {
  const stands = new Map<string, string>();
  for (const { goal } of depthFirst(plan)) {
    if (drawn.has(goal.id)) stands.set(goal.id, goal.id);
    else if (depth !== undefined && goal.depth > depth) {
      const above = stands.get(goal.parent_id ?? '');
      if (above !== undefined) stands.set(goal.id, above);
    }
  }
  return stands;
}

/** What a picture says of a goal with so many below it that are not drawn. */
export function belowText(below = 0): string {
  return below === 0 ? '' : ` (${below} ${below === 1 ? 'goal' : 'goals'} below)`;
}

function noteOf(leftOut: number, { depth, goals }: PicturePart): string {
  if (leftOut === 0) return '';
  const where = [
    ...(depth === undefined ? [] : [`below level ${depth}`]),
    ...(goals === undefined ? [] : ['not looked for']),
  ].join(' or ');
  return leftOut === 1 ? `1 goal ${where} is left out` : `${leftOut} goals ${where} are left out`;
}
