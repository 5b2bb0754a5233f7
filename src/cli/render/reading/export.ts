import { printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Writes a plan in another format to standard output; where it went to a file, says so. */
export const exported: RendererOf<OperationNamed<'export'>> = {
  verbatim: () => true,
  remark({ file, warnings = [] }, { terminal }) {
    for (const { message } of warnings)
      terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(message)}\n`);
    if (file !== null) terminal.error(`Wrote ${printable(file)}\n`);
  },
  render: ({ content }) => content ?? '',
};
