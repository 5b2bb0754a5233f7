import type { RunCommand } from '../command.js';
import { renderDiff } from '../render/goal-changes.js';

/** Shows what differs between two plans: goals that are new (`+`), gone (`-`) or changed (`~`). */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const diff = await workspace.diff(args[0] ?? '', args[1]);
  const { added, removed, changed } = diff;
  if (added.length + removed.length + changed.length === 0) terminal.error('No goal differs.\n');
  return { data: diff, text: renderDiff(diff, terminal.colors) };
};
