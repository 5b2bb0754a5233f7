import { changeOptions, optionalTexts, placeOptions } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { renderChanges } from '../render/goal-changes.js';

/** Adds a goal by hand. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.add({
    ...changeOptions(options),
    ...placeOptions(options),
    description: args[0] ?? '',
    detail: text(options.detail),
    acceptance: optionalTexts(options.acceptance),
    dependsOn: optionalTexts(options.dependsOn),
    composite: options.composite === true,
  });
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
