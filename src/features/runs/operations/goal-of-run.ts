import { PlanError } from '../../../kernel/errors.js';
import { goalInWords, namedGoal, statusInWords } from '../../../plan/goal-in-words.js';
import { isWaiting } from '../../../plan/plan.js';
import { waitingFor } from '../../../plan/readiness/dependencies.js';
import type { Context } from '../../../operations/shared/context.js';
import { findGoalByName } from '../../../operations/shared/find-plan.js';
import type { RunSource } from './run-source.js';

/** The goal that a run carries out. @throws PlanError WRONG_STATE for one that waits for others, or is not atomic */
export async function goalOfRun(
  context: Context,
  { goal: named, ofPlan }: { readonly goal?: string | undefined; readonly ofPlan?: string | undefined },
  { read }: RunSource,
): Promise<string | undefined> {
  const name = named ?? (context.hasStore() ? read.plan.goal_id : undefined);
  if (name === undefined) return undefined;
  const found = await findGoalByName(context, name, ofPlan, 'change').catch((thrown: unknown) => {
    // A goal that only the file names may be of another store.
    if (named === undefined && thrown instanceof PlanError) return null;
    throw thrown;
  });
  if (found === null) return undefined;
  const { log, goal } = found;
  const waits = waitingFor(log.plan, goal);
  if (waits.length > 0)
    throw new PlanError(
      'WRONG_STATE',
      `goal ${goalInWords(log.plan, goal)} waits for ${waits.map((id) => namedGoal(log.plan, id)).join(', ')}`,
      {
        hint: ['Complete those goals first.'],
        details: { goal: goal.id, waiting_for: waits },
      },
    );
  if (goal.child_ids.length > 0 || isWaiting(goal))
    throw new PlanError(
      'WRONG_STATE',
      `goal ${goalInWords(log.plan, goal)} is ${statusInWords(goal)}; a run carries out an atomic goal`,
    );
  return goal.id;
}
