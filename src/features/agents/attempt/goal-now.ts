import { createHash } from 'node:crypto';

import { timeNow } from '../../../operations/shared/environment.js';
import { isArchived } from '../../../operations/work/nothing-ready.js';
import { goalInWords } from '../../../plan/goal-in-words.js';
import { goalOf } from '../../../plan/plan.js';
import { holdOf } from '../../../plan/readiness/holds.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Attempt } from './state.js';
import type { Work } from './work.js';

/** Returns a mark of what a goal asks for: its words, and when it is done. */
export function wordsOf({ plan }: Pick<PlanLog, 'plan'>, id: string): string {
  const { description, acceptance = [] } = plan.goals.get(id) ?? {};
  return markOf([description, acceptance]);
}

/** Returns a mark of the words that something has. */
export function markOf(words: unknown): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}

/** Whether a goal asks for something else than its agent was told. */
export function isOfOtherWords(log: Pick<PlanLog, 'plan'>, { goal, told }: Attempt): boolean {
  return told !== null && told !== wordsOf(log, goal);
}

/** Returns why nothing is completed for now; null where it can be. */
export function notToComplete({ log: { plan }, context }: Work, goal: string): string | null {
  if (isArchived(plan))
    return `plan ${plan.header.id} is archived; \`plan work\` completes it once it is back`;
  const held = holdOf(plan, goalOf(plan, goal), timeNow(context.environment));
  if (held === null) return null;
  const name = goalInWords(plan, goalOf(plan, held.goal));
  return `goal ${name} is on hold; \`plan work\` completes it once the hold ends`;
}
