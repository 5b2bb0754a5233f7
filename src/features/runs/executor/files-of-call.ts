import type { JsonObject, JsonValue } from '../../../kernel/json/json-value.js';
import type { RunStep } from '../model/steps/run-step.js';
import { argumentsKnownLater } from '../model/steps/step-references.js';
import type { FilesSeen, FileState, Toolbox } from '../model/tool.js';
import { iterationToResolve, resolverOf } from '../model/values/resolve.js';
import type { Iteration, Resolving } from '../model/values/resolve.js';

/**
 * Finds the files of the workspace that a call names, as they are now; of a nested plan, those that its steps name, as far
 * as their arguments are known.
 * @param args what the step is called with
 * @param looking with the files that another look has read, and how many calls of a nested plan are looked at
 * @returns null where it makes more
 */
export async function filesOfCall(
  { tools, ...resolving }: Resolving & Pick<Toolbox, 'tools'>,
  { step, iteration }: { readonly step: RunStep; readonly iteration: Iteration },
  args: JsonObject,
  { seen = new Map(), most = Infinity }: { readonly seen?: FilesSeen; readonly most?: number } = {},
): Promise<readonly FileState[] | null> {
  const found = new Map<string, FileState>();
  let calls = 0;
  await look(step, iteration, { args, later: new Set() });
  return calls > most ? null : [...found.values()];

  async function look(of: RunStep, at: Iteration, call: { args: JsonObject; later: ReadonlySet<string> }) {
    const tool = of.nested === null ? tools.get(of.raw.tool) : undefined;
    for (const { path, sha256 } of (await tool?.named?.(call, seen)) ?? []) found.set(path, { path, sha256 });
    for (const inner of [...(of.nested?.steps ?? []), ...(of === step ? [] : (of.fallback?.steps ?? []))])
      for (const each of await iterationsOf(inner, at)) {
        calls += 1;
        if (calls > most) return;
        await look(inner, each, await callOf(inner, each));
      }
  }

  async function iterationsOf(of: RunStep, at: Iteration): Promise<readonly Iteration[]> {
    if (of.raw.foreach === undefined) return [at];
    const items = await resolverOf(resolving, of, at).items();
    if ('error' in items) return [at];
    return items.value.slice(0, most + 1).map((item, index) => iterationToResolve(at, of, index, item));
  }

  /** What an inner step is called with, and which of its arguments are not known yet. */
  async function callOf(of: RunStep, at: Iteration) {
    const args: [string, JsonValue][] = [];
    const later = new Set<string>();
    const referring = argumentsKnownLater(of, resolving.steps.dialect);
    for (const [name, value] of Object.entries(of.raw.args)) {
      const resolved = referring.has(name)
        ? await resolverOf(resolving, of, at).object({ [name]: value }, '/args')
        : { value: { [name]: value } };
      if ('error' in resolved) later.add(name);
      args.push([name, 'error' in resolved ? value : (resolved.value[name] ?? null)]);
    }
    return { args: Object.fromEntries(args), later };
  }
}
