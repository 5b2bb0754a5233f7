import type { ResultOf } from '../../../operations/registry.js';
import type { Renderer } from '../renderer.js';
import { treeStyle } from './style.js';
import { renderPlanned, renderWarnings } from './summary.js';

/** The largest tree that is drawn at the end; a larger one is for `plan tree`. */
const LARGEST_TREE = 80;

/** Shows a plan that was just planned: its tree, and below it on standard error what became of it. */
export const planned: Pick<Renderer<ResultOf<'init'>, unknown>, 'render'> = {
  async render({ plan }, { terminal, workspace }) {
    const isSmall = plan.total_goals <= LARGEST_TREE;
    const tree = isSmall ? (await workspace.tree(plan.id)).draw(treeStyle(terminal.colors)) : '';
    // Written here, for the rest comes after it.
    terminal.out(tree);
    const { errorColors } = terminal;
    const gap = tree === '' ? '' : '\n';
    terminal.error(`${gap}${renderPlanned(plan, errorColors)}${renderWarnings(plan, errorColors)}`);
    return '';
  },
};
