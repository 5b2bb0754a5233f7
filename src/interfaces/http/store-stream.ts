import type { ServerResponse } from 'node:http';

import type { StoreWatch } from '../../operations/watching/plan-watch.js';
import { coalesced } from '../../operations/watching/coalesced.js';
import { streamLines } from './line-stream.js';

/** Nobody needs to look at a list more often. */
const GAP_MS = 300;

/** Streams a line whenever the plans or the runs of the store may have changed; what they are now is asked for apart. */
export function streamStore(watch: StoreWatch, response: ServerResponse): void {
  let kinds = new Set<string>(['any']);
  const push = coalesced(async () => {
    if (kinds.size === 0 || !stream.isFree) return;
    stream.send({ type: 'changed', kinds: [...kinds] });
    kinds = new Set();
  }, GAP_MS);
  const stop = watch.subscribe(({ kind }) => {
    kinds.add(kind);
    push();
  });
  const stream = streamLines(response, { onFree: push, onEnd: stop });
  push();
}
