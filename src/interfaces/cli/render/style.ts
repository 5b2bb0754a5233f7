import type { TreeStyle } from '../../../operations/reading/plan-tree.js';
import type { Colors } from '../terminal.js';

/** How a tree is coloured: marks by status, ids dim. */
export function treeStyle(colors: Colors): TreeStyle {
  return {
    id: colors.dim,
    mark(text, status) {
      if (status === 'complete') return colors.green(text);
      if (status === 'failed') return colors.red(text);
      return status === 'pending' ? colors.yellow(text) : text;
    },
  };
}
