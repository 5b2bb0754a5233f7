import type { ResultOf } from '../../../operations/registry.js';
import type { Renderer } from '../../renderer.js';
import type { Terminal } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { costRangeText, rangeText } from '../parts/numbers.js';
import { renderDecisions } from '../parts/decisions.js';
import { renderFindings } from '../parts/findings.js';
import { renderLinked } from '../parts/linked.js';
import { treeStyle } from '../parts/style.js';
import { beyondFailures, renderPlanned, renderWarnings } from '../parts/summary.js';

/** The largest tree that is drawn at the end; a larger one is for `plan tree`. */
const LARGEST_TREE = 80;

/** Shows a plan that was just planned: its tree, and below it on standard error what became of it. */
export const planned: Pick<Renderer<ResultOf<'init'>, unknown>, 'render'> = {
  async render({ plan, dry }, { terminal, workspace }) {
    if (dry !== undefined) return renderNotStored(plan, dry, terminal);
    // What became of a goal that alone could not be expanded is told as the error.
    const isAlone = plan.total_goals === 1 && plan.status === 'failed';
    const isDrawn = plan.total_goals <= LARGEST_TREE && !isAlone;
    const view = { style: treeStyle(terminal.colors), columns: terminal.columns };
    const tree = isDrawn ? (await workspace.tree(plan.id)).draw(view) : '';
    // Written here, for the rest comes after it.
    terminal.out(tree);
    const { errorColors } = terminal;
    const gap = tree === '' ? '' : '\n';
    const warnings = isDrawn || isAlone ? beyondFailures(plan.warnings) : plan.warnings;
    const {
      decisions = [],
      numbers = {},
      linked,
      findings,
    } = await workspace.status({ plan: plan.id, next: 0 });
    const hint = nextCommand(plan);
    const begin = hint === '' ? '' : `${errorColors.dim(hint)}\n`;
    terminal.error(
      `${gap}${renderPlanned(plan, errorColors)}${renderWarnings({ warnings }, numbers, errorColors)}${renderDecisions(
        decisions.filter(({ confirmed }) => !confirmed),
        errorColors,
        'Decided while planning (change with `plan decide`)',
      )}${linked === undefined ? '' : renderLinked(linked, errorColors)}${renderFindings(findings, errorColors)}${begin}`,
    );
    return '';
  },
};

/** What is to be typed after planning: what failed comes before where to begin. */
function nextCommand(plan: ResultOf<'init'>['plan']): string {
  if (plan.status !== 'complete' || isUndivided(plan)) return '';
  if (plan.failed_goals > 0) return '`plan status` names what failed, and how to go on.';
  return plan.complete_goals < plan.atomic_goals
    ? '`plan next` shows where to begin, `plan status` how it stands.'
    : '';
}

/** Whether rules knew no division, and the warning says how to go on. */
function isUndivided({ total_goals: goals, warnings }: ResultOf<'init'>['plan']): boolean {
  return goals === 1 && warnings.some(({ code }) => code === 'no_method');
}

type Estimated = NonNullable<ResultOf<'init'>['dry']>['estimate']['calls'];

const sum = (a: Estimated, b: Estimated): Estimated => ({
  low: a.low + b.low,
  likely: a.likely + b.likely,
  high: a.high + b.high,
});

/** Shows a plan that was not stored, the whole of it, for nothing else shows it. */
async function renderNotStored(
  plan: ResultOf<'init'>['plan'],
  { draw, estimate, goals }: NonNullable<ResultOf<'init'>['dry']>,
  terminal: Terminal,
): Promise<string> {
  const { calls, input_tokens, output_tokens, waiting_goals } = estimate;
  const numbers = Object.fromEntries(goals.map(({ id, number }) => [id, number]));
  const wouldAsk =
    calls.high === 0
      ? ''
      : `The model would be asked about ${quantityOf(waiting_goals, 'goal')} and what comes of ${waiting_goals === 1 ? 'it' : 'them'}: ` +
        `${rangeText(calls)} calls, ${rangeText(sum(input_tokens, output_tokens))} tokens, ` +
        `${costRangeText(estimate.cost_usd)} (\`plan estimate\` says more).\n`;
  const { colors, columns, errorColors } = terminal;
  terminal.error(
    `${renderWarnings(plan, numbers, errorColors)}${wouldAsk}${errorColors.dim('Only shown, nothing is written.')}\n`,
  );
  return draw({ style: treeStyle(colors), columns });
}
