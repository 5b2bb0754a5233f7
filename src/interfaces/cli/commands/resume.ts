import type { RunCommand } from '../command.js';
import { planningFlags } from '../planning-options.js';
import { runPlanningCommand } from '../watch-planning.js';

/** Goes on planning. */
export const run: RunCommand = (invocation) => {
  const { args, options, workspace } = invocation;
  return runPlanningCommand(invocation, ({ signal, dropSignal }) =>
    workspace.resume({
      ...planningFlags(options),
      plan: args[0],
      retryFailed: options.retryFailed === true,
      signal,
      dropSignal,
    }),
  );
};
