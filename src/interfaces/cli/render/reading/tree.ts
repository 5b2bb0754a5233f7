import { printable } from '../../../../kernel/text/safe-text.js';
import { viewerWarnings } from '../../../../operations/reading/exported-plan.js';
import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { treeStyle } from '../parts/style.js';

/** Draws the tree of goals, coloured where it is for a terminal. */
export const tree: RendererOf<OperationNamed<'tree'>> = {
  verbatim: true,
  remark({ format, text }, { terminal }) {
    if (format === 'ascii') return;
    for (const { message } of viewerWarnings(format, text).warnings ?? [])
      terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(message)}\n`);
  },
  render: ({ format, text, draw }, { terminal }) =>
    format === 'ascii' ? draw({ style: treeStyle(terminal.colors), columns: terminal.columns }) : text,
};
