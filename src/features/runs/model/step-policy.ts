import type { ResolvedStep } from '../../actions/model/resolve-defaults.js';
import { sha256 } from '../../../kernel/sha256.js';
import { CANCELLED } from './events/attempt-ended.js';
import type { Instance } from './instance.js';
import type { Effects } from './tool.js';

/** The key of an instance: the same for every attempt, so that a receiver can recognise a repetition. */
export function stepKey(run: string, instance: string): string {
  return sha256(JSON.stringify(['frctl/step/1', run, instance])).slice(0, 32);
}

/**
 * What calling a tool for a step does to the world, which decides the policy of trying again. A step can say that
 * its tool may be called again, and nothing less.
 */
export function effectsOf(tool: Effects, { idempotent }: Pick<ResolvedStep, 'idempotent'>): Effects {
  return tool === 'once' && idempotent ? 'idempotent' : tool;
}

/** What is to be done next about an instance that is carried out by calls. */
export type NextAction =
  | { readonly kind: 'done' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'verify'; readonly from: number }
  | { readonly kind: 'settle' }
  /** Attempt it, once the clock says so many milliseconds since 1970, or so many have passed: a clock can be set back. */
  | { readonly kind: 'attempt'; readonly at: number; readonly most: number }
  | { readonly kind: 'give_up' };

/**
 * The policy of what is next to be done with a step, by what the log tells of its instance: the same on whatever
 * machine, and after whatever crash.
 */
export function nextAction(
  instance: Instance,
  step: Pick<ResolvedStep, 'retry' | 'verifications'>,
  key: string,
): NextAction {
  switch (instance.state) {
    case 'skipped':
      return { kind: 'skipped' };
    case 'unknown':
    case 'started':
      return { kind: 'settle' };
    case 'succeeded': {
      const isLooked = instance.verified >= (step.verifications?.length ?? 0);
      return isLooked || instance.recovered ? { kind: 'done' } : { kind: 'verify', from: instance.verified };
    }
    case 'pending':
      return { kind: 'attempt', at: 0, most: 0 };
    case 'failed':
      if (instance.final || instance.failures >= step.retry.max_attempts) return { kind: 'give_up' };
      return { kind: 'attempt', ...retryTime(instance, step.retry, key) };
  }
}

/** How long is waited before a step is tried again after so many failures, in milliseconds. */
export function retryDelay(failures: number, retry: ResolvedStep['retry'], key: string): number {
  const { initial_delay_ms, max_delay_ms, multiplier, jitter } = retry;
  const longest = Math.min(max_delay_ms, initial_delay_ms * multiplier ** Math.max(0, failures - 1));
  return longest * (jitter ? chance(key, failures) : 1);
}

/** What is waited for is reckoned from the log, so that a resumed run does not begin to wait anew. */
function retryTime(
  { failures, ended_at, settled, error }: Instance,
  retry: ResolvedStep['retry'],
  key: string,
): { readonly at: number; readonly most: number } {
  const wasStopped = settled === 'idempotent' || error?.code === CANCELLED;
  if (wasStopped || failures === 0 || ended_at === null) return { at: 0, most: 0 };
  const most = retryDelay(failures, retry, key);
  return { at: Date.parse(ended_at) + most, most };
}

/** From 0 up to 1, the same for the same attempt. */
function chance(key: string, failures: number): number {
  return Number.parseInt(sha256(`${key}/${failures}`).slice(0, 8), 16) / 2 ** 32;
}
