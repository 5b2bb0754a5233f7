import { isDropped } from '../status-words.js';
import type { OtherToolGoal } from './other-tool-goal.js';

/** Tasks by the ids of their goals, and what is part of what. */
interface Placed {
  readonly root: string;
  readonly goals: ReadonlyMap<string, OtherToolGoal>;
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly isDone: (id: string) => boolean;
}

/**
 * Finds what is on hold because it is a part of what nobody wants any more, by id, with the word for that. The whole is on hold
 * where all of it is; where a part of it says that it goes on, only what is beside that.
 */
export function heldAsDropped({ root, goals, children, isDone }: Placed): ReadonlyMap<string, string> {
  const order = [root];
  for (const id of order) for (const part of children.get(id) ?? []) order.push(part);
  const goesOn = new Set<string>();
  for (const id of order.toReversed())
    if (!isDone(id) && (doesGoOn(goals.get(id)) || (children.get(id) ?? []).some((part) => goesOn.has(part))))
      goesOn.add(id);
  const holds = new Map<string, string>();
  const words = new Map<string, string>();
  for (const id of order) {
    const goal = goals.get(id);
    const word = droppedWord(goal) ?? (doesGoOn(goal) ? undefined : words.get(id));
    if (word === undefined || isDone(id)) continue;
    if (goesOn.has(id)) for (const part of children.get(id) ?? []) words.set(part, word);
    else if (goal?.onHold === undefined) holds.set(id, word);
  }
  return holds;
}

/** The word of a task that nobody wants any more. */
function droppedWord(goal: OtherToolGoal | undefined): string | undefined {
  if (goal === undefined) return undefined;
  return goal.dropped ?? (goal.done && isDropped(goal.status) ? goal.status : undefined);
}

/** Whether a task is open whatever becomes of what it is a part of. */
function doesGoOn(goal: OtherToolGoal | undefined): boolean {
  return goal !== undefined && !goal.done && (goal.goesOn === true || isBegun(goal.status));
}

const BEGUN =
  /^(?:in[ _-]?(?:progress|review|development|testing)|started|doing|wip|active|review(?:ing)?)$/i;

/** Whether a status says that somebody is at it. */
export function isBegun(status: string | undefined): boolean {
  return BEGUN.test((status ?? '').trim());
}
