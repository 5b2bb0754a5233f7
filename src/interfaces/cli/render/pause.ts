import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../renderer.js';
import { renderPlanned } from './summary.js';

/** Shows the plan that was paused. */
export const pause: RendererOf<OperationNamed<'pause'>> = {
  render: (plan, { terminal }) => renderPlanned(plan, terminal.colors),
};
