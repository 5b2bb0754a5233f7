import type { OperationNamed } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Shows what a worker has done when it ends. */
export const worker: RendererOf<OperationNamed<'worker'>> = {
  render({ goals, plans, runs }) {
    if (goals === 0 && runs.length === 0) return 'This worker has expanded nothing.\n';
    const lines = [
      ...(goals === 0
        ? []
        : [`Expanded ${quantityOf(goals, 'goal')} of ${quantityOf(plans.length, 'plan')}.`]),
      ...(runs.length === 0 ? [] : [`Carried out ${runs.join(', ')}.`]),
    ];
    return `${lines.join('\n')}\n`;
  },
};
