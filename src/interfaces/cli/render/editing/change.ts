import type { ResultOf } from '../../../../operations/registry.js';
import type { Renderer } from '../../renderer.js';
import { renderChanges } from '../parts/goal-changes.js';

/** Shows what a change by hand did to goals. */
export const change: Pick<Renderer<ResultOf<'add'>, unknown>, 'render'> = {
  render: ({ changes }, { terminal }) => renderChanges(changes, terminal.colors),
};
