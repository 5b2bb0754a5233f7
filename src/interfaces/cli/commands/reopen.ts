import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { goalLine } from '../render/work.js';
import { workerOptions } from '../worker-options.js';

/** Makes a finished or failed goal one that is to be done, or planned, again. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.reopen(args[0] ?? '', {
    ...workerOptions(options),
    reason: text(options.reason),
  });
  const { goal } = report;
  return { data: report, text: `${terminal.colors.bold('Reopened')} ${goalLine(goal)} [${goal.status}]\n` };
};
