import { join } from 'node:path';

import { realFolder } from '../../../../host/files/folders.js';
import { readStoredTextIfAny } from '../../../../host/files/text-files.js';
import { PlanError } from '../../../../kernel/errors.js';
import { legible } from '../../../../kernel/text/legible.js';
import type { Context } from '../../../../operations/shared/context.js';
import { everyStep } from '../../../actions/model/action-plan.js';
import { readFoundPlan } from '../../../actions/operations/read-action-plan-file.js';
import type { ToolsFile } from '../../../actions/tools/read-tools-file.js';
import { MOST_PLAN_BYTES } from '../run-source.js';
import type { RunSource } from '../run-source.js';
import { trustedToolsFile } from '../trust/trusted-tools-file.js';

const RUN_WORKFLOW = 'wa:run_workflow';
/** How deep workflows may run workflows. */
const MOST_LEVELS = 16;
/** How many steps of a plan, and of its workflows, may run one. */
const MOST_STEPS = 1000;

/**
 * Puts the plans of workflows, which the rules of a kit name, in the place of the steps that run them. What then is read
 * and shown is what runs.
 * @param toolsFile `.plans/tools.yaml` where it is left out
 * @throws PlanError INVALID_INPUT naming the step and the file, E_TOOL_UNTRUSTED
 */
export async function withWorkflows(
  context: Context,
  source: RunSource,
  toolsFile: string | undefined,
): Promise<RunSource> {
  let known: ToolsFile | null = null;
  const plans = new Map<string, string>();
  let count = 0;
  for (let now = source, level = 0; ; level += 1) {
    const steps = Array.from(everyStep(now.read.plan)).filter(({ step }) => step.tool === RUN_WORKFLOW);
    if (now.read.dialect !== 'wa' || steps.length === 0) return now;
    known ??= await trustedToolsFile(context, toolsFile);
    const { tools, workflows } = known;
    if (workflows.size === 0 || tools.some(({ name, run }) => name === RUN_WORKFLOW && run !== null))
      return now;
    if (level === MOST_LEVELS)
      throw invalid(`workflows run workflows more than ${MOST_LEVELS} deep, or each other`);
    count += steps.length;
    if (count > MOST_STEPS)
      throw invalid(`more than ${MOST_STEPS} steps of the plan and its workflows run one`);
    const { read } = now;
    const edits = [];
    let length = read.document.text.length;
    for (const { step, pointer } of steps) {
      const action = read.document.at(read.pointerOf(`${pointer}/args`));
      if (action === null) throw new TypeError(`no action is at ${pointer}`);
      const { start, end } = action;
      const replacement = `{"type":"nested_plan","plan":${await planOf(context, step.args, { workflows, plans })}}`;
      edits.push({ start, end, replacement });
      length += replacement.length;
      if (length > MOST_PLAN_BYTES) throw invalid('with its workflows the plan is longer than 16 MB');
    }
    const text = edited(read.document.text, edits);
    const found = { text, sidecar: read.sidecar ?? undefined, name: 'the plan with its workflows' };
    now = { ...now, text, read: readFoundPlan(found, 'wa') };
  }
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

function edited(text: string, edits: readonly Edit[]): string {
  const parts = [];
  let from = 0;
  for (const { start, end, replacement } of edits.toSorted((one, other) => one.start - other.start)) {
    parts.push(text.slice(from, start), replacement);
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

/** Returns the text of the plan of a workflow. */
async function planOf(
  context: Context,
  { workflow_id: id, params }: Readonly<Record<string, unknown>>,
  { workflows, plans }: Pick<ToolsFile, 'workflows'> & { readonly plans: Map<string, string> },
): Promise<string> {
  const name = typeof id === 'string' ? id : '';
  const path = workflows.get(name);
  if (path === undefined)
    throw invalid(
      `the rules name no plan for the workflow ${legible(name)}: \`workflows\` of the file of rules`,
    );
  if (params != null)
    throw invalid(`the workflow ${legible(name)} is given params, and a plan takes none here`);
  const read = plans.get(path);
  if (read !== undefined) return read;
  const root = realFolder(context.projectFolder() ?? context.environment.workingFolder);
  const text = await readStoredTextIfAny(join(root, path), MOST_PLAN_BYTES);
  if (text === null) throw invalid(`there is no ${path}, the plan of the workflow ${legible(name)}`);
  const { document, body } = readFoundPlan({ text, sidecar: undefined, name: path }, 'wa');
  const node = document.at(body) ?? document.root;
  const plan = document.text.slice(node.start, node.end);
  plans.set(path, plan);
  return plan;
}

function invalid(message: string): PlanError {
  return new PlanError('INVALID_INPUT', message, {
    hint: ['docs/kits.md shows a file of rules with workflows.'],
  });
}
