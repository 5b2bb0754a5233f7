import { changeOptions } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { renderChanges } from '../render/goal-changes.js';

/** Takes an expansion back. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.rollback(args[0] ?? '', changeOptions(options));
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
