import { PlanError } from '../../errors.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { goalLine } from '../render/work.js';
import { workerOptions } from '../worker-options.js';

/** Says that a goal could not be done. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const reason = text(options.reason);
  if (reason === undefined)
    throw new PlanError('USAGE', '--reason is missing', { hint: '--reason says why, in a sentence.' });
  const report = await workspace.fail(args[0] ?? '', {
    ...workerOptions(options),
    reason,
    token: text(options.token),
  });
  return { data: report, text: `${terminal.colors.red('Failed')} ${goalLine(report.goal)}\n` };
};
