import * as z from 'zod';

import { goalOf } from '../../../plan/plan.js';
import type { Plan } from '../../../plan/plan.js';
import { missingResultSchema } from '../../../plan/schema.js';
import { numberOf } from '../../../plan/tree.js';
import type { LinkChanges, LinkedNeed } from '../../../planning/link/link-changes.js';

/** A goal that waits for another. */
export const needSchema = z
  .object({
    goal: z.string(),
    goal_number: z.string(),
    on: z.string(),
    on_number: z.string(),
  })
  .readonly();

/** What an answer about the leaves of a plan comes to. */
export const linkFindingsShape = {
  added: z.array(needSchema).readonly().describe('Needs that leaves get.'),
  replaced: z.array(needSchema).readonly().describe('Waits between parts that the needs of leaves replace.'),
  dropped: z.array(needSchema).readonly().describe('Needs that would have goals wait for each other.'),
  missing: z.array(missingResultSchema).readonly().describe('Results that leaves use and none makes.'),
  chain: z.array(z.number()).readonly().describe('Leaves of the longest chain, before and after.'),
  can_start: z.array(z.number()).readonly().describe('Leaves that can start, before and after.'),
};

type LinkFindings = z.output<z.ZodObject<typeof linkFindingsShape>>;

/** Returns what changes of dependencies come to, goals with their numbers in the plan as it was before. */
export function linkFindings(before: Plan, { added, dropped, event, replaced }: LinkChanges): LinkFindings {
  return {
    added: shownNeeds(before, added),
    replaced: shownNeeds(before, replaced),
    dropped: shownNeeds(before, dropped),
    missing: event.missing,
    chain: event.chain,
    can_start: event.can_start,
  };
}

/** Returns needs with the numbers of their goals. */
export function shownNeeds(plan: Plan, needs: readonly LinkedNeed[]): readonly z.output<typeof needSchema>[] {
  return needs.map(({ goal, on }) => ({
    goal,
    goal_number: numberOf(plan, goalOf(plan, goal)),
    on,
    on_number: numberOf(plan, goalOf(plan, on)),
  }));
}
