import type { JsonObject } from '../../kernel/json/json-value.js';
import { messageOf } from '../../kernel/errors.js';
import type { Looked, Tool } from '../tool.js';
import type { Session } from './session.js';

/** How often is looked, and how long one look may take, in milliseconds. */
const POLL_MS = 250;
const LOOK_MS = 30_000;

/**
 * Waits until a tool can be called, such as until a person has given the browser back; as long as it takes, unless the run
 * is to stop. That it is waited for, and that it is over, stands in the log.
 * @param index what the condition is counted as among the preconditions of the step
 * @throws Halted when no further attempt is to be begun
 */
export async function untilReady(
  session: Session,
  name: string,
  {
    tool: { ready },
    args,
    index,
  }: { readonly tool: Tool; readonly args: JsonObject; readonly index: number },
): Promise<void> {
  if (ready === undefined) return;
  const { clock, dropped, stop, pollMs = POLL_MS } = session;
  const note = (looked: Looked) =>
    session.append([{ type: 'checked', step: name, kind: 'precondition', index, ...looked }]);
  const signal = AbortSignal.any([stop, dropped]);
  for (let look = 0; ; look += 1) {
    session.refuseToStop();
    const looked = await ready
      .look({ args, timeoutMs: LOOK_MS, signal })
      .catch((thrown: unknown): Looked => ({ ok: false, detail: messageOf(thrown) }));
    if (looked.ok) {
      if (look > 0) await note(looked);
      return;
    }
    if (look === 0) await note(looked);
    await clock.wait(pollMs, signal);
  }
}
