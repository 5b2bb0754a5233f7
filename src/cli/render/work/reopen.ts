import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { goalWord } from '../parts/status-words.js';
import { goalLine } from '../parts/goal-lines.js';

/** Says which goal is to be done, or planned, again. */
export const reopen: RendererOf<OperationNamed<'reopen'>> = {
  render: ({ goal, others = [] }, { terminal }) =>
    [goal, ...others]
      .map((one) => `${terminal.colors.bold('Reopened')} ${goalLine(one)} [${goalWord(one)}]\n`)
      .join(''),
};
