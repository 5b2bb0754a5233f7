import type { Check } from '../../actions/model/action-plan.js';
import type { PreparedRun } from '../model/prepared-run.js';
import type { Run } from '../model/run.js';
import type { RunStep, RunSteps } from '../model/steps/run-step.js';
import { argumentsKnownLater, referencesOfRunStep } from '../model/steps/step-references.js';
import type { FilesSeen, NamedFileState, Toolbox } from '../model/tool.js';
import { preflightRefusal } from './preflight.js';

/**
 * Finds the files of the workspace that the arguments of steps and conditions name, such as a script that a program is
 * given, as far as these arguments stand in the plan.
 */
export async function filesOfArguments(
  steps: RunSteps,
  toolbox: Toolbox,
): Promise<NonNullable<PreparedRun['named']>> {
  const seen: FilesSeen = new Map();
  const found = new Map<string, NamedFileState>();
  const add = (files: readonly NamedFileState[] = []) => {
    for (const file of files) found.set(file.path, file);
  };
  const check = async (checks: readonly Check[] = [], isKnown: (index: number) => boolean = () => true) => {
    for (const [index, { type, args }] of checks.entries())
      if (isKnown(index)) add(await toolbox.conditions.get(type)?.named?.(args, seen));
  };
  await check(steps.root.plan.preconditions);
  for (const step of steps.all) {
    const { raw, nested } = step;
    const tool = nested === null ? toolbox.tools.get(raw.tool) : undefined;
    const later = argumentsKnownLater(step, steps.dialect);
    add(await tool?.named?.({ args: raw.args, later }, seen));
    if (later.size === 0) add(await tool?.ready?.named?.(raw.args, seen));
    const known = knownChecks(step, steps);
    await check(raw.preconditions, known('preconditions'));
    await check(raw.verifications, known('verifications'));
    await check(raw.plan?.preconditions);
  }
  return [...found.values()].map(({ path, sha256 }) => ({ path, sha256 }));
}

/** Tells which conditions of a step hold no reference. */
function knownChecks(step: RunStep, { dialect }: RunSteps) {
  const pointers = [...referencesOfRunStep(step, dialect)].map(({ pointer }) => pointer);
  return (part: 'preconditions' | 'verifications') => {
    const referring = new Set(
      pointers.flatMap((pointer) => (pointer.startsWith(`/${part}/`) ? [pointer.split('/')[2]] : [])),
    );
    return (index: number) => !referring.has(String(index));
  };
}

/**
 * The preflight check of the files that arguments name: refuses a run of which one holds something else, is new or gone.
 * @throws PlanError E_TOOL_CHANGED
 */
export async function refuseChangedFiles(run: Run, steps: RunSteps, toolbox: Toolbox): Promise<void> {
  const before = new Map((run.prepared.named ?? []).map(({ path, sha256 }) => [path, sha256]));
  const now = new Map((await filesOfArguments(steps, toolbox)).map(({ path, sha256 }) => [path, sha256]));
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
    (path) => before.get(path) !== now.get(path),
  );
  if (changed.length === 0) return;
  throw preflightRefusal(
    'E_TOOL_CHANGED',
    run,
    `files that its arguments name have changed since it was prepared: ${changed.slice(0, MOST_NAMED).join(', ')}`,
    'Look at it, and prepare it again. A file that a tool itself writes is named under `writes` of its binding in the tools file, also as `${name}`.',
  );
}

/** As many files as anybody reads. */
const MOST_NAMED = 12;
