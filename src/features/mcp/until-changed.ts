import { setTimeout as wait } from 'node:timers/promises';

import type { ToolWorld } from './tool.js';

/** How often what is waited for is looked at. */
const LOOK_EVERY_MS = 300;
/** After so many looks whoever waits is told that the server is at it. */
const LOOKS_UNTOLD = 10;

/** What is waited for. */
interface Wait<State> {
  /** How long at the most; the state is looked at once when left out. */
  readonly seconds: number | undefined;
  /** Whether a state may become another by itself; one that may not is not waited for. Each may where it is left out. */
  readonly mayChange?: (state: State) => boolean;
  /** What of a state counts, as a document of JSON; all of it where it is left out. */
  readonly told?: (state: State) => unknown;
}

/**
 * Looks at a state until it is another than at first.
 * @throws what `look` throws, and when the call is cancelled
 */
export async function untilChanged<State>(
  { signal, progress }: Pick<ToolWorld, 'signal' | 'progress'>,
  look: () => Promise<State>,
  { seconds = 0, mayChange = () => true, told = (state) => state }: Wait<State>,
): Promise<State> {
  let seen = await look();
  if (!mayChange(seen)) return seen;
  const first = JSON.stringify(told(seen));
  const most = Math.ceil((seconds * 1000) / LOOK_EVERY_MS);
  for (let looks = 1; looks <= most && JSON.stringify(told(seen)) === first; looks += 1) {
    await wait(LOOK_EVERY_MS, undefined, { signal });
    if (looks % LOOKS_UNTOLD === 0) await progress(looks, most);
    seen = await look();
  }
  return seen;
}
