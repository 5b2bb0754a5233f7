import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Prints a published JSON Schema, or the names there are. */
export const schema: RendererOf<OperationNamed<'schema'>> = {
  verbatim: () => true,
  render: ({ schemas, text }) => text ?? `${schemas.join('\n')}\n`,
};
