import * as z from 'zod';

import { sha256 } from '../../../kernel/sha256.js';
import { goalReplanned } from '../../../plan/events/editing/goal-replanned.js';
import { goalOf, NO_USAGE } from '../../../plan/plan.js';
import { usageSchema } from '../../../plan/schema.js';
import { ancestors, siblings, subtree } from '../../../plan/tree.js';
import { replanningRequest } from '../../../planning/replanning.js';
import type { ReplanningOptions } from '../../../planning/replanning.js';
import type { Context } from '../../shared/context.js';

const proposalSchema = z.object({
  /** The hash of what was asked; null when nothing that can be used was answered. */
  question: z.string().nullable(),
  payload: goalReplanned.payload.nullable(),
  /** What was spent on this goal since it was last replanned and is counted in no plan yet. */
  unbooked: usageSchema,
});

/** What a replanning that was only shown came to, and what asking has cost. */
export type ReplanningProposal = z.infer<typeof proposalSchema>;

export const NO_PROPOSAL: ReplanningProposal = { question: null, payload: null, unbooked: NO_USAGE };

/** The last proposal for a goal; one that cannot be read is none. */
export async function readProposal(context: Context, goalId: string): Promise<ReplanningProposal> {
  const text = (await (await context.documents())?.proposals.read(goalId)) ?? null;
  if (text === null) return NO_PROPOSAL;
  try {
    return proposalSchema.parse(JSON.parse(text));
  } catch {
    return NO_PROPOSAL;
  }
}

/** Keeps a proposal for the user, as no part of the plan. @throws PlanError STORAGE_FAILED */
export async function storeProposal(
  context: Context,
  goalId: string,
  proposal: ReplanningProposal,
): Promise<void> {
  await (await context.documents())?.proposals.keep(goalId, `${JSON.stringify(proposal, null, 2)}\n`);
}

/** Hashes all that a replanning depends on: as long as it is the same, asking again would be paying twice. */
export function replanningHash(options: ReplanningOptions): string {
  const { plan, goal, settings, expander, because } = options;
  const { maxChildren, revision } = replanningRequest(options);
  const above = ancestors(plan, goal);
  const needed = new Set([goal, ...above].flatMap(({ dependencies }) => dependencies));
  const asked = {
    because,
    maxChildren,
    failures: revision.failures,
    staying: revision.staying.map(({ id }) => id),
    kind: expander.kind,
    settings,
    goals: [
      ...subtree(plan, goal),
      ...above,
      ...siblings(plan, goal),
      ...[...needed].map((id) => goalOf(plan, id)),
    ],
  };
  return sha256(JSON.stringify(asked));
}
