import type { TreeStyle } from '../../../operations/reading/plan-tree.js';
import type { Colors } from '../../terminal.js';

/** How a tree is coloured: marks by how it stands with a goal. */
export function treeStyle(colors: Colors): TreeStyle {
  return {
    mark(text, state) {
      if (state === 'done') return colors.green(text);
      if (state === 'failed') return colors.red(text);
      if (state === 'ready') return colors.bold(colors.cyan(text));
      return state === 'to_plan' || state === 'claimed' ? colors.yellow(text) : text;
    },
  };
}
