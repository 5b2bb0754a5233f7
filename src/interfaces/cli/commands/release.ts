import { oneLine } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { goalLine } from '../render/work.js';
import { workerOptions } from '../worker-options.js';

/** Gives a goal back, so that another can take it. */
export const run: RunCommand = async ({ args, options, workspace }) => {
  const report = await workspace.release(args[0] ?? '', {
    ...workerOptions(options),
    token: text(options.token),
    force: options.force === true,
  });
  const { goal, released } = report;
  return { data: report, text: `Released ${goalLine(goal)}, which ${oneLine(released.by)} held.\n` };
};
