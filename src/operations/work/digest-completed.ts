import { messageOf } from '../../kernel/errors.js';
import type { Result } from '../../plan/events/result.js';
import { goalOf } from '../../plan/plan.js';
import type { Plan } from '../../plan/plan.js';
import type { Goal } from '../../plan/schema.js';
import { ancestors } from '../../plan/tree.js';
import type { PlanLog } from '../../storage/plan-store.js';
import type { Emit } from '../planning/planning-progress.js';

interface CompletedOptions {
  /** Leaves that were just completed; the goals above them that this completed are found here. */
  readonly goals: readonly string[];
  /** What was submitted with them, by goal; read from the log where it is not given. */
  readonly results?: ReadonlyMap<string, Result> | undefined;
  readonly emit: Emit;
}

/**
 * Digests what a completion finished: the leaves that have no digest yet, and every goal above them that is complete
 * now. No model is asked, so that nobody who finishes work waits for one. Never throws: what goes wrong is told as a
 * notice.
 */
export async function digestCompleted(
  log: PlanLog,
  { goals, results, emit }: CompletedOptions,
): Promise<void> {
  try {
    const lacking = finishedAround(log.plan, goals).filter(
      ({ id, digest, child_ids }) =>
        digest === null && (child_ids.length > 0 || results === undefined || results.has(id)),
    );
    if (lacking.length === 0) return;
    const { createDigestWork } = await import('./digest-work.js');
    await createDigestWork(log, { emit, results, connect: null }).run(lacking.map(({ id }) => id));
    await log.publish('when_due');
  } catch (thrown) {
    emit({ type: 'notice', message: `no digest was made: ${messageOf(thrown)}` });
  }
}

/** The leaves with the complete goals above them, and the goals beside those that another process has yet to digest. */
function finishedAround(plan: Plan, leaves: readonly string[]): readonly Goal[] {
  const found = leaves.flatMap((id) => plan.goals.get(id) ?? []);
  const above = found.flatMap((leaf) => ancestors(plan, leaf)).filter(({ status }) => status === 'complete');
  const finished = new Map([...found, ...above].map((goal) => [goal.id, goal]));
  const beside = above
    .flatMap(({ child_ids }) => child_ids.map((child) => goalOf(plan, child)))
    .filter(({ status, child_ids }) => status === 'complete' && child_ids.length > 0);
  return [...new Map([...finished, ...beside.map((goal) => [goal.id, goal] as const)]).values()];
}
