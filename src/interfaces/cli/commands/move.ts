import { changeOptions, placeOptions } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { renderChanges } from '../render/goal-changes.js';

/** Moves a goal under another, or to another place. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.move(args[0] ?? '', { ...changeOptions(options), ...placeOptions(options) });
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
