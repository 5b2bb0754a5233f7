import type { Emit } from '../../../operations/planning/planning-progress.js';
import { isLinkingLeft, linkAtEnd } from '../../../operations/planning/run/link-at-end.js';
import { appendAndTell } from '../../../operations/planning/run/append-and-tell.js';
import { endWorkersRun, pauseWorkersRun } from './end-workers-run.js';
import { runOfWorkers } from './plan-session.js';
import type { PlanSession } from './plan-session.js';

/**
 * Asks as one of several workers which leaves of a plan need each other, and ends their run. One of them asks: whoever has the
 * name of the question.
 * @returns whether it was asked by this call
 * @throws PlanError STORAGE_FAILED
 */
export async function linkJob(session: PlanSession, drop: AbortSignal, emit: Emit): Promise<boolean> {
  const { log, run, team, settings, stop, expander, now } = session;
  const release = await team.hold(`link ${log.plan.header.id}`);
  if (release === null) return false;
  try {
    await log.refresh();
    if (runOfWorkers(log.plan)?.id !== run.id || !(await isLinkingLeft(log, settings))) return false;
    const end = await linkAtEnd({ log, settings, expander, emit, now, drop, pause: stop.signal });
    if (end.kind === 'budget')
      await pauseWorkersRun(
        session,
        { because: 'budget', detail: end.limit, left: 'link', usage: end.usage },
        emit,
      );
    else if (end.kind === 'done') await endWorkersRun(session, emit);
    else if (end.usage.calls > 0)
      await appendAndTell(
        log,
        [{ type: 'usage_added', because: 'the call was dropped', usage: end.usage }],
        emit,
      );
    return end.kind === 'done';
  } finally {
    await release();
  }
}
