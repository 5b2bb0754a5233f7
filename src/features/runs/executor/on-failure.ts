import type { RunFailure } from '../model/events/run-fields.js';
import { CANCELLED } from '../model/events/attempt-ended.js';
import { askForApproval, isAgreedTo } from './approval.js';
import type { StepInstance } from './step-instance.js';
import type { Session } from './session.js';
import type { ListRunner, StepEnd } from './step-end.js';

const UNKNOWN_FAILURE: RunFailure = { code: 'FAILED', message: 'it failed', retryable: false };

/** Does what a step says is to be done when its attempts are used up. @throws Halted when a person is to decide */
export async function afterFailure(
  session: Session,
  at: StepInstance,
  runList: ListRunner,
): Promise<StepEnd> {
  const { step, name } = at;
  const instance = session.instance(name);
  const error = instance.error ?? UNKNOWN_FAILURE;
  const stopped: StepEnd = { kind: 'failed', step: name, error };
  const { on_error: onError } = step.step;
  switch (onError.strategy) {
    case 'stop':
    case 'retry':
      return stopped;
    case 'skip':
      await session.append([
        {
          type: 'step_skipped',
          step: name,
          because: 'on_error',
          ...(onError.warn === undefined ? {} : { warn: onError.warn }),
        },
      ]);
      return { kind: 'skipped', isMissing: false };
    case 'fallback':
      return fallBack(session, at, runList, stopped);
    case 'approval':
      if (error.code === CANCELLED) return stopped;
      if (!(await isAgreedTo(session, name, 'after', undefined)))
        await askForApproval(session, name, `${onError.summary} (${error.message})`, {
          phase: 'after',
          call: undefined,
        });
      await session.append([{ type: 'step_skipped', step: name, because: 'person' }]);
      return { kind: 'skipped', isMissing: false };
  }
}

/** Carries out the steps of a fallback; when all went well, so did the step. */
async function fallBack(
  session: Session,
  { step, name, iteration }: StepInstance,
  runList: ListRunner,
  stopped: StepEnd,
): Promise<StepEnd> {
  if (step.fallback === null) return stopped;
  const { failed, last } = await runList(session, step.fallback, iteration);
  if (failed !== null) return { kind: 'failed', ...failed };
  await session.append([
    {
      type: 'step_ended',
      step: name,
      outcome: 'succeeded',
      recovered: true,
      ...(last === null ? {} : { output_of: last }),
    },
  ]);
  return { kind: 'succeeded' };
}
