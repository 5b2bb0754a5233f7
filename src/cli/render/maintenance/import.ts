import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { renderPlanned } from '../parts/summary.js';

/** Shows the plan that was taken in, and on standard error what of it was repaired. */
export const imported: RendererOf<OperationNamed<'import'>> = {
  remark({ repaired = [], dry_run }, { terminal }) {
    if (dry_run === true) terminal.tell('Nothing was written; this is what it would make:');
    for (const repair of repaired) terminal.tell(repair, { label: 'repaired' });
  },
  render: (plan, { terminal }) => renderPlanned(plan, terminal.colors),
};
