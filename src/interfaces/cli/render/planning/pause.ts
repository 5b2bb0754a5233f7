import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { renderPlanned } from '../parts/summary.js';
import { howToGoOn } from '../parts/how-to-go-on.js';

/** Shows the plan that was paused, and the command that goes on with it. */
export const pause: RendererOf<OperationNamed<'pause'>> = {
  render: (plan, { terminal }) => `${renderPlanned(plan, terminal.colors)}${howToGoOn(plan)}\n`,
};
