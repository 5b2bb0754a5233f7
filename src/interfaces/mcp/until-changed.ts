import { setTimeout as wait } from 'node:timers/promises';

import type { ToolWorld } from './tool.js';

/** How often what is waited for is looked at. */
const LOOK_EVERY_MS = 300;
/** After so many looks whoever waits is told that the server is at it. */
const LOOKS_UNTOLD = 10;

/**
 * Looks at a state until it is another than at first.
 * @param look gives it as a document of JSON
 * @param seconds how long at the most; it is looked at once when left out
 * @throws what `look` throws, and when the call is cancelled
 */
export async function untilChanged<State>(
  { signal, progress }: Pick<ToolWorld, 'signal' | 'progress'>,
  look: () => Promise<State>,
  seconds = 0,
): Promise<State> {
  let seen = await look();
  const first = JSON.stringify(seen);
  const most = Math.ceil((seconds * 1000) / LOOK_EVERY_MS);
  for (let looks = 1; looks <= most && JSON.stringify(seen) === first; looks += 1) {
    await wait(LOOK_EVERY_MS, undefined, { signal });
    if (looks % LOOKS_UNTOLD === 0) await progress(looks, most);
    seen = await look();
  }
  return seen;
}
