import type { JsonObject, JsonValue } from '../../../../kernel/json/json-value.js';
import { textOfJson } from '../../../../kernel/json/json-text.js';
import type { RunStep, StepList } from '../steps/run-step.js';
import { resolverOf } from './resolve.js';
import type { Iteration, Resolving } from './resolve.js';

/** Nobody looks at more, in characters of JSON. */
const MOST_SHOWN = 16 * 1024 * 1024;

/**
 * What the steps of a nested plan would be called with, for whoever is asked about the plan as a whole: each argument with
 * its references resolved where all that they name is there by now, else as the plan has it.
 * @returns null where that is more than anybody could look at
 */
export async function nestedCall(
  resolving: Resolving,
  list: StepList,
  iteration: Iteration,
): Promise<JsonObject | null> {
  let length = 0;
  return steps(list);

  async function steps(of: StepList): Promise<JsonObject | null> {
    const calls: JsonObject[] = [];
    for (const step of of.steps) {
      const call = await callOf(step);
      if (call === null) return null;
      calls.push(call);
    }
    return { steps: calls };
  }

  async function callOf(step: RunStep): Promise<JsonObject | null> {
    const args: [string, JsonValue][] = [];
    const { id, raw, fallback, nested } = step;
    for (const [name, value] of Object.entries(raw.args)) {
      const resolved = await resolvedIfAny(step, name, value);
      if (isTooLong(resolved)) return null;
      args.push([name, resolved]);
    }
    const items = raw.foreach === undefined ? null : await itemsIfAny(step, raw.foreach.from);
    if (isTooLong(items)) return null;
    const inner = nested === null ? {} : await steps(nested);
    const instead = fallback === null ? {} : await steps(fallback);
    if (inner === null || instead === null) return null;
    return {
      id,
      tool: raw.tool,
      args: Object.fromEntries(args),
      ...(items === null ? {} : { for_each: items }),
      ...inner,
      ...('steps' in instead ? { fallback: instead.steps } : {}),
    };
  }

  function isTooLong(value: JsonValue): boolean {
    length += textOfJson(value).length;
    return length > MOST_SHOWN;
  }

  async function resolvedIfAny(step: RunStep, name: string, value: JsonValue): Promise<JsonValue> {
    const found = await resolverOf(resolving, step, iteration).object({ [name]: value }, '/args');
    return 'error' in found ? value : (found.value[name] ?? null);
  }

  async function itemsIfAny(step: RunStep, from: string): Promise<JsonValue> {
    const found = await resolverOf(resolving, step, iteration).items();
    return 'error' in found ? from : found.value;
  }
}
