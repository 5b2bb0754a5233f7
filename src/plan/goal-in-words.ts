import { oneLine } from '../kernel/text/safe-text.js';
import { truncate } from '../kernel/text/truncate.js';
import { isWaiting } from './plan.js';
import type { Plan } from './plan.js';
import type { Goal, GoalStatus } from './schema.js';
import { numberOf } from './tree.js';

/** As much of a goal's description as a message has room for. */
const SHOWN = 80;

/** A goal in a message: by number and words. */
export function goalInWords(plan: Plan, goal: Goal): string {
  const number = numberOf(plan, goal);
  return `${number === '' ? 'root' : number} ${inQuotes(goal.description)}`;
}

/** The goal of an id in a message; one that is not in the plan is called by its id. */
export function namedGoal(plan: Plan, id: string): string {
  const goal = plan.goals.get(id);
  return goal === undefined ? id : goalInWords(plan, goal);
}

/** The words of a goal that has no number, on one line. */
export function inQuotes(description: string): string {
  return `“${truncate(oneLine(description), SHOWN)}”`;
}

/** What the statuses of goals are called in what people read. */
export const STATUS_WORDS: Readonly<Record<GoalStatus, string>> = {
  pending: 'to plan',
  decomposing: 'divided',
  atomic: 'to do',
  complete: 'done',
  failed: 'failed',
};

/** What the status of a goal is called. One that is to be divided, but is not yet, is still to plan. */
export function statusInWords(goal: Goal): string {
  return STATUS_WORDS[isWaiting(goal) ? 'pending' : goal.status];
}

/** The size of a goal in words, on one line; null for one that has sub-goals, of which a size says nothing any more. */
export function sizeInWords({ size, child_ids }: Goal): string | null {
  return size === undefined || child_ids.length > 0 ? null : oneLine(size) || null;
}

/** Returns what must not be done for some goals: the member `out_of_scope`, a text or a list of texts, each text once. */
export function outOfScopeTexts(goals: readonly Goal[]): readonly string[] {
  const texts = goals.flatMap(({ out_of_scope: said }) => (typeof said === 'string' ? [said] : listOf(said)));
  return [...new Set(texts)].filter((text) => text.trim() !== '');
}

function listOf(said: unknown): readonly string[] {
  const isList = Array.isArray(said) && said.every((each) => typeof each === 'string');
  return isList ? said : [];
}
