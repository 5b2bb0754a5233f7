import { changeOptions } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { renderChanges } from '../render/goal-changes.js';

/** Makes one goal of several. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.merge(
    args.filter((name) => name !== undefined),
    { ...changeOptions(options), description: text(options.description) },
  );
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
