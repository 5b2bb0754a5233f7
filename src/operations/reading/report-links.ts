import * as z from 'zod';

import { shellWord } from '../../kernel/text/shell-word.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { missingResults } from '../../plan/readiness/missing-results.js';
import type { Plan } from '../../plan/plan.js';
import type { MissingResult } from '../../plan/schema.js';
import { numbering } from '../../plan/tree.js';

/** A result that goals use and none makes, as reports have it. */
export const reportMissingSchema = z
  .object({
    code: z.literal('MISSING_RESULT'),
    what: z.string(),
    used_by: z
      .array(z.object({ goal: z.string(), number: z.string() }))
      .readonly()
      .describe('The goals that use it, and still wait for nothing that makes it.'),
    command: z.string().describe('What adds a goal that makes it.'),
  })
  .readonly();

const beforeAndAfter = z.tuple([z.int(), z.int()]).readonly();

/** What comparing all leaves came to, as reports have it. */
export const reportLinkedSchema = z
  .object({
    at: z.string(),
    added: z.int().describe('Needs of leaves that were added.'),
    replaced: z.int().describe('Waits between parts that needs of leaves replaced.'),
    chain: beforeAndAfter.optional().describe('Leaves of the longest chain, before and after.'),
    can_start: beforeAndAfter.optional().describe('Leaves that could start, before and after.'),
    missing: z
      .array(reportMissingSchema)
      .readonly()
      .describe('Results that leaves use and none makes, as far as that is so still.'),
  })
  .readonly();

export type ReportLinked = z.output<typeof reportLinkedSchema>;
export type ReportMissing = z.output<typeof reportMissingSchema>;

/** Returns what comparing the leaves of a plan came to; undefined where they were never compared. */
export function linkedOfPlan(plan: Plan): ReportLinked | undefined {
  const { linked } = plan.header;
  if (linked === undefined) return undefined;
  const { at, added = 0, replaced = 0, chain, can_start } = linked;
  return {
    at,
    added,
    replaced,
    ...(chain === undefined ? {} : { chain }),
    ...(can_start === undefined ? {} : { can_start }),
    missing: reportMissing(plan, missingResults(plan)),
  };
}

/** Lists the results that a goal, or one below it, uses and no goal makes. */
export function missingOfGoal(plan: Plan, goal: string): readonly ReportMissing[] {
  return reportMissing(
    plan,
    missingResults(plan).filter(({ used_by }) => used_by.includes(goal)),
  );
}

function reportMissing(plan: Plan, missing: readonly MissingResult[]): readonly ReportMissing[] {
  const numberIn = numbering(plan);
  return missing.map(({ what, used_by }) => ({
    code: 'MISSING_RESULT',
    what,
    used_by: used_by.flatMap((id) => {
      const goal = plan.goals.get(id);
      return goal === undefined ? [] : [{ goal: id, number: numberIn(goal) }];
    }),
    // A model's words are no options.
    command: `plan add --plan ${plan.header.id} -- ${shellWord(oneLine(what))}`,
  }));
}
