import { redactedMembers } from '../../actions/model/redact.js';
import { messageOf } from '../../../kernel/errors.js';
import { forwardAbort } from '../../../kernel/forward-abort.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { isJsonObject } from '../../../kernel/json/json-value.js';
import { CANCELLED } from '../model/events/attempt-ended.js';
import type { RunPayloadOf } from '../model/run-events.js';
import { effectsOf } from '../model/step-policy.js';
import type { RunStep } from '../model/steps/run-step.js';
import type { CallSetting, FileState, Outcome, Tool, ToolCall, ToolFailure } from '../model/tool.js';
import { storeValue } from '../model/values/run-values.js';
import { LONGEST_TIMER_MS } from '../../../kernel/longest-timer.js';
import { argsDigest } from './arguments.js';
import { changedFile } from './changed-file.js';
import { earlierCallsOf } from './earlier-calls.js';
import { withReportedFailure } from './reported-failure.js';
import type { Session } from './session.js';

/** Milliseconds that an attempt may take where neither the step nor the tool says it. */
const TIMEOUT_MS = 60_000;
/** Milliseconds that a tool is given to end after it was told to. */
const GRACE_MS = 5000;
/** Why a timer ends early. Where none is given, an error is made for each, with its stack. */
const OVER = 'the call is over';

/** An attempt that is to be made. */
export interface Attempt {
  readonly step: RunStep;
  readonly name: string;
  /** The key of the instance. */
  readonly key: string;
  readonly tool: Tool;
  readonly args: JsonObject;
  /** Why it cannot be called, where it cannot; the attempt has then failed, and nothing was called. */
  readonly refused: ToolFailure | null;
}

/**
 * Makes one attempt: the intent is written, then the tool is called, then the outcome is written; each is durable before
 * the next begins.
 * @throws Halted when the run is no longer this executor’s; whatever the store throws
 */
export async function makeAttempt(session: Session, attempt: Attempt): Promise<void> {
  const files = await session.expected.of(attempt.tool, attempt.args);
  let isOver: (() => void) | undefined;
  let ended: Outcome | null = null;
  try {
    // Others that write the same files may have been waited for.
    session.refuseToStop();
    const refused = attempt.refused ?? (await changedFile(session, attempt));
    const { number, before } = await intend(session, attempt);
    isOver = session.named.begin();
    const began = session.clock.now();
    ended = await made(session, { ...attempt, refused }, { number, before, expected: files.states });
    const ms = Math.max(0, session.clock.now() - began);
    await session.append([await ending(session, { step: attempt.name, attempt: number, ms }, ended)]);
  } finally {
    isOver?.();
    files.end(ended);
  }
}

/** The setting of a call of a run. */
export function settingOf({ log }: Session): CallSetting {
  return { earlier: earlierCallsOf(log), host: log.run.prepared.vars?.values };
}

/** Writes down that an attempt is about to be made. @returns its number, and the files by which it can be settled */
async function intend(session: Session, { name, key, step, args, tool }: Attempt) {
  const watched = async () =>
    (await tool.watched?.(args, settingOf(session))) ?? (await tool.inputs?.(args)) ?? [];
  const before = tool.settled === undefined ? [] : await watched();
  const number = session.instance(name).attempt + 1;
  const prepared = session.log.run.prepared.tools.find((one) => one.name === step.step.tool);
  await session.append([
    {
      type: 'attempt_started',
      step: name,
      attempt: number,
      key,
      ...(await storedArgs(session, redactedMembers(args))),
      args_digest: argsDigest(args),
      ...(before.length === 0 ? {} : { before: before.map(({ path, sha256 }) => ({ path, sha256 })) }),
      tool: step.step.tool,
      definition: prepared?.definition ?? '',
      effects: effectsOf(tool.effectsOf?.(args) ?? prepared?.effects ?? 'once', step.step),
      executor: session.executor,
    },
  ]);
  return { number, before };
}

async function made(
  session: Session,
  attempt: Attempt,
  { number, ...files }: { readonly number: number } & Required<Pick<ToolCall, 'before' | 'expected'>>,
): Promise<Outcome> {
  const { name, key, step, refused } = attempt;
  if (refused !== null) return { outcome: 'not_sent', error: refused };
  const waits = waitNotes(session, { step, name });
  const ids = {
    key,
    attempt: `${session.log.run.id}/${name}/${number}`,
    ...files,
    ...settingOf(session),
    say: waits.say,
    signalled: async (key: string) => (await session.log.refresh()).signals.has(key),
    outputOf: async (step: string) => (await session.outputs.of(step))?.value,
  };
  const outcome = await outcomeOf(session, attempt, ids);
  await waits.end(outcome.outcome === 'succeeded');
  return outcome;
}

/** Writes down what a call waits for, so that whoever looks at the run sees it, and that it waits no more. */
function waitNotes(session: Session, { step, name }: Pick<Attempt, 'step' | 'name'>) {
  // After the preconditions of the step, and the one of its tool.
  const index = (step.step.preconditions?.length ?? 0) + 1;
  const note = (ok: boolean, detail: string) =>
    session.append([{ type: 'checked', step: name, kind: 'precondition', index, ok, detail }]);
  let written: Promise<void> | null = null;
  return {
    say(this: void, message: string): void {
      session.emit({ type: 'step_waits', step: name, message });
      written = note(false, `it is waited for: ${message}`);
      // Whoever ends the attempt meets the trouble.
      written.catch(() => undefined);
    },
    async end(isOver: boolean): Promise<void> {
      await written;
      if (written !== null && isOver) await note(true, 'it is waited for no longer');
    },
  };
}

