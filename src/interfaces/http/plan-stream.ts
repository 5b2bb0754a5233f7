import type { ServerResponse } from 'node:http';

import { PlanError } from '../../kernel/errors.js';
import { entriesSince } from '../../operations/watching/log-feed.js';
import { isEmptyDelta, planDelta } from '../../operations/watching/plan-delta.js';
import type { StoreWatch, WatchedState } from '../../operations/watching/plan-watch.js';
import { streamLines } from './line-stream.js';
import type { LineStream } from './line-stream.js';
import { errorDocument } from './send.js';

/**
 * Streams a plan: all of it, then what changed, whenever it did. A reader that is slow gets fewer lines, each from what it
 * was sent last to what holds now, so that nothing is kept for it but that state.
 * @throws PlanError PLAN_NOT_FOUND, and what opening throws, before anything is sent
 */
export async function streamPlan(watch: StoreWatch, name: string, response: ServerResponse): Promise<void> {
  let stream: LineStream | null = null;
  let sent: WatchedState | null = null;
  let seq = 0;
  let next: WatchedState | PlanError | null = null;
  const watched = await watch.plan(name, (state) => {
    next = state;
    push();
  });
  // The reader may have gone while the plan was opened.
  if (response.destroyed) return watched.stop();
  stream = streamLines(response, { onFree: push, onEnd: () => watched.stop() });
  next ??= watched.state;
  push();

  function push(): void {
    if (next === null || stream?.isFree !== true) return;
    const now = next;
    next = null;
    if (now instanceof PlanError) {
      stream.send({ type: 'gone', ...errorDocument(now) });
      stream.end();
      return;
    }
    const line = lineOf(sent, now);
    sent = now;
    if (line === null) return;
    seq += 1;
    stream.send({ seq, ...line });
  }
}

/** What a reader is told who knows one state; null where it knows all there is to tell. */
function lineOf(sent: WatchedState | null, now: WatchedState) {
  const delta = planDelta(sent?.plan ?? null, now.plan);
  const log = entriesSince(now.feed, sent?.feed.at(-1)?.event ?? null);
  const archived = sent?.archived === now.archived ? {} : { archived: now.archived };
  if (sent !== null && isEmptyDelta(delta) && log.length === 0 && !('archived' in archived)) return null;
  return { type: sent === null ? ('whole' as const) : ('changed' as const), ...delta, ...archived, log };
}
