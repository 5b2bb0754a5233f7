import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { treeStyle } from '../parts/style.js';

/** Draws the tree of goals, coloured where it is for a terminal. */
export const tree: RendererOf<OperationNamed<'tree'>> = {
  verbatim: true,
  render: ({ format, text, draw }, { terminal }) =>
    format === 'ascii' ? draw({ style: treeStyle(terminal.colors), columns: terminal.columns }) : text,
};