/** Arguments as an event has them: themselves where they are short, else the file that they are kept in. */
export async function storedArgs(
  { log }: Pick<Session, 'log'>,
  args: JsonObject,
): Promise<Pick<RunPayloadOf<'attempt_started'>, 'args' | 'args_file'>> {
  const { inline, file } = await storeValue(log, args);
  return inline !== undefined && isJsonObject(inline)
    ? { args: inline }
    : file === undefined
      ? {}
      : { args_file: file };
}

async function ending(
  { log }: Session,
  base: { readonly step: string; readonly attempt: number; readonly ms: number },
  outcome: Outcome,
): Promise<RunPayloadOf<'attempt_ended'>> {
  const output = 'output' in outcome && outcome.output !== undefined ? outcome.output : null;
  const stored = output === null ? null : await storeValue(log, output);
  const { files } = leftBy(outcome);
  return {
    type: 'attempt_ended',
    ...base,
    outcome: outcome.outcome,
    ...(stored === null ? {} : { output_digest: stored.digest() }),
    ...(stored?.inline === undefined ? {} : { output: stored.inline }),
    ...(stored?.file === undefined ? {} : { output_file: stored.file }),
    ...('error' in outcome ? { error: { ...outcome.error } } : {}),
    ...(files === undefined ? {} : { files: files.map((file) => ({ ...file })) }),
    ...('exit' in outcome && outcome.exit !== undefined ? { exit: outcome.exit } : {}),
  };
}

type Ids = Pick<
  ToolCall,
  'key' | 'attempt' | 'before' | 'expected' | 'say' | 'earlier' | 'host' | 'signalled' | 'outputOf'
>;

/** Calls the tool within its time. After that, or when calls are dropped, what it says is no outcome any more. */
async function outcomeOf(session: Session, { step, tool, args }: Attempt, ids: Ids): Promise<Outcome> {
  const { clock, dropped, graceMs = GRACE_MS } = session;
  const timeoutMs = Math.min(limitOf(step, tool, args), LONGEST_TIMER_MS);
  const told = new AbortController();
  let waiting = new AbortController();
  let isLate = false;
  let isOver = false;
  const releases = [forwardAbort(dropped, told), forwardAbort(dropped, waiting)];
  const { wait } = step.step;
  const call = { args, ...ids, timeoutMs, signal: told.signal, ...(wait === 'none' ? {} : { wait }) };
  const said = outcomeOrLost(tool, call);
  const answer =
    session.steps.dialect === 'soulbrowser' ? said.then((one) => withReportedFailure(one, tool)) : said;
  const timer = clock.wait(timeoutMs, waiting.signal).then(timeUp);
  const outcome = await Promise.race([answer, timer]);
  isOver = true;
  waiting.abort(OVER);
  for (const release of releases) release();
  return judged(outcome, { isLate, isDropped: dropped.aborted, timeoutMs });

  async function timeUp(): Promise<null> {
    if (isOver) return null;
    isLate = !dropped.aborted;
    if (isLate) told.abort();
    waiting = new AbortController();
    await clock.wait(graceMs, waiting.signal);
    return null;
  }
}

/** Milliseconds that an attempt may take: as the step says, else as long as wa waits and some seconds, else as the tool says. */
function limitOf({ step }: RunStep, { timeoutMs }: Tool, { timeout_ms: waited }: JsonObject): number {
  const own = step.tool === 'wa:wait_for' && typeof waited === 'number' ? waited + GRACE_MS : undefined;
  return step.timeout_ms ?? own ?? timeoutMs ?? TIMEOUT_MS;
}

/** What a tool says; one that throws has said nothing. */
async function outcomeOrLost(tool: Tool, call: ToolCall): Promise<Outcome> {
  try {
    return await tool.call(call);
  } catch (thrown) {
    return { outcome: 'lost', error: { code: 'TOOL_BROKEN', message: messageOf(thrown), retryable: true } };
  }
}

/** What counts of what a tool said, if it said anything, after it was told to end. */
function judged(
  outcome: Outcome | null,
  { isLate, isDropped, timeoutMs }: { isLate: boolean; isDropped: boolean; timeoutMs: number },
): Outcome {
  if (isLate) {
    const known = outcome?.outcome === 'failed' || outcome?.outcome === 'not_sent';
    if (known && outcome.error.code !== CANCELLED) return outcome;
    const message = `it took longer than ${timeoutMs} ms`;
    return { outcome: 'timed_out', error: { code: 'TIMEOUT', message, retryable: true }, ...leftBy(outcome) };
  }
  const cancelled = { code: CANCELLED, message: 'the call was dropped', retryable: true };
  if (outcome === null) return { outcome: 'lost', error: cancelled };
  if (!isDropped || outcome.outcome === 'succeeded') return outcome;
  // That the run is to stop is no failure of the step.
  return outcome.outcome === 'failed'
    ? outcome
    : { outcome: outcome.outcome, error: cancelled, ...leftBy(outcome) };
}

/** What a call did to files is known also where what it brought does not count. */
function leftBy(outcome: Outcome | null): { readonly files?: readonly FileState[] } {
  return outcome !== null && 'files' in outcome && outcome.files !== undefined
    ? { files: outcome.files }
    : {};
}
