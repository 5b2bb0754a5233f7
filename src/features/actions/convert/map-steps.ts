import type { ActionPlan, ActionStep, OnError } from '../model/action-plan.js';

/**
 * A plan with each of its steps changed, those of fallbacks and nested plans included; a step is changed before
 * the steps within it.
 */
export function mapSteps(plan: ActionPlan, change: (step: ActionStep) => ActionStep): ActionPlan {
  const onError = plan.defaults?.on_error;
  return {
    ...plan,
    ...(onError?.strategy === 'fallback'
      ? { defaults: { ...plan.defaults, on_error: mapFallback(onError, change) } }
      : {}),
    steps: plan.steps.map((step) => mapStep(step, change)),
  };
}

function mapStep(step: ActionStep, change: (step: ActionStep) => ActionStep): ActionStep {
  const changed = change(step);
  const { on_error: onError, plan } = changed;
  return {
    ...changed,
    ...(onError?.strategy === 'fallback' ? { on_error: mapFallback(onError, change) } : {}),
    ...(plan === undefined ? {} : { plan: mapSteps(plan, change) }),
  };
}

function mapFallback(
  onError: Extract<OnError, { strategy: 'fallback' }>,
  change: (step: ActionStep) => ActionStep,
): OnError {
  return { ...onError, steps: onError.steps.map((step) => mapStep(step, change)) };
}
