import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import type { RunStep } from '../steps/run-step.js';
import { argumentsKnownLater } from '../steps/step-references.js';
import { iterationToResolve, resolverOf } from './resolve.js';
import type { Iteration, Resolving } from './resolve.js';

/** A call of a step as far as it is known before it is made. */
interface KnownStepCall {
  readonly step: RunStep;
  readonly args: JsonObject;
  /** The arguments that are not known yet, which are as the plan has them. */
  readonly later: ReadonlySet<string>;
}

/**
 * Yields the calls that steps make, and those within and instead of them, each for the items that are known by now.
 * @param most so many items of a list are looked at
 */
export async function* knownCalls(
  resolving: Resolving,
  list: readonly RunStep[],
  around: Iteration,
  most: number,
): AsyncGenerator<KnownStepCall> {
  for (const step of list)
    for (const at of await iterationsOf(resolving, step, around, most)) {
      yield { step, ...(await argumentsOf(resolving, step, at)) };
      const below = [...(step.nested?.steps ?? []), ...(step.fallback?.steps ?? [])];
      yield* knownCalls(resolving, below, at, most);
    }
}

async function iterationsOf(
  resolving: Resolving,
  step: RunStep,
  around: Iteration,
  most: number,
): Promise<readonly Iteration[]> {
  if (step.raw.foreach === undefined) return [around];
  const items = await resolverOf(resolving, step, around).items();
  if ('error' in items) return [around];
  return items.value.slice(0, most).map((item, index) => iterationToResolve(around, step, index, item));
}

async function argumentsOf(resolving: Resolving, step: RunStep, at: Iteration) {
  const args: [string, JsonValue][] = [];
  const later = new Set<string>();
  const referring = argumentsKnownLater(step, resolving.steps.dialect);
  for (const [name, value] of Object.entries(step.raw.args)) {
    const resolved = referring.has(name)
      ? await resolverOf(resolving, step, at).object({ [name]: value }, '/args')
      : { value: { [name]: value } };
    if ('error' in resolved) later.add(name);
    args.push([name, 'error' in resolved ? value : (resolved.value[name] ?? null)]);
  }
  return { args: Object.fromEntries(args), later };
}
