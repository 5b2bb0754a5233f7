import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { goalLine } from '../parts/goal-lines.js';

/** Says who gave the goal back. */
export const release: RendererOf<OperationNamed<'release'>> = {
  render: ({ goal, released }) => `Released ${goalLine(goal)}, which ${oneLine(released.by)} held.\n`,
};
