import { planningFlags, text } from '../planning-options.js';
import type { RunCommand } from '../command.js';
import { interruption, plannedOutcome, plannedTree, watchPlanning } from '../watch-planning.js';

/** Makes a plan and decomposes it. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  const interrupt = interruption();
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
    const result = await watchPlanning(planning, terminal, interrupt);
    const tree = json ? '' : await plannedTree({ workspace, terminal }, result.plan);
    return plannedOutcome(result, tree, terminal, json);
  } finally {
    interrupt.release();
  }
};
