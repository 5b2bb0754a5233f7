import { planningFlags } from '../planning-options.js';
import type { RunCommand } from '../command.js';
import { interruption, plannedOutcome, plannedTree, watchPlanning } from '../watch-planning.js';

/** Goes on planning. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  const interrupt = interruption();
  try {
    const planning = workspace.resume({
      ...planningFlags(options),
      plan: args[0],
      retryFailed: options.retryFailed === true,
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
