import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { counted } from '../parts/numbers.js';
import { renderPlanned } from '../parts/summary.js';

/** Shows the plan that was taken in, and on standard error what of it was repaired. */
export const imported: RendererOf<OperationNamed<'import'>> = {
  remark({ repaired = [], dry_run }, { terminal }) {
    if (dry_run === true) terminal.tell('Nothing was written; this is what it would make:');
    for (const repair of repaired) terminal.tell(repair, { label: 'repaired' });
  },
  render: (plan, { terminal }) => renderPlanned(plan, terminal.colors),
};

/** Shows the plans that were taken in, and on standard error what was repaired and what could not be taken. */
export const migrate: RendererOf<OperationNamed<'migrate'>> = {
  remark({ plans, problems }, { terminal }) {
    for (const { message } of problems) terminal.tell(message, { label: 'warning' });
    for (const { id, repaired = [] } of plans)
      for (const repair of repaired) terminal.tell(`plan ${id}: ${repair}`, { label: 'repaired' });
  },
  render({ plans, kept, skipped }, { terminal }) {
    const rest = [
      `Imported ${counted(plans.length, 'plan')}`,
      ...(skipped.length === 0 ? [] : [`${counted(skipped.length, 'plan')} there already`]),
      ...(kept.length === 0 ? [] : [`${counted(kept.length, 'other file')} copied to backup/legacy/`]),
    ];
    return `${plans.map((plan) => renderPlanned(plan, terminal.colors)).join('')}${rest.join(', ')}.\n`;
  },
};
