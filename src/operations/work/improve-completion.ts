import { PlanError } from '../../kernel/errors.js';
import { replanGoal } from '../editing/replanning/replan-goal.js';
import { replannedDocument } from '../editing/replanning/replanned-schema.js';
import type { RunContext } from '../operation.js';
import type { CompletionReport } from './completion-report.js';
import { digestGoals } from './digest-goal.js';

/** Asks the model for better digests of what is complete now; when that fails, those that are there stay. Never throws for it. */
export async function improveDigests(
  context: RunContext,
  { plan }: { readonly plan?: string | undefined },
  report: CompletionReport,
): Promise<CompletionReport> {
  const { signal, dropSignal } = context;
  const notices = [...report.notices];
  let after = report.plan;
  try {
    for (const { id } of [report.goal, ...(report.others ?? []), ...report.completed_parents]) {
      const settings = { expander: 'model' } as const;
      const made = await digestGoals(context, {
        plan,
        goal: id,
        refresh: true,
        settings,
        signal,
        dropSignal,
      });
      for (const notice of made.notices) notices.push(notice);
      after = made.plan;
    }
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    notices.push(`the goal is complete, but no better digest was made: ${thrown.message}`);
  }
  return { ...report, plan: after, notices };
}

/**
 * Improves a completion: proposes anew what is left beside the completed goal, without changing it; null, and a
 * notice, when that failed.
 */
export async function reviseBeside(
  context: RunContext,
  { by, plan }: { readonly by?: string | undefined; readonly plan?: string | undefined },
  { goal }: CompletionReport,
): Promise<NonNullable<CompletionReport['revision']> | null> {
  const { emit, signal, dropSignal } = context;
  const failed = (reason: string): null => {
    const message = `The goal is complete, but what is left beside it was not proposed again: ${reason}`;
    emit({ type: 'notice', message });
    return null;
  };
  try {
    const options = { by, plan, revise: true, signal, dropSignal };
    const replanned = await replanGoal(context, goal.id, options, emit);
    return replanned.stopped === null ? replannedDocument(replanned) : failed(replanned.stopped.message);
  } catch (thrown) {
    if (!(thrown instanceof PlanError)) throw thrown;
    return failed(thrown.message);
  }
}
