import type { ResultOf } from '../../../operations/registry.js';
import type { Renderer } from '../../renderer.js';
import { numbersIn, renderChanges, renderShifts } from '../parts/goal-changes.js';

/** Shows what a change by hand did to goals. */
export const change: Pick<Renderer<ResultOf<'add'>, unknown>, 'render'> = {
  render: async ({ changes, plan, dry_run }, { terminal, workspace }) => {
    if (changes.length === 0) {
      terminal.error(`Nothing ${dry_run === true ? 'would change' : 'is changed'}: it is so already.\n`);
      return '';
    }
    if (dry_run === true) terminal.error(`${terminal.errorColors.dim('Only shown, nothing is changed.')}\n`);
    const shifts = dry_run === true ? '' : renderShifts(changes);
    if (shifts !== '') terminal.error(terminal.errorColors.dim(shifts));
    return renderChanges(changes, terminal.colors, await numbersIn(changes, plan.id, workspace));
  },
};
