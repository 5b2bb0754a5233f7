import * as z from 'zod';

import { concluded, notSentOutcome, toolFailure } from '../../runs/runners/outcomes.js';
import { createSecrets } from '../../runs/runners/secrets.js';
import { CANCELLED } from '../../runs/model/events/attempt-ended.js';
import type { Outcome, ToolCall } from '../../runs/model/tool.js';
import { asJson, readArgs } from '../kit.js';
import type { CarriedTool } from '../kit.js';
import { lookForPattern, lookForRest, lookUntil, paneMeant } from './panes.js';
import type { RunPanes } from './panes.js';
import { ruleProblem } from './conditions.js';
import { paneId } from './send-text.js';

const somePane = paneId.nullish();
const milliseconds = z.int().min(0).max(86_400_000);

export const waitInput = z.strictObject({
  pane_id: somePane,
  condition: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('pattern'), pane_id: somePane, rule_id: z.string() }),
    z.strictObject({ type: z.literal('pane_idle'), pane_id: somePane, idle_threshold_ms: milliseconds }),
    z.strictObject({ type: z.literal('stable_tail'), pane_id: somePane, stable_for_ms: milliseconds }),
    z.strictObject({
      type: z.literal('external'),
      key: z.string().min(1).max(200).describe('What `plan runs signal RUN KEY` gives.'),
    }),
  ]),
  timeout_ms: milliseconds.describe('How long it is waited for at most.'),
});

export const waitOutput = z.strictObject({
  pane_id: z.int().nullable().describe('Null where no pane is looked at.'),
  matched: z.string().describe('The rule, the key, or the type of the condition.'),
  waited_ms: z.int(),
  text: z.string().describe('The line that matches, or that of the cursor; empty for a signal.'),
});

/** Returns the tool that waits for something in a pane. */
export function waitFor(panes: RunPanes): CarriedTool {
  return {
    problem({ args, later }) {
      if (later.has('condition')) return null;
      const read = waitInput.safeParse({ timeout_ms: 0, ...args });
      // What else is wrong with the arguments, their schema tells.
      if (!read.success) return null;
      const { condition } = read.data;
      return condition.type === 'pattern' ? ruleProblem(condition.rule_id, panes.rules) : null;
    },
    call: (call) => concluded(createSecrets({}), () => waited(call, panes)),
  };
}

async function waited(call: ToolCall, panes: RunPanes): Promise<Outcome> {
  const { condition, pane_id: given, timeout_ms: untilMs } = readArgs(waitInput, call.args);
  if (condition.type === 'external') return signalled(call, condition.key, { panes, untilMs });
  const pane = await paneMeant(given ?? condition.pane_id, panes, call.earlier);
  const look = () =>
    condition.type === 'pattern'
      ? lookForPattern(pane, condition.rule_id, panes, call.earlier)
      : lookForRest(
          pane,
          condition.type === 'pane_idle'
            ? { forMs: condition.idle_threshold_ms, atPrompt: true }
            : { forMs: condition.stable_for_ms, atPrompt: false },
          panes,
          call.earlier,
        );
  const looked = await lookUntil(look, panes, { untilMs, signal: call.signal });
  return outcomeOf(looked, call, {
    pane,
    matched: condition.type === 'pattern' ? condition.rule_id : condition.type,
    untilMs,
  });
}

/** Milliseconds between two looks at the log of the run. */
const LOG_LOOK_MS = 500;

/** Waits for a signal that somebody gives the run. */
async function signalled(
  call: ToolCall,
  key: string,
  { panes, untilMs }: { readonly panes: RunPanes; readonly untilMs: number },
): Promise<Outcome> {
  call.say?.(`the signal ${key}`);
  const look = async () => {
    const isGiven = (await call.signalled?.(key)) === true;
    return { found: isGiven ? '' : null, seen: 'nobody has given it: `plan runs signal` does' };
  };
  const looked = await lookUntil(look, panes, { untilMs, signal: call.signal, everyMs: LOG_LOOK_MS });
  return outcomeOf(looked, call, { pane: null, matched: key, untilMs });
}

function outcomeOf(
  { last, waitedMs }: Awaited<ReturnType<typeof lookUntil>>,
  { signal }: ToolCall,
  {
    pane,
    matched,
    untilMs,
  }: { readonly pane: number | null; readonly matched: string; readonly untilMs: number },
): Outcome {
  if (last.found === null) {
    if (signal.aborted) return notSentOutcome(CANCELLED, 'it was waited for no longer');
    const message = `${matched} did not come in ${untilMs} ms; seen last: ${last.seen}`;
    return { outcome: 'failed', error: toolFailure('WAIT_TIMEOUT', message, true) };
  }
  const output = { pane_id: pane, matched, waited_ms: waitedMs, text: last.found };
  return { outcome: 'succeeded', output: asJson(output) };
}
