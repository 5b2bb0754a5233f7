import type { ResultOf } from '../../../../operations/registry.js';
import type { Renderer } from '../../renderer.js';
import { renderChanges } from '../parts/goal-changes.js';

/** Shows what a change by hand did to goals. */
export const change: Pick<Renderer<ResultOf<'add'>, unknown>, 'render'> = {
  render: ({ changes, dry_run }, { terminal }) => {
    if (dry_run === true) terminal.error(`${terminal.errorColors.dim('Only shown, nothing is changed.')}\n`);
    return renderChanges(changes, terminal.colors);
  },
};
