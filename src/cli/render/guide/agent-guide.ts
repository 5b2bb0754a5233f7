import { legible } from '../../../kernel/text/legible.js';
import { printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Prints the guide, or what differs in the file that has it now. */
export const agentGuide: RendererOf<OperationNamed<'agent-guide'>> = {
  // Documents for files, which are copied from the screen.
  verbatim: () => true,
  render({ text, file, changed, diff }, { terminal }) {
    if (file === null) return text;
    const named = legible(file);
    terminal.tell(changed ? `Wrote ${named}:` : `${named} has it already.`, { isDim: true });
    return printable(diff);
  },
};
