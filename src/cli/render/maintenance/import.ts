import { printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { renderPlanned } from '../parts/summary.js';

/** Shows the plan that was taken in, and on standard error what of it was repaired. */
export const imported: RendererOf<OperationNamed<'import'>> = {
  remark({ repaired = [], dry_run }, { terminal }) {
    if (dry_run === true) terminal.error('Nothing was written; this is what it would make:\n');
    for (const repair of repaired) terminal.error(`repaired: ${printable(repair)}\n`);
  },
  render: (plan, { terminal }) => renderPlanned(plan, terminal.colors),
};
