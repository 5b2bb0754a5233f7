import { changeOptions } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { renderChanges } from '../render/goal-changes.js';

/** Takes a goal away. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.remove(args[0] ?? '', {
    ...changeOptions(options),
    force: options.force === true,
  });
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
