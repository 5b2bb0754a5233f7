import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Says which plan is meant where none is named, and why it is that one. */
export const use: RendererOf<OperationNamed<'use'>> = {
  render({ plan, because }, { terminal: { colors } }) {
    if (plan === null || because === null) return 'There is no current plan.\n';
    return `${colors.bold(plan.id)}  ${oneLine(plan.description)}\n${colors.dim(WHY[because])}\n`;
  },
};

const WHY: Readonly<Record<NonNullable<ResultOf<'use'>['because']>, string>> = {
  variable: 'is the current plan: FRCTL_PLAN names it.',
  chosen: 'is the current plan; `plan use --none` clears the choice.',
  changed_last: 'is the current plan: it was changed last.',
};
