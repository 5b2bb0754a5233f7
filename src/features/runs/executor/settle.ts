import type { Resolver } from '../model/values/resolve.js';
import { settingOf } from './call-tool.js';
import { checkConditions } from './check-conditions.js';
import { storeValue } from '../model/values/run-values.js';
import type { SettledCall } from '../model/tool.js';
import { argsDigest } from './arguments.js';
import type { StepInstance } from './step-instance.js';
import { Halted } from './session.js';
import type { Session } from './session.js';

/** Milliseconds after which what was on its way has had its effect, where the tool does not say it. */
const SETTLE_MS = 5000;
/** A shorter wait needs no words, in milliseconds. */
const SAY_AFTER_MS = 1000;

/**
 * Finds out what an unknown outcome counts as: what can be done again is done again; else its verifications say what
 * happened; else a person does.
 * @throws Halted when a person is to say it
 */
export async function settleOutcome(session: Session, at: StepInstance, resolver: Resolver): Promise<void> {
  const { step, name } = at;
  const { toolbox, log, onUnknown } = session;
  const { attempt, effects } = session.instance(name);
  await sayingWhy(session, name, () => toolbox.endOrphan(`${log.run.id}/${name}/${attempt}`));
  await removeLeftovers(session, at, resolver);
  session.refuseToStop();
  const settle = { type: 'outcome_settled', step: name, attempt } as const;
  if (effects !== 'once') {
    await session.append([{ ...settle, as: 'failed', how: 'idempotent' }]);
    return;
  }
  if (onUnknown === 'fail') {
    const reason = 'told to count what nobody knows as failed';
    await session.append([{ ...settle, as: 'failed', how: 'person', final: true, reason }]);
    return;
  }
  const seen = onUnknown === 'ask' ? null : await seenInTheWorld(session, at, resolver);
  if (seen !== null) {
    const stored = seen.as === 'succeeded' ? await storeValue(log, seen.output) : null;
    await session.append([
      {
        ...settle,
        as: seen.as,
        how: 'verification',
        reason: 'what is there now tells it',
        ...(stored === null ? {} : { output_digest: stored.digest() }),
        ...(stored?.inline === undefined ? {} : { output: stored.inline }),
        ...(stored?.file === undefined ? {} : { output_file: stored.file }),
      },
    ]);
    return;
  }
  const checks = step.step.verifications ?? [];
  // What others take from its output nobody can tell by looking.
  if (onUnknown === 'ask' || checks.length === 0 || session.order.isOutputTaken(step))
    throw new Halted('waiting', [{ type: 'waiting', step: name, for: 'outcome', summary: question(at) }]);
  await session.clock.wait(toolbox.tools.get(step.step.tool)?.settleMs ?? SETTLE_MS, session.dropped);
  if (session.dropped.aborted) throw new Halted('signal');
  const missed = await checkConditions(session, { step: name, kind: 'verification', checks, resolver });
  await session.append([
    missed === null
      ? { ...settle, as: 'succeeded', how: 'verification' }
      : { ...settle, as: 'failed', how: 'verification', reason: missed.detail },
  ]);
}

/** What a call came to, as far as its tool can tell by what is there; null where it cannot. */
async function seenInTheWorld(
  session: Session,
  { step, name }: StepInstance,
  resolver: Resolver,
): Promise<SettledCall | null> {
  const tool = session.toolbox.tools.get(step.step.tool);
  if (tool?.settled === undefined) return null;
  const { attempt } = session.instance(name);
  const args = await resolver.object(step.raw.args, '/args');
  const intent = (await session.log.events()).findLast(
    (event) => event.type === 'attempt_started' && event.step === name && event.attempt === attempt,
  );
  if ('error' in args || intent?.type !== 'attempt_started') return null;
  if (argsDigest(args.value) !== intent.args_digest) return null;
  const { before = [], key } = intent;
  // A tool that tells by its files tells nothing without them.
  const tellsByFiles = tool.watched !== undefined || tool.inputs !== undefined;
  if (before.length === 0 && tellsByFiles) return null;
  // What cannot be looked at tells nothing, and a person is asked.
  return tool.settled(args.value, before, key, settingOf(session)).catch(() => null);
}

/** Removes what a process that was killed in the middle of the attempt has left beside the files that it wrote. */
async function removeLeftovers(
  session: Session,
  { step, name }: StepInstance,
  resolver: Resolver,
): Promise<void> {
  const tool = session.toolbox.tools.get(step.step.tool);
  if (tool?.removeLeftovers === undefined) return;
  const args = await resolver.object(step.raw.args, '/args');
  if ('error' in args) return;
  await tool.removeLeftovers({
    args: args.value,
    attempt: `${session.log.run.id}/${name}/${session.instance(name).attempt}`,
  });
}

/** Says what is waited for while what an earlier process has left behind is ended, which may take seconds. */
async function sayingWhy(session: Session, step: string, work: () => Promise<void>): Promise<void> {
  const message = 'what an earlier process of this run has started there runs still, and is asked to end';
  const over = new AbortController();
  const said = session.clock.wait(SAY_AFTER_MS, over.signal).then(() => {
    if (!over.signal.aborted) session.emit({ type: 'step_waits', step, message });
  });
  try {
    await work();
  } finally {
    over.abort();
    await said;
  }
}

function question({ step, name }: StepInstance): string {
  return `nobody knows whether ${name} (${step.step.tool}) took effect`;
}
