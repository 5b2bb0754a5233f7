import type { Emit } from '../../../operations/planning/planning-progress.js';
import { isLinkingLeft, linkAtEnd } from '../../../operations/planning/run/link-at-end.js';
import { appendAndTell } from '../../../operations/planning/run/append-and-tell.js';
import { endIfDone, endWorkersRun, pauseWorkersRun } from './end-workers-run.js';
import { runOfWorkers } from './plan-session.js';
import type { PlanSession } from './plan-session.js';

/**
 * Asks as one of several workers which leaves of a plan need each other, and ends their run. One of them asks: whoever has the
 * name of the question.
 * @throws PlanError STORAGE_FAILED
 */
export async function linkJob(session: PlanSession, drop: AbortSignal, emit: Emit): Promise<void> {
  const { log, run, team, stop, expander, now } = session;
  const release = await team.hold(`link ${log.plan.header.id}`);
  if (release === null) return;
  try {
    await log.refresh();
    if (runOfWorkers(log.plan)?.id !== run.id) return;
    // The plan says whether it is asked, and not what this worker was started with: another has offered the job by that.
    const { settings = session.settings } = log.plan.header;
    if (!(await isLinkingLeft(log, settings))) return endIfDone(session, emit);
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
  } finally {
    await release();
  }
}
