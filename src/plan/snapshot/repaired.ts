import type { Goal, PlanFile } from '../schema.js';

/**
 * What repairing a plan file changed, in words, one sentence for each kind; empty when nothing.
 * @param before as it was read
 * @param after as it is taken in
 */
export function repairsBetween(before: PlanFile, after: PlanFile): readonly string[] {
  const changed = (differs: (goal: Goal, was: Goal) => boolean) =>
    Object.entries(after.goals).filter(([id, goal]) => {
      const was = before.goals[id];
      return was !== undefined && differs(goal, was);
    }).length;
  const statuses = changed((goal, was) => goal.status !== was.status);
  const links = changed(
    (goal, was) =>
      goal.parent_id !== was.parent_id ||
      goal.depth !== was.depth ||
      goal.child_ids.join() !== was.child_ids.join(),
  );
  const dependencies = changed((goal, was) => goal.dependencies.join() !== was.dependencies.join());
  return [
    ...(statuses === 0
      ? []
      : [
          `${goals(statuses)} marked complete or atomic when divided, though not all below is done: decomposing now`,
        ]),
    ...(links === 0 ? [] : [`links of ${goals(links)} mended`]),
    ...(dependencies === 0
      ? []
      : [
          `dependencies of ${goals(dependencies)} on goals that are not there, on relatives or in a circle dropped`,
        ]),
  ];
}

function goals(count: number): string {
  return `${count} ${count === 1 ? 'goal' : 'goals'}`;
}
