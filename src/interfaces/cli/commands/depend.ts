import { changeOptions, optionalTexts } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { renderChanges } from '../render/goal-changes.js';

/** Makes a goal wait for others, or no longer. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.depend(args[0] ?? '', {
    ...changeOptions(options),
    on: optionalTexts(options.on),
    notOn: optionalTexts(options.notOn),
  });
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
