import type { OperationNamed } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { goalLine } from '../parts/goal-lines.js';

/** Says that a goal could not be done, and how to go on from there. */
export const fail: RendererOf<OperationNamed<'fail'>> = {
  render({ goal }, { terminal: { colors }, input }) {
    const called = input.plan === undefined ? input.goal : `${input.goal} --plan ${input.plan}`;
    const next = `\`plan replan ${called}\` plans it another way, with this reason told; \`plan reopen ${called}\` tries it again.`;
    return `${colors.red('Failed')} ${goalLine(goal)}\n${colors.dim(next)}\n`;
  },
};
