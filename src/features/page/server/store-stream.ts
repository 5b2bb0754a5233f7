import type { ServerResponse } from 'node:http';

import { PlanError } from '../../../kernel/errors.js';
import { coalesced } from '../watching/coalesced.js';
import type { StoreWatch } from '../watching/plan-watch.js';
import type { Limits } from './limits.js';
import { streamLines } from './line-stream.js';
import type { LineStream } from './line-stream.js';
import { streamLine, planLines } from './plan-stream.js';
import type { LineSource } from './plan-stream.js';
import { errorToSendToPage, errorToSend } from './send.js';

/** Nobody needs to look at a list more often. */
const GAP_MS = 300;
/** So many plans in one stream. */
const MOST_PLANS = 50;

interface StreamWorld {
  readonly watch: StoreWatch;
  readonly limits: Limits;
}

/**
 * Streams one plan until it is gone.
 * @throws PlanError PLAN_NOT_FOUND, and what opening throws, before anything is sent
 */
export async function streamPlan(
  { watch, limits }: StreamWorld,
  name: string,
  response: ServerResponse,
): Promise<void> {
  let stream: LineStream | null = null;
  const source = await planLines(watch, name, () => stream?.wake());
  // The reader may have gone while the plan was opened.
  if (response.destroyed) return source.stop();
  stream = streamLines(response, { limits, next: () => source.next(), onEnd: () => source.stop() });
  stream.wake();
}

/**
 * Streams a line whenever the plans or the runs of the store may have changed; what they are now is asked for apart. In the
 * same stream come the lines of plans, with the name by which each was asked for.
 * @throws PlanError INVALID_INPUT
 */
export function streamStore(
  { watch, limits }: StreamWorld,
  names: readonly string[],
  response: ServerResponse,
): void {
  if (names.length > MOST_PLANS)
    throw new PlanError('INVALID_INPUT', `a stream carries at most ${MOST_PLANS} plans`);
  const sources = new Set<LineSource>();
  let isOver = false;
  const next = () => {
    for (const source of sources) {
      const line = source.next();
      // Whose turn it was is the last next time.
      if (line === null) continue;
      sources.delete(source);
      if (line === 'over') {
        source.stop();
        continue;
      }
      sources.add(source);
      return line;
    }
    return null;
  };
  const onEnd = () => {
    isOver = true;
    for (const source of sources) source.stop();
  };
  const stream = streamLines(response, { limits, next, onEnd });
  const wake = () => stream.wake();
  const add = (source: LineSource) => {
    if (isOver) return source.stop();
    sources.add(source);
    wake();
  };
  add(storeLines(watch, wake));
  for (const plan of new Set(names))
    void planLines(watch, plan, wake, { plan }).then(add, (thrown: unknown) =>
      add(lastLine({ plan, type: 'gone', ...errorToSend(errorToSendToPage(thrown)) })),
    );
}

function storeLines(watch: StoreWatch, wake: () => void): LineSource {
  let kinds = new Set<string>(['any']);
  let isDue = false;
  const push = coalesced(async () => {
    isDue = true;
    wake();
  }, GAP_MS);
  const stop = watch.subscribe(({ kind }) => {
    kinds.add(kind);
    push();
  });
  push();
  return {
    stop,
    next() {
      if (!isDue || kinds.size === 0) return null;
      const line = streamLine({ type: 'changed', kinds: [...kinds] });
      isDue = false;
      kinds = new Set();
      return [line];
    },
  };
}

function lastLine(document: object): LineSource {
  let line: readonly string[] | 'over' = [streamLine(document)];
  return {
    stop: () => undefined,
    next() {
      const now = line;
      line = 'over';
      return now;
    },
  };
}
