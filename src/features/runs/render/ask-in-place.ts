import { canAsk } from '../../../cli/confirm.js';
import type { View } from '../../../cli/renderer.js';
import { messageOf, PlanError } from '../../../kernel/errors.js';
import { libraryOf } from '../../../operations/library.js';
import type { ExecutionEvent } from '../executor/session.js';
import { runs } from '../registry.js';
import { agreedTo } from './approval.js';

/** Asks a person on a terminal when a step asks, one question after the other, while the run stays as it is. */
export interface InPlace {
  /** What is asked because of what happened; null for nothing. */
  question(event: ExecutionEvent): (() => Promise<void>) | null;
  /** Somebody has not agreed: the run is to stop with its questions. */
  readonly declined: AbortSignal;
  /** No question is left. */
  end(): void;
}

/** What is over by itself: the step was approved elsewhere, or is asked about again. */
const OVER: ReadonlySet<string> = new Set(['E_APPROVAL_CONSUMED', 'E_APPROVAL_EXPIRED']);

/** Returns who asks where a person can be asked; elsewhere nobody is. */
export function askInPlace({
  terminal,
  context,
  json,
}: Pick<View, 'terminal' | 'context' | 'json'>): InPlace {
  const declined = new AbortController();
  const open = new Map<string, AbortController>();
  let turn: Promise<void> = Promise.resolve();

  const ask = async (code: string, over: AbortSignal) => {
    if (over.aborted || declined.signal.aborted) return;
    terminal.error(`In another terminal: plan approve ${code}\n`);
    try {
      await libraryOf(context, runs.operations).approve(
        await agreedTo({ code }, { terminal, context }, over),
      );
    } catch (thrown) {
      if (over.aborted || (thrown instanceof PlanError && OVER.has(thrown.code))) return;
      terminal.tell(messageOf(thrown));
      declined.abort();
    }
  };

  return {
    declined: declined.signal,
    question(told) {
      // Whatever becomes of a step, its question is answered.
      if (told.type === 'run_event' && told.event.type !== 'waiting' && 'step' in told.event)
        open.get(String(told.event.step))?.abort();
      if (told.type !== 'approval_asked' || !told.isKept || !canAsk(terminal, json)) return null;
      const over = new AbortController();
      open.get(told.step)?.abort();
      open.set(told.step, over);
      return () => (turn = turn.then(() => ask(told.code, over.signal)));
    },
    end() {
      for (const over of open.values()) over.abort();
    },
  };
}
