import { planningFlags, text } from '../planning-options.js';
import type { Invocation, RunCommand } from '../program.js';
import { treeStyle } from '../render/style.js';
import { interruption, plannedOutcome, watchPlanning } from '../watch-planning.js';

/** The largest tree that `init` and `resume` print at the end; a larger one is for `plan tree`. */
const LARGEST_TREE = 80;

/** Makes a plan and decomposes it. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  const interrupt = interruption(terminal);
  try {
    const planning = workspace.init({
      ...planningFlags(options),
      goal: args[0],
      from: text(options.from),
      context: Array.isArray(options.context) ? options.context.map(String) : undefined,
      decompose: options.decompose !== false,
      signal: interrupt.signal,
      dropSignal: interrupt.dropSignal,
    });
    const result = await watchPlanning(planning, terminal);
    const tree = json ? '' : await treeText({ workspace, terminal }, result.plan);
    return plannedOutcome(result, tree, terminal, json);
  } finally {
    interrupt.release();
  }
};

/** The tree of a plan that was just planned, unless it is too large to read at once. */
export async function treeText(
  { workspace, terminal }: Pick<Invocation, 'workspace' | 'terminal'>,
  plan: { readonly id: string; readonly total_goals: number },
): Promise<string> {
  if (plan.total_goals > LARGEST_TREE) return '';
  return (await workspace.tree(plan.id, { style: treeStyle(terminal.colors) })).text;
}
