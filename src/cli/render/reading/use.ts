import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Says which plan is meant where none is named, and why it is that one. */
export const use: RendererOf<OperationNamed<'use'>> = {
  render({ plan, because }, { terminal: { colors } }) {
    if (plan === null || because === null) return 'There is no plan that could be meant.\n';
    return `${colors.bold(plan.id)}  ${oneLine(plan.description)}\n${colors.dim(WHY[because])}\n`;
  },
};

const WHY: Readonly<Record<NonNullable<ResultOf<'use'>['because']>, string>> = {
  variable: 'is meant where no plan is named: FRCTL_PLAN names it.',
  chosen: 'is meant where no plan is named; `plan use --none` chooses none.',
  changed_last: 'is meant where no plan is named: it was changed last.',
};
