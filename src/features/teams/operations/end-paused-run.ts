import { NO_USAGE } from '../../../plan/plan.js';
import type { Run } from '../../../plan/schema.js';
import type { PlanLog } from '../../../storage/plan-store.js';
import type { Context } from '../../../operations/shared/context.js';
import type { Emit } from '../../../operations/planning/planning-progress.js';
import { appendAndTell } from '../../../operations/planning/run/append-and-tell.js';
import { TEAM } from '../parts.js';

/** Events that are read at once to find the pause, from the last one backwards. */
const EVENTS_A_PAGE = 200;

/**
 * Ends a run of workers that was paused, for whoever goes on before a worker has: it counts from when the plan was left to
 * workers to the pause, for nothing was begun since.
 * @throws PlanError STORAGE_FAILED
 */
export async function endPausedRun(
  context: Context,
  { log, run, emit }: { readonly log: PlanLog; readonly run: Run; readonly emit: Emit },
): Promise<void> {
  const { id } = log.plan.header;
  const pausedAt = await lastPause(context, id);
  const seconds = pausedAt === null ? 0 : Math.max(0, pausedAt - Date.parse(run.started_at)) / 1000;
  // A worker that does the same at once is first, or is refused.
  await appendAndTell(log, [{ type: 'planning_ended', run: run.id, usage: { ...NO_USAGE, seconds } }], emit);
  await (await context.partIfAny(TEAM))?.end(id, run.id);
}

/** When a plan was last paused, in milliseconds since 1970; null where its log does not say. */
async function lastPause(context: Context, plan: string): Promise<number | null> {
  let before: number | undefined;
  for (;;) {
    const page = await context.store().recentEvents(plan, { count: EVENTS_A_PAGE, before });
    const paused = page.events.findLast(({ type }) => type === 'plan_paused');
    if (paused !== undefined) return Date.parse(paused.at);
    if (page.before === null) return null;
    before = page.before;
  }
}
