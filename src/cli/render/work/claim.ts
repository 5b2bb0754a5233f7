import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { renderClaim } from '../parts/claimed-goal.js';

/** Shows what was taken, and the token that proves it. */
export const claim: RendererOf<OperationNamed<'claim'>> = {
  render: ({ others = [], ...first }, { terminal, input }) =>
    [first, ...others].map((each) => renderClaim('Claimed', each, terminal.colors, input)).join(''),
};

/** Shows until when the claim holds now. */
export const renew: RendererOf<OperationNamed<'renew'>> = {
  render: (report, { terminal }) => renderClaim('Renewed', report, terminal.colors),
};
