import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { renderClaim } from '../parts/work.js';

/** Shows what was taken, and the token that proves it. */
export const claim: RendererOf<OperationNamed<'claim'>> = {
  render: (report, { terminal }) => renderClaim('Claimed', report, terminal.colors),
};

/** Shows until when the claim holds now. */
export const renew: RendererOf<OperationNamed<'renew'>> = {
  render: (report, { terminal }) => renderClaim('Renewed', report, terminal.colors),
};
