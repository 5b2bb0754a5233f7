import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { goalLine } from '../parts/goal-lines.js';

/** Says that a goal could not be done, and how to go on from there. */
export const fail: RendererOf<OperationNamed<'fail'>> = {
  render({ goal, plan }, { terminal: { colors }, input }) {
    const called = input.plan === undefined ? input.goal : `${input.goal} --plan ${input.plan}`;
    const another =
      plan.expander === 'rules'
        ? `\`plan split ${called} --into "…" "…"\` divides it by hand, for the rules know no other way`
        : `\`plan replan ${called}\` plans it another way, with this reason told`;
    const next = `\`plan reopen ${called}\` tries it again; ${another}.`;
    return `${colors.red('Failed')} ${goalLine(goal)}\n${colors.dim(next)}\n`;
  },
};
