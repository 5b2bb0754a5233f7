import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { counted } from '../parts/numbers.js';

/** Shows what a worker has done when it ends. */
export const worker: RendererOf<OperationNamed<'worker'>> = {
  render: ({ goals, plans }) =>
    goals === 0
      ? 'This worker has expanded nothing.\n'
      : `Expanded ${counted(goals, 'goal')} of ${counted(plans.length, 'plan')}.\n`,
};
