import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { goalWord } from '../parts/status-words.js';
import { goalLine } from '../parts/goal-lines.js';

/** Says which goal is to be done, or planned, again. */
export const reopen: RendererOf<OperationNamed<'reopen'>> = {
  render: ({ goal }, { terminal }) =>
    `${terminal.colors.bold('Reopened')} ${goalLine(goal)} [${goalWord(goal)}]\n`,
};
