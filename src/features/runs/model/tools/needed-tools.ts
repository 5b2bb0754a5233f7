import { everyStep } from '../../../actions/model/action-plan.js';
import type { ActionPlan, Check } from '../../../actions/model/action-plan.js';
import { panesOf } from './panes-of-plan.js';
import type { ToolsFile } from '../../../actions/tools/read-tools-file.js';

/** What a plan calls, by name. */
export interface NeededTools {
  readonly tools: readonly string[];
  /** The types of preconditions and verifications. */
  readonly conditions: readonly string[];
  /** Whether it names panes of a terminal. */
  readonly panes?: boolean;
}

/** What a plan calls, its fallbacks and nested plans included, each name once and in order. */
export function neededTools(plan: ActionPlan): NeededTools {
  const tools = new Set<string>();
  const conditions = new Set<string>();
  const see = (checks: readonly Check[] = []) => {
    for (const { type } of checks) conditions.add(type);
  };
  see(plan.preconditions);
  for (const { step } of everyStep(plan)) {
    // A nested plan is what such a step does.
    if (step.plan === undefined) tools.add(step.tool);
    see(step.preconditions);
    see(step.verifications);
    see(step.plan?.preconditions);
  }
  return { tools: [...tools], conditions: [...conditions], panes: panesOf(plan).size > 0 };
}

/** Of what is needed, what a tools file does not bind: a plan with any such name is not prepared. */
export function unboundNames({ tools, conditions }: NeededTools, file: ToolsFile): NeededTools {
  const bound = new Set(file.tools.filter(({ run }) => run !== null).map(({ name }) => name));
  return {
    tools: tools.filter((name) => !bound.has(name)),
    conditions: conditions.filter((type) => !file.checks.has(type)),
  };
}

/** What whoever approves should know of a tool before it runs. */
export interface ToolWarning {
  readonly tool: string;
  readonly message: string;
}

/** What is worth a warning of the tools that a plan uses. */
export function toolWarnings(needed: NeededTools, file: ToolsFile): readonly ToolWarning[] {
  const names = new Set(needed.tools);
  const used = file.tools.filter(({ name }) => names.has(name));
  return used.flatMap(({ name, run }) =>
    run !== null && 'command' in run && run.shell === true
      ? [{ tool: name, message: 'a shell runs it, which reads its script as a program' }]
      : [],
  );
}
