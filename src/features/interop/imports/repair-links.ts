import { oneLine } from '../../../kernel/text/safe-text.js';
import { inQuotes } from '../../../plan/goal-in-words.js';
import type { Goal, PlanFile } from '../../../plan/schema.js';
import type { KeptTool } from '../data-members.js';
import { distinctKeys } from './distinct-keys.js';
import type { OtherToolGoal } from './other-tool-goal.js';

/** The types of links that could have a meaning here, and have none because of where they lead. */
export const DEPENDS_ON = 'depends on';
export const PART_OF = 'part of';

/** Tasks whose keys are their own and whose links lead to tasks that are there, and what was dropped for it, in words. */
export interface RepairedLinks {
  readonly goals: readonly OtherToolGoal[];
  readonly dropped: readonly string[];
}

/**
 * Keeps every task: one whose key another has gets a key of its own, and links to the key mean the first. Links to what is
 * not there, to the task itself, and parents that are below the task are dropped, each with a word.
 */
export function repairLinks(all: readonly OtherToolGoal[]): RepairedLinks {
  const dropped: string[] = [];
  const keyOf = distinctKeys();
  const distinct = all.map((goal) => {
    const key = keyOf(goal.key);
    const repeats = key === goal.key ? goal.repeats : goal.key;
    if (repeats !== undefined)
      dropped.push(
        `${inQuotes(goal.description)} has the id of another task, ${repeats}: links to it lead to the first`,
      );
    return { ...goal, key };
  });
  const parents = new Map(distinct.map(({ key, parent }) => [key, parent]));
  const inCircle = tasksInCircle(parents);
  const goals = distinct.map((goal) => {
    const { key, description, parent, dependsOn } = goal;
    const why = parent === null ? null : reasonAgainst(key, parent, parents, inCircle);
    if (why !== null) dropped.push(`${inQuotes(description)} is not placed below ${parent}, ${why}`);
    const others = [...new Set(dependsOn)];
    const lost = others.filter((on) => on === key || !parents.has(on));
    for (const on of lost)
      dropped.push(
        `${inQuotes(description)} does not wait for ${on === key ? 'itself' : `${on}, which does not exist`}`,
      );
    const links = [
      ...(goal.links ?? []),
      ...(why === null || parent === null ? [] : [{ type: PART_OF, to: parent }]),
      ...lost.map((to) => ({ type: DEPENDS_ON, to })),
    ];
    return {
      ...goal,
      parent: why === null ? parent : null,
      dependsOn: others.filter((on) => on !== key && parents.has(on)),
      links,
    };
  });
  return { goals, dropped: dropped.map(oneLine) };
}

/** Keeps dependencies that a plan cannot have as links, by what the tool calls the other task. */
export function withLostLinks(before: PlanFile, after: PlanFile, tool: KeptTool): PlanFile {
  const member = tool === 'github' ? 'number' : 'id';
  const nameOf = (id: string) => {
    const name: unknown = Object(before.goals[id]?.[`x_${tool}`])[member];
    return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
  };
  const goals = Object.entries(after.goals).map(([id, goal]): [string, Goal] => {
    const kept = new Set(goal.dependencies);
    const lost = (before.goals[id]?.dependencies ?? [])
      .filter((on) => !kept.has(on))
      .flatMap((on) => nameOf(on) ?? []);
    if (lost.length === 0) return [id, goal];
    return [id, { ...goal, links: [...(goal.links ?? []), ...lost.map((to) => ({ type: DEPENDS_ON, to }))] }];
  });
  return { ...after, goals: Object.fromEntries(goals) };
}

/** Why a task cannot be below another; null where it can. One below a circle stays where it is: the circle is opened. */
function reasonAgainst(
  key: string,
  parent: string,
  parents: ReadonlyMap<string, string | null>,
  inCircle: ReadonlySet<string>,
): string | null {
  if (!parents.has(parent)) return 'which does not exist';
  return inCircle.has(key) ? 'which is a part of it' : null;
}

/** The tasks that are part of themselves, by way of others. */
function tasksInCircle(parents: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const inCircle = new Set<string>();
  /** By the task from which each was come to. */
  const seen = new Map<string, string>();
  for (const origin of parents.keys()) {
    let at: string | null = origin;
    for (; at !== null && !seen.has(at); at = parents.get(at) ?? null) seen.set(at, origin);
    if (at === null || seen.get(at) !== origin) continue;
    for (; at !== null && !inCircle.has(at); at = parents.get(at) ?? null) inCircle.add(at);
  }
  return inCircle;
}
