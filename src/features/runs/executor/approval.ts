import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { RunPayloadOf } from '../model/run-events.js';
import { approvalsOfStep } from '../model/run.js';
import { scopeOfStep } from '../model/steps/instance-names.js';
import type { FileState } from '../model/tool.js';
import type { StepInstance } from './step-instance.js';
import { argsDigest } from './arguments.js';
import { storedArgs } from './call-tool.js';
import { POLL_MS } from './check-conditions.js';
import { filesOfCall, inputsOfCall } from './files-of-call.js';
import { withEither } from '../../../kernel/forward-abort.js';
import { Halted } from './session.js';
import type { Session } from './session.js';

/**
 * Goes on only when people have given their approval of the step with just these arguments, where they must.
 * @throws Halted
 */
export async function refuseUnapproved(
  session: Session,
  { step, name, iteration }: StepInstance,
  args: JsonObject,
): Promise<void> {
  if (!step.step.requires_approval) return;
  const { steps, outputs, toolbox } = session;
  const within = { steps, outputs, tools: toolbox.tools };
  const named = (await filesOfCall(within, { step, iteration }, args)) ?? [];
  const digest = argsDigest(args, named);
  if (await isAgreedTo(session, name, 'before', digest)) return;
  const inputs = await inputsOfCall(within, { step, iteration }, args);
  await session.expected.asked(inputs);
  await askForApproval(session, name, `${name} needs approval: ${step.step.tool}`, {
    phase: 'before',
    call: { args, named, inputs, digest },
  });
}

/** Whether a step has the approval of enough people, to begin with it or to go on after it failed. */
export async function isAgreedTo(
  session: Session,
  name: string,
  phase: 'before' | 'after',
  digest: string | undefined,
): Promise<boolean> {
  const given = approvalsOfStep(session.log.run, name, phase, digest);
  return session.approvals === undefined ? given.length > 0 : session.approvals.areEnough(given);
}

/** The longest that a process stays for a person, in milliseconds. */
export const MOST_WAIT_MS = 24 * 60 * 60_000;

/** A call that a person is asked about. */
interface AskedCall {
  readonly args: JsonObject;
  /** The files that the arguments name. */
  readonly named: readonly FileState[];
  /** The files that it would replace, change or remove. */
  readonly inputs: readonly FileState[];
  /** Of the arguments, and of the files that they name. */
  readonly digest: string;
}

/**
 * Asks a person, and waits for the answer as long as the executor stays; then ends it with the question.
 * @param phase what is agreed to: to begin with the step, or to go on after it failed
 * @param call what the step would be called with; undefined where it is not about a call
 * @throws Halted where nobody has agreed by then
 */
export async function askForApproval(
  session: Session,
  name: string,
  summary: string,
  { phase, call }: { readonly phase: 'before' | 'after'; readonly call: AskedCall | undefined },
): Promise<void> {
  const { clock, waitMs, inPlace = false, pollMs = POLL_MS } = session;
  let left = waitMs;
  for (;;) {
    const { ask, tell } = await question(session, name, summary, call);
    left ??= inPlace && ask.code !== undefined ? MOST_WAIT_MS : 0;
    if (left <= 0) {
      tell(false);
      throw new Halted('waiting', [ask]);
    }
    await session.append([{ ...ask, executor: 'kept' }]);
    tell(true);
    const until = ask.expires_at === undefined ? Infinity : Date.parse(ask.expires_at);
    while (left > 0 && clock.now() <= until) {
      await session.log.refresh();
      if (await isAgreedTo(session, name, phase, call?.digest)) return;
      // Who stops the run is not the one who was asked: the question stays.
      if (session.stop.aborted || session.dropped.aborted || session.log.run.pausing)
        throw new Halted('waiting', [ask]);
      session.refuseToStop();
      const began = clock.now();
      await withEither([session.stop, session.dropped], (signal) => clock.wait(pollMs, signal));
      // A clock that is set back makes nothing longer.
      left -= Math.max(pollMs, clock.now() - began);
    }
    if (left <= 0) throw new Halted('waiting', [ask]);
  }
}

/** Draws up a question to a person. */
async function question(
  session: Session,
  name: string,
  summary: string,
  { args, named = [], inputs = [], digest }: Partial<AskedCall> = {},
): Promise<{ readonly ask: RunPayloadOf<'waiting'>; readonly tell: (isKept: boolean) => void }> {
  const asked = await session.approvals?.ask(scopeOfStep(name), digest ?? '');
  const drawn = asked?.drawn ?? undefined;
  const note = asked?.note ?? undefined;
  const ask: RunPayloadOf<'waiting'> = {
    type: 'waiting',
    step: name,
    for: 'approval',
    summary: note === undefined ? summary : `${summary} (${note})`,
    // Nothing is left out of what a person is asked about: what is not shown runs all the same.
    ...(args === undefined ? {} : await storedArgs(session, args)),
    ...(named.length === 0 ? {} : { named: named.map((one) => ({ ...one })) }),
    ...(inputs.length === 0 ? {} : { inputs: inputs.map((one) => ({ ...one })) }),
    ...(digest === undefined ? {} : { args_digest: digest }),
    ...(asked === undefined ? {} : { expires_at: asked.expires_at }),
    ...(drawn === undefined ? {} : { code: drawn.stored, code_key: drawn.key }),
    ...(session.approvals === undefined ? {} : { needed: session.approvals.needed }),
  };
  const tell = (isKept: boolean) => {
    if (drawn === undefined) return;
    const { code, expires_at } = drawn;
    session.emit({ type: 'approval_asked', step: name, summary, code, expires_at, isKept });
  };
  return { ask, tell };
}
