import type { Plan } from '../../plan/plan.js';
import type { RunContext } from '../operation.js';
import type { Context } from '../shared/context.js';
import type { StatusReport } from './status-schema.js';

/** Returns the runs of a plan that need somebody, and what agents made that waits. */
export async function openRuns(context: Context, plan: Plan): Promise<NonNullable<StatusReport['runs']>> {
  const found = await Promise.all(
    context.features.map(async (feature) => (await feature.openRuns?.(context, plan)) ?? []),
  );
  return found.flat();
}

/** Tells which runs still need somebody though a change takes their goals away. @param changes of goals that it makes or would make */
export async function tellOfGone(
  context: RunContext,
  plan: Plan,
  changes: readonly { readonly goal: string; readonly after: unknown }[],
): Promise<void> {
  const gone = new Set(changes.flatMap(({ goal, after }) => (after === null ? [goal] : [])));
  if (gone.size === 0) return;
  for (const { goal, why, command } of await openRuns(context, plan))
    if (goal !== null && gone.has(goal))
      context.emit({ type: 'notice', message: `${goal} is taken away: ${why} (\`${command}\`)` });
}
