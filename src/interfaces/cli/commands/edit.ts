import { changeOptions, optionalTexts } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { renderChanges } from '../render/goal-changes.js';

const CLEARABLE = ['detail', 'acceptance', 'tags'] as const;

/** Changes the words of a goal. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const cleared = new Set<unknown>(optionalTexts(options.clear));
  const report = await workspace.edit(args[0] ?? '', {
    ...changeOptions(options),
    description: text(options.description),
    detail: text(options.detail),
    acceptance: optionalTexts(options.acceptance),
    tags: optionalTexts(options.tag),
    clear: CLEARABLE.filter((field) => cleared.has(field)),
  });
  return { data: report, text: renderChanges(report.changes, terminal.colors) };
};
