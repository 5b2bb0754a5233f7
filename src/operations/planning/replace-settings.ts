import { PlanError } from '../../kernel/errors.js';
import type { EventPayload } from '../../plan/events.js';
import { NO_USAGE } from '../../plan/plan.js';
import type { Context } from '../shared/context.js';
import { appendAndTell } from './run/append-and-tell.js';
import { inRun } from './run/begin-run.js';
import type { RunPlanningOptions } from './run-planning.js';

/**
 * Has a plan planned with other settings from here on, without planning anything now; a paused plan stays paused. While
 * another process plans it, that one's settings stay, and this is told.
 */
export async function replaceSettings(
  context: Context,
  options: Pick<RunPlanningOptions, 'log' | 'settings' | 'emit'>,
): Promise<void> {
  const { log, emit } = options;
  const because = log.plan.header.paused_because ?? null;
  try {
    await inRun(context, options, async ({ id: run }) => {
      const end: EventPayload =
        because === null
          ? { type: 'planning_ended', run, usage: NO_USAGE }
          : { type: 'plan_paused', because, run, usage: NO_USAGE };
      await appendAndTell(log, [end], emit);
    });
  } catch (thrown) {
    if (!(thrown instanceof PlanError) || thrown.code !== 'PLANNER_BUSY') throw thrown;
    emit({ type: 'notice', message: `${thrown.message}; it goes on with its own settings.` });
  }
}
