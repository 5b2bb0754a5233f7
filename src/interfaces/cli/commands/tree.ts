import type { RunCommand } from '../command.js';
import { treeStyle } from '../render/style.js';

/** Draws the tree of goals. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  if (options.format === 'mermaid' || options.format === 'dot') {
    const exported = await workspace.export({ plan: args[0], format: options.format });
    return { data: exported, text: exported.content ?? '' };
  }
  const { text, ...data } = await workspace.tree(args[0], json ? {} : { style: treeStyle(terminal.colors) });
  return { data, text };
};
