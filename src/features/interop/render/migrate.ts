import type { OperationNamed } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { renderPlanned } from '../../../cli/render/parts/summary.js';

/** Shows the plans that were taken in, and on standard error what was repaired and what could not be taken. */
export const migrate: RendererOf<OperationNamed<'migrate'>> = {
  remark({ plans, problems }, { terminal }) {
    for (const { message } of problems) terminal.tell(message, { label: 'warning' });
    for (const { id, repaired = [] } of plans)
      for (const repair of repaired) terminal.tell(`plan ${id}: ${repair}`, { label: 'repaired' });
  },
  render({ plans, kept, skipped }, { terminal }) {
    const rest = [
      `Imported ${quantityOf(plans.length, 'plan')}`,
      ...(skipped.length === 0 ? [] : [`${quantityOf(skipped.length, 'plan')} already there`]),
      ...(kept.length === 0 ? [] : [`${quantityOf(kept.length, 'other file')} copied to backup/legacy/`]),
    ];
    return `${plans.map((plan) => renderPlanned(plan, terminal.colors)).join('')}${rest.join(', ')}.\n`;
  },
};
