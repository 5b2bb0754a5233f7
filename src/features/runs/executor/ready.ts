import { messageOf } from '../../../kernel/errors.js';
import { withEither } from '../../../kernel/forward-abort.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { Condition, ConditionResult, Tool, ToolFailure } from '../model/tool.js';
import { CHECK_MS, POLL_MS } from './check-conditions.js';
import { fileChanged } from './named-files.js';
import type { Session } from './session.js';

/** A tool that is to be called. */
interface Waiting {
  readonly tool: Tool;
  readonly args: JsonObject;
  /** Whether the arguments stood in the plan when the run was prepared. */
  readonly isKnown: boolean;
  /** What the condition is counted as among the preconditions of the step. */
  readonly index: number;
  /** Milliseconds that are waited at the most: the step's own limit; without end where it has none. */
  readonly limitMs: number;
}

/**
 * Waits until a tool can be called, such as until a person has given the browser back. That it is waited for, how long at
 * the most, and what came of it stands in the log.
 * @returns why it cannot be called: its time is up, or its condition is broken; null when it can
 * @throws Halted when no further attempt is to be begun
 */
export async function untilReady(
  session: Session,
  name: string,
  waiting: Waiting,
): Promise<ToolFailure | null> {
  const { ready } = waiting.tool;
  if (ready === undefined) return null;
  return withEither([session.stop, session.dropped], (signal) =>
    lookUntilReady(session, name, { ...waiting, ready, signal }),
  );
}

async function lookUntilReady(
  session: Session,
  name: string,
  {
    ready,
    args,
    isKnown,
    index,
    limitMs,
    signal,
  }: Waiting & { readonly ready: Condition; readonly signal: AbortSignal },
): Promise<ToolFailure | null> {
  const { clock, pollMs = POLL_MS } = session;
  const note = (looked: ConditionResult) =>
    session.append([{ type: 'checked', step: name, kind: 'precondition', index, ...looked }]);
  let left = limitMs;
  for (let look = 0; ; look += 1) {
    session.refuseToStop();
    const began = clock.now();
    const path = await session.named.changed((await ready.named?.(args)) ?? [], isKnown);
    const looked =
      path === null
        ? await lookOnce(ready, { args, timeoutMs: Math.min(CHECK_MS, left), signal })
        : fileChanged(ready.definition().name, path);
    if ('code' in looked) {
      session.refuseToStop();
      await note({ ok: false, detail: looked.message });
      return looked;
    }
    if (looked.ok) {
      if (look > 0) await note(looked);
      return null;
    }
    // A clock that is set back makes nothing longer.
    left -= Math.max(0, clock.now() - began);
    if (left <= 0) {
      session.refuseToStop();
      await note(looked);
      return notReady(limitMs, looked.detail);
    }
    if (look === 0) {
      const message = `${limitOf(limitMs)}: ${looked.detail}`;
      session.emit({ type: 'step_waits', step: name, message });
      await note({ ok: false, detail: `it is waited for, ${message}` });
    }
    const pause = Math.min(pollMs, left);
    await clock.wait(pause, signal);
    left -= pause;
  }
}

/** A look that throws has told nothing, and would tell nothing the next time. */
async function lookOnce(
  ready: Condition,
  call: Parameters<Condition['look']>[0],
): Promise<ConditionResult | ToolFailure> {
  try {
    return await ready.look(call);
  } catch (thrown) {
    return { code: 'TOOL_BROKEN', message: messageOf(thrown), retryable: true };
  }
}

function limitOf(ms: number): string {
  return Number.isFinite(ms) ? `${ms} ms at the most` : 'as long as it takes';
}

function notReady(limitMs: number, seen: string): ToolFailure {
  return { code: 'NOT_READY', message: `it was not ready within ${limitMs} ms: ${seen}`, retryable: true };
}
