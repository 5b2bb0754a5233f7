import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { Goal, PlanFile } from '../schema.js';

/**
 * What repairing a plan file changed, in words, one sentence for each kind with the goals and links; empty when nothing.
 * @param before as it was read
 * @param after as it is taken in
 */
export function repairsBetween(before: PlanFile, after: PlanFile): readonly string[] {
  const changed = (differs: (goal: Goal, was: Goal) => boolean) =>
    Object.entries(after.goals).filter(([id, goal]) => {
      const was = before.goals[id];
      return was !== undefined && differs(goal, was);
    });
  const statuses = changed((goal, was) => goal.status !== was.status);
  const links = changed(
    (goal, was) =>
      goal.parent_id !== was.parent_id ||
      goal.depth !== was.depth ||
      goal.child_ids.join() !== was.child_ids.join(),
  );
  const dependencies = changed((goal, was) => goal.dependencies.join() !== was.dependencies.join());
  const named = (id: string | null) => {
    const goal = id === null ? undefined : (before.goals[id] ?? after.goals[id]);
    return goal === undefined ? (id ?? 'nothing') : `“${truncate(oneLine(goal.description), 60)}”`;
  };
  const moved = links.map(([id, goal]) => {
    const was = before.goals[id]?.parent_id ?? null;
    return was === goal.parent_id
      ? `${named(id)} (its place or its parts)`
      : `${named(id)} from ${named(was)} to ${named(goal.parent_id)}`;
  });
  const freed = dependencies.map(([id, goal]) => {
    const kept = new Set(goal.dependencies);
    const gone = (before.goals[id]?.dependencies ?? []).filter((on) => !kept.has(on));
    return `${named(id)} on ${gone.length === 0 ? 'the same twice' : gone.map(named).join(', ')}`;
  });
  return [
    ...(statuses.length === 0
      ? []
      : [
          `${goals(statuses.length)} marked complete or atomic when divided, though not all below is done: decomposing now`,
        ]),
    ...(links.length === 0 ? [] : [`links of ${goals(links.length)} mended: ${listed(moved)}`]),
    ...(dependencies.length === 0
      ? []
      : [
          `dependencies of ${goals(dependencies.length)} on goals that are not there, on relatives or in a circle dropped: ${listed(freed)}`,
        ]),
  ];
}

const MOST_NAMED = 20;

function listed(all: readonly string[]): string {
  const more = all.length - MOST_NAMED;
  return `${all.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function goals(count: number): string {
  return `${count} ${count === 1 ? 'goal' : 'goals'}`;
}
