import type { PreparedRun } from '../model/prepared-run.js';
import type { RunStep, RunSteps } from '../model/steps/run-step.js';
import { definitionDigest, toolsDigest } from '../model/tools/definition-digest.js';
import { panesOf } from '../model/tools/panes-of-plan.js';
import type { FileState, Toolbox } from '../model/tool.js';
import { knownCalls } from '../model/values/known-calls.js';
import { NO_ITERATION } from '../model/values/resolve.js';
import { NO_OUTPUTS } from '../model/values/run-values.js';
import type { JsonObject } from '../../../kernel/json/json-value.js';
import { errorCode, storageError } from '../../../host/files/storage-error.js';
import { cannotBePrepared } from './prepare-refusals.js';
import type { PrepareProblem } from './preparing/prepare-problem.js';

/** The tools and conditions of a run as they are stored. */
export type UsedTools = Pick<PreparedRun, 'tools' | 'tools_digest'> & {
  conditions: NonNullable<PreparedRun['conditions']>;
};

/** The tools and conditions that a run names, as a prepared run keeps them. */
export function usedTools(steps: RunSteps, toolbox: Toolbox): UsedTools {
  const names = new Set(steps.all.filter(({ nested }) => nested === null).map(({ raw }) => raw.tool));
  const types = new Set(conditionTypes(steps));
  const tools = [...toolbox.tools].filter(([name]) => names.has(name)).map(([, tool]) => tool.definition());
  const conditions = [...toolbox.conditions]
    .filter(([name]) => types.has(name))
    .map(([name, condition]) => ({ ...condition.definition(), name }));
  const panes =
    toolbox.panes === undefined || panesOf(steps.root.plan).size === 0 ? [] : [toolbox.panes.definition()];
  return {
    tools: tools.map((one) => ({
      name: one.name,
      effects: one.effects,
      definition: definitionDigest(one),
      binding: one.binding,
    })),
    conditions: conditions.map((one) => ({
      name: one.name,
      definition: definitionDigest(one),
      binding: one.binding,
    })),
    tools_digest: toolsDigest([...tools, ...conditions, ...panes]),
  };
}

/** Names what tools keep open from step to step, such as a page, and what is lost with the process of a run. */
export function whatEnds(used: PreparedRun['tools'], { tools }: Toolbox): readonly string[] {
  const names = used.flatMap(({ name, binding: { mcp } }) =>
    typeof mcp === 'string' ? [mcp.replace(/\/.*$/s, '')] : (tools.get(name)?.keeps ?? []),
  );
  return [...new Set(names)];
}

function* conditionTypes({ root, all }: RunSteps): Generator<string> {
  for (const { type } of root.plan.preconditions ?? []) yield type;
  for (const { raw } of all)
    for (const { type } of [
      ...(raw.preconditions ?? []),
      ...(raw.verifications ?? []),
      ...(raw.plan?.preconditions ?? []),
    ])
      yield type;
}

/** So many calls are looked at for the files that they write. */
const MOST_CALLS = 5000;

/**
 * The files that the tools of a prepared run will replace, change or remove, as far as the arguments of their calls
 * are known now.
 * @throws PlanError INVALID_INPUT naming the steps of which the system can have no such file
 */
export async function inputsOfTools(steps: RunSteps, toolbox: Toolbox): Promise<PreparedRun['inputs']> {
  const found = new Map<string, FileState>();
  const problems = new Map<RunStep, PrepareProblem>();
  let calls = 0;
  for await (const { step, args, later } of knownCalls(
    { steps, outputs: NO_OUTPUTS },
    steps.root.steps,
    NO_ITERATION,
    MOST_CALLS,
  )) {
    calls += 1;
    if (calls > MOST_CALLS) break;
    try {
      const tool = step.nested === null ? toolbox.tools.get(step.raw.tool) : undefined;
      for (const one of (await tool?.inputs?.(args, later)) ?? []) found.set(one.path, one);
    } catch (thrown) {
      problems.set(step, impossibleFile(step, args, thrown));
    }
  }
  if (problems.size > 0) throw cannotBePrepared([...problems.values()]);
  return [...found.values()].map(({ path, sha256: hash }) => ({ path, sha256: hash }));
}

/** What the system says of a path at which no step can have a file. */
const IMPOSSIBLE: ReadonlySet<unknown> = new Set(['ELOOP', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG']);

/** @throws anything else, such as a disk that cannot be read */
function impossibleFile({ id }: RunStep, args: JsonObject, thrown: unknown): PrepareProblem {
  if (!IMPOSSIBLE.has(errorCode(thrown))) throw thrown;
  const names = [args.path, args.from, args.to].filter((name) => typeof name === 'string');
  const { message } = storageError('use', names.map((name) => name.slice(0, 200)).join(' and '), thrown);
  return { rule: 'FILE', message, step: id };
}
