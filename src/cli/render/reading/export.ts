import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Writes a plan in another format to standard output; where it went to a file, says so. */
export const exported: RendererOf<OperationNamed<'export'>> = {
  verbatim: () => true,
  remark({ file, warnings = [] }, { terminal }) {
    for (const { message } of warnings) terminal.tell(message, { label: 'warning' });
    if (file !== null) terminal.tell(`Wrote ${legible(file)}`);
  },
  render: ({ content }) => content ?? '',
};
