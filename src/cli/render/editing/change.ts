import type { ResultOf } from '../../../operations/registry.js';
import type { Renderer } from '../../renderer.js';
import { numbersIn, renderChanges, renderShifts } from '../parts/goal-changes.js';

/** Shows what a change by hand did to goals. */
export const change: Pick<Renderer<ResultOf<'add'>, unknown>, 'render'> = {
  render: async ({ changes, plan, dry_run }, { terminal, workspace }) => {
    if (changes.length === 0) {
      terminal.tell(`Nothing ${dry_run === true ? 'would change' : 'is changed'}: it is so already.`);
      return '';
    }
    if (dry_run === true) terminal.tell('Only shown, nothing is changed.', { isDim: true });
    const shifts = dry_run === true ? '' : renderShifts(changes);
    if (shifts !== '') terminal.tell(shifts, { isDim: true });
    return renderChanges(changes, terminal.colors, await numbersIn(changes, plan.id, workspace));
  },
};
