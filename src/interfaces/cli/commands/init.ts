import type { RunCommand } from '../command.js';
import { planningFlags, text } from '../planning-options.js';
import { runPlanningCommand } from '../watch-planning.js';

/** Makes a plan and decomposes it. */
export const run: RunCommand = (invocation) => {
  const { args, options, workspace } = invocation;
  return runPlanningCommand(invocation, ({ signal, dropSignal }) =>
    workspace.init({
      ...planningFlags(options),
      goal: args[0],
      from: text(options.from),
      context: Array.isArray(options.context) ? options.context.map(String) : undefined,
      decompose: options.decompose !== false,
      signal,
      dropSignal,
    }),
  );
};
