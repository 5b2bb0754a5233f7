import type { PreparedRun } from '../../execution/prepared-run.js';
import type { RunSteps } from '../../execution/steps/run-step.js';
import { referencesOf } from '../../execution/steps/step-references.js';
import { definitionDigest, toolsDigest } from '../../execution/tools/definition-digest.js';
import { panesOf } from '../../execution/tools/panes-of-plan.js';
import type { FileState, Toolbox } from '../../execution/tool.js';

/** The tools and conditions of a run as they are stored. */
export type UsedTools = Pick<PreparedRun, 'tools' | 'tools_digest'> & {
  conditions: NonNullable<PreparedRun['conditions']>;
};

/** The tools and conditions that a run names, as they are now. */
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

/**
 * The files that the used tools will replace, change or remove, as far as the arguments of their calls are known
 * now.
 */
export async function inputsOf(steps: RunSteps, toolbox: Toolbox): Promise<PreparedRun['inputs']> {
  const found = new Map<string, FileState>();
  for (const step of steps.all) {
    const isKnown = [...referencesOf(step, steps.dialect)].every(
      ({ pointer }) => !pointer.startsWith('/args'),
    );
    const inputs = isKnown ? ((await toolbox.tools.get(step.raw.tool)?.inputs?.(step.raw.args)) ?? []) : [];
    for (const one of inputs) found.set(one.path, one);
  }
  return [...found.values()].map(({ path, sha256: hash }) => ({ path, sha256: hash }));
}
