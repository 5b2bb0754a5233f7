import type { JsonObject } from '../../../kernel/json/json-value.js';
import type { RunStep } from '../model/steps/run-step.js';
import type { FilesSeen, FileState, KnownCall, Tool, Toolbox } from '../model/tool.js';
import { knownCalls } from '../model/values/known-calls.js';
import type { Iteration, Resolving } from '../model/values/resolve.js';

type Looking = Resolving & Pick<Toolbox, 'tools'>;

/** A step that is carried out, for which items. */
interface Instance {
  readonly step: RunStep;
  readonly iteration: Iteration;
}

/**
 * Finds the files of the workspace that a call names, as they are now; of a nested plan, those that its steps name, as far
 * as their arguments are known.
 * @param args what the step is called with
 * @param looking with the files that another look has read, and how many calls of a nested plan are looked at
 * @returns null where it makes more
 */
export async function filesOfCall(
  looking: Looking,
  at: Instance,
  args: JsonObject,
  { seen = new Map(), most = Infinity }: { readonly seen?: FilesSeen; readonly most?: number } = {},
): Promise<readonly FileState[] | null> {
  return filesOfCalls(looking, at, args, { most, look: async (tool, call) => tool.named?.(call, seen) });
}

/**
 * Finds the files that a call would replace, change or remove, as they are now; of a nested plan, those of its steps, as far
 * as their arguments are known.
 */
export async function inputsOfCall(
  looking: Looking,
  at: Instance,
  args: JsonObject,
): Promise<readonly FileState[]> {
  return (await filesOfCalls(looking, at, args, { most: Infinity, look: inputsOf })) ?? [];
}

async function inputsOf(tool: Tool, { args, later }: KnownCall): Promise<readonly FileState[] | undefined> {
  return tool.inputs?.(args, later);
}

async function filesOfCalls(
  { tools, ...resolving }: Looking,
  { step, iteration }: Instance,
  args: JsonObject,
  {
    most,
    look,
  }: {
    readonly most: number;
    readonly look: (tool: Tool, call: KnownCall) => Promise<readonly FileState[] | undefined>;
  },
): Promise<readonly FileState[] | null> {
  const found = new Map<string, FileState>();
  const add = async (of: RunStep, call: KnownCall) => {
    const tool = of.nested === null ? tools.get(of.raw.tool) : undefined;
    const files = tool === undefined ? [] : await look(tool, call);
    for (const { path, sha256 } of files ?? []) found.set(path, { path, sha256 });
  };
  await add(step, { args, later: new Set() });
  let calls = 0;
  for await (const inner of knownCalls(resolving, step.nested?.steps ?? [], iteration, most + 1)) {
    calls += 1;
    if (calls > most) return null;
    await add(inner.step, inner);
  }
  return [...found.values()];
}
