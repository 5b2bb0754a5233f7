import type { ActionPlan, ActionStep, Foreach, OnError, Retry, Risk, StepDefaults } from './action-plan.js';
import { riskOf } from './risk.js';

/** A plan in which everything that a runner must know is said. */
export interface ResolvedPlan extends Omit<ActionPlan, 'steps' | 'risk'> {
  readonly risk: Risk;
  readonly steps: readonly ResolvedStep[];
}

/** A step in which everything that a runner must know is said; what has no default stays left out. */
export interface ResolvedStep extends Omit<ActionStep, 'plan'> {
  readonly depends_on: readonly string[];
  readonly on_error: OnError;
  readonly retry: Required<Retry>;
  readonly requires_approval: boolean;
  readonly idempotent: boolean;
  readonly wait: 'none' | 'dom_ready' | 'idle';
  readonly foreach?: Foreach & { readonly concurrency: number };
  readonly plan?: ResolvedPlan;
}

/** One attempt and no wait: what holds where nobody speaks of trying again. */
const ONCE: Required<Retry> = {
  max_attempts: 1,
  initial_delay_ms: 250,
  max_delay_ms: 600_000,
  multiplier: 1,
  jitter: true,
};
/** Attempts where a step asks to be tried again and does not say how often. */
const ATTEMPTS = 3;

/**
 * A plan with its defaults applied. A step's own word outranks the plan's `defaults`, each of `on_error` and
 * `retry` as a whole; then: stop on an error, one attempt (three where `on_error` is `retry` without a
 * number), 250 ms between attempts, at most 10 minutes, full jitter, one item of a foreach at a time.
 * Steps of a fallback take no defaults of the plan, so that a default fallback does not nest in itself.
 */
export function resolveDefaults(plan: ActionPlan): ResolvedPlan {
  const steps = plan.steps.map((step) => resolveStep(step, plan.defaults ?? {}));
  return { ...plan, risk: plan.risk ?? riskOf(plan), steps };
}

/** A step with its defaults applied. @param defaults those of its plan; none for a step of a fallback */
export function resolveStep(step: ActionStep, defaults: StepDefaults): ResolvedStep {
  const { foreach, plan, ...rest } = step;
  const onError = step.on_error ?? defaults.on_error ?? { strategy: 'stop' };
  return {
    ...rest,
    depends_on: step.depends_on ?? [],
    on_error: onError,
    retry: resolveRetry(step.retry ?? defaults.retry, onError),
    requires_approval: step.requires_approval ?? false,
    idempotent: step.idempotent ?? false,
    wait: step.wait ?? 'none',
    ...(foreach === undefined ? {} : { foreach: { ...foreach, concurrency: foreach.concurrency ?? 1 } }),
    ...(plan === undefined ? {} : { plan: resolveDefaults(plan) }),
  };
}

/** How often and after which waits a step is tried that says this of it, or nothing. */
export function resolveRetry(retry: Retry | undefined, onError: OnError): Required<Retry> {
  if (retry === undefined) return onError.strategy === 'retry' ? { ...ONCE, max_attempts: ATTEMPTS } : ONCE;
  return { ...ONCE, ...retry, max_attempts: Math.max(1, retry.max_attempts) };
}
