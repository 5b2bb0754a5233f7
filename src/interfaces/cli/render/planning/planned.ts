import type { ResultOf } from '../../../../operations/registry.js';
import type { Renderer } from '../../renderer.js';
import { treeStyle } from '../parts/style.js';
import { renderPlanned, renderWarnings } from '../parts/summary.js';

/** The largest tree that is drawn at the end; a larger one is for `plan tree`. */
const LARGEST_TREE = 80;

/** Shows a plan that was just planned: its tree, and below it on standard error what became of it. */
export const planned: Pick<Renderer<ResultOf<'init'>, unknown>, 'render'> = {
  async render({ plan }, { terminal, workspace }) {
    const isSmall = plan.total_goals <= LARGEST_TREE;
    const view = { style: treeStyle(terminal.colors), columns: terminal.columns };
    const tree = isSmall ? (await workspace.tree(plan.id)).draw(view) : '';
    // Written here, for the rest comes after it.
    terminal.out(tree);
    const { errorColors } = terminal;
    const gap = tree === '' ? '' : '\n';
    const { numbers = {} } =
      plan.warnings.length === 0 ? {} : await workspace.status({ plan: plan.id, next: 0 });
    const begin =
      plan.status === 'complete' && plan.complete_goals < plan.atomic_goals
        ? `${errorColors.dim('`plan next` shows where to begin, `plan status` how it stands.')}\n`
        : '';
    terminal.error(
      `${gap}${renderPlanned(plan, errorColors)}${renderWarnings(plan, numbers, errorColors)}${begin}`,
    );
    return '';
  },
};
