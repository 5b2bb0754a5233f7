import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Says how far the plan file goes now. */
export const publish: RendererOf<OperationNamed<'publish'>> = {
  render: ({ plan, event }) =>
    event === null
      ? `Plan ${plan} has no log; its plan file is the plan.\n`
      : `Wrote the plan file of ${plan}, up to event ${event}.\n`,
};
