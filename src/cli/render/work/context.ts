import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Prints everything that somebody needs to do a goal, within a number of tokens. */
export const context: RendererOf<OperationNamed<'context'>> = {
  verbatim: () => true,
  render: ({ markdown }) => markdown,
};
