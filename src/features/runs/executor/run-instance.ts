import type { RunFailure } from '../model/events/run-fields.js';
import { withEither } from '../../../kernel/forward-abort.js';
import { nextAction, stepKey } from '../model/step-policy.js';
import type { NextAction } from '../model/step-policy.js';
import type { Iteration, Resolver } from '../model/values/resolve.js';
import { instanceName } from '../model/steps/instance-names.js';
import { argumentsKnownLater } from '../model/steps/step-references.js';
import type { RunStep } from '../model/steps/run-step.js';
import { resolverOf } from '../model/values/resolve.js';
import type { StepInstance } from './step-instance.js';
import { refuseUnapproved } from './approval.js';
import { argumentsProblem } from './arguments.js';
import { makeAttempt } from './call-tool.js';
import { changedFile } from './changed-file.js';
import { nestedCall } from '../model/values/nested-call.js';
import { checkConditions } from './check-conditions.js';
import { afterFailure } from './on-failure.js';
import type { ListRunner, StepEnd } from './step-end.js';
import type { Session } from './session.js';
import { untilReady } from './ready.js';
import { settleOutcome } from './settle.js';

/**
 * Carries out a step instance, or goes on with it: whatever the log says is done is not done again.
 * @throws Halted
 */
export async function runInstance(session: Session, at: StepInstance, runList: ListRunner): Promise<StepEnd> {
  const { step, name, iteration } = at;
  const resolver = resolverOf(session, step, iteration);
  const key = stepKey(session.log.run.id, name);
  for (;;) {
    const deed = nextAction(session.instance(name), step.step, key);
    switch (deed.kind) {
      case 'done':
        return { kind: 'succeeded' };
      case 'skipped':
        return { kind: 'skipped', isMissing: session.instance(name).skipped?.because === 'dependency' };
      case 'give_up':
        return afterFailure(session, at, runList);
      case 'settle':
        await settleOutcome(session, at, resolver);
        break;
      case 'verify':
        await checkConditions(session, {
          step: name,
          kind: 'verification',
          checks: step.step.verifications ?? [],
          from: deed.from,
          resolver,
        });
        break;
      case 'attempt':
        if (step.nested === null) await attempt(session, { ...at, key }, resolver, deed);
        else await runNested(session, at, runList, resolver);
        break;
    }
  }
}

/** When an attempt may be made: at a time, or after so many milliseconds at the most. */
type Due = Pick<Extract<NextAction, { kind: 'attempt' }>, 'at' | 'most'>;

/** Makes an attempt, unless something is against it; then the step has failed. */
async function attempt(
  session: Session,
  at: StepInstance & { readonly key: string },
  resolver: Resolver,
  due: Due,
): Promise<void> {
  const { step, name, key } = at;
  session.refuseToStop();
  if (session.instance(name).attempt === 0 && !(await mayBegin(session, at, resolver))) return;
  await untilDue(session, due);
  const args = await resolver.object(step.raw.args, '/args');
  if ('error' in args) return failed(session, name, args.error);
  const tool = session.toolbox.tools.get(step.step.tool);
  if (tool === undefined)
    return failed(session, name, failure('UNKNOWN_TOOL', `nothing is bound to ${step.step.tool}`));
  const problem = argumentsProblem(tool.definition(), args.value);
  if (problem !== null) return failed(session, name, failure('VALIDATION_ERROR', problem));
  const refusal = session.refusal?.(step.raw, args.value) ?? null;
  if (refusal !== null) return failed(session, name, failure('POLICY_DENIED', refusal));
  // Nobody is asked about a call that is not made.
  const changed = await changedFile(session, { step, tool, args: args.value });
  if (changed !== null) return failed(session, name, failure(changed.code, changed.message));
  await refuseUnapproved(session, at, args.value);
  const refused = await untilReady(session, name, {
    tool,
    args: args.value,
    isKnown: argumentsKnownLater(step, session.steps.dialect).size === 0,
    index: step.step.preconditions?.length ?? 0,
    limitMs: step.step.timeout_ms ?? Infinity,
  });
  session.refuseToStop();
  await makeAttempt(session, { step, name, key, tool, args: args.value, refused });
}

/** Looks at the preconditions of a step. */
async function mayBegin(
  session: Session,
  { step, name }: StepInstance,
  resolver: Resolver,
): Promise<boolean> {
  const checks = step.step.preconditions ?? [];
  const missed = await checkConditions(session, { step: name, kind: 'precondition', checks, resolver });
  if (missed === null) return true;
  await failed(session, name, failure(missed.code ?? 'PRECONDITION_FAILED', missed.detail));
  return false;
}

/** Waits until an attempt may be made; not longer than it was to be, also where the clock was set back. */
async function untilDue(session: Session, { at, most }: Due): Promise<void> {
  const { clock, stop, dropped } = session;
  const wait = Math.min(at - clock.now(), most);
  if (wait <= 0) return;
  await withEither([stop, dropped], (signal) => clock.wait(wait, signal));
  session.refuseToStop();
}

const TOO_LONG_TO_ASK = 'the arguments of its steps are longer than anybody who is asked could look at';

async function runNested(
  session: Session,
  at: StepInstance,
  runList: ListRunner,
  resolver: Resolver,
): Promise<void> {
  const { step, name, iteration } = at;
  const { nested } = step;
  if (nested === null) return;
  const instance = session.instance(name);
  // A nested plan is carried out once: what it did is not done again because something went wrong after it.
  if (instance.state === 'failed')
    return failed(session, name, instance.error ?? failure('FAILED', 'the nested plan failed'));
  if (!hasBegun(session, nested.steps, iteration)) {
    session.refuseToStop();
    if (!(await mayBegin(session, at, resolver))) return;
    if (step.step.requires_approval) {
      const call = await nestedCall(session, nested, iteration);
      if (call === null) return failed(session, name, failure('TOO_LONG', TOO_LONG_TO_ASK));
      await refuseUnapproved(session, at, call);
    }
    const missed = await checkConditions(session, {
      step: name,
      kind: 'precondition',
      checks: nested.plan.preconditions ?? [],
      offset: step.step.preconditions?.length ?? 0,
      resolver: null,
    });
    if (missed !== null)
      return failed(session, name, failure(missed.code ?? 'PRECONDITION_FAILED', missed.detail));
  }
  const end = await runList(session, nested, iteration);
  if (end.failed !== null) return failed(session, name, nestedFailure(end.failed));
  await session.append([
    {
      type: 'step_ended',
      step: name,
      outcome: 'succeeded',
      ...(end.last === null ? {} : { output_of: end.last }),
    },
  ]);
}

/** Whether an executor has begun any of these steps, or of those below them, for these items. */
export function hasBegun(session: Session, steps: readonly RunStep[], iteration: Iteration): boolean {
  const { instances, loops } = session.log.run;
  return steps.some((step) => {
    const name = instanceName(step, iteration.indices);
    const isBegun = instances.get(name) !== undefined || loops.get(name) !== undefined;
    return isBegun || (step.nested !== null && hasBegun(session, step.nested.steps, iteration));
  });
}

function nestedFailure({ step, error }: { readonly step: string; readonly error: RunFailure }): RunFailure {
  return { ...error, message: `${step}: ${error.message}`, retryable: false };
}

async function failed(session: Session, name: string, error: RunFailure): Promise<void> {
  await session.append([{ type: 'step_ended', step: name, outcome: 'failed', error }]);
}

function failure(code: string, message: string): RunFailure {
  return { code, message, retryable: false };
}
