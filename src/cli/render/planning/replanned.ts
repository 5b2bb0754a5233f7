import { changesNothing } from '../../../operations/editing/change-goals.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Terminal } from '../../terminal.js';
import { numbersIn, renderChanges, renderShifts } from '../parts/goal-changes.js';
import { costText } from '../parts/numbers.js';
import { renderPlanned } from '../parts/summary.js';

/** Shows what has changed, or would change. */
export const replan: RendererOf<OperationNamed<'replan'>> = {
  render: async (replanned, { terminal, input, workspace }) =>
    renderReplanned(
      replanned,
      terminal,
      howToTake(input),
      await numbersIn(replanned.changes, replanned.plan.id, workspace),
    ),
};

/** Shows the goals that are new. */
export const split: RendererOf<OperationNamed<'split'>> = {
  render: async (replanned, { terminal, workspace }) =>
    renderReplanned(
      replanned,
      terminal,
      SAME_WITHOUT,
      await numbersIn(replanned.changes, replanned.plan.id, workspace),
    ),
};

const SAME_WITHOUT = 'The same command without --dry-run';

/** The command that takes what this one only shows. */
function howToTake({
  revise,
  preview,
}: {
  readonly revise?: boolean | undefined;
  readonly preview?: boolean | undefined;
}): string {
  if (revise === true) return 'The same command with --apply';
  return preview === true ? 'The same command without --preview' : SAME_WITHOUT;
}

const SAME = 'the proposal is what is there already.';

/** What has changed, or would change; on standard error what that means. */
export function renderReplanned(
  replanned: Pick<ResultOf<'replan'>, 'applied' | 'plan' | 'usage' | 'changes'>,
  terminal: Terminal,
  how = SAME_WITHOUT,
  numberOf?: Parameters<typeof renderChanges>[2],
): string {
  const { applied, changes } = replanned;
  const { dim } = terminal.errorColors;
  const isSame = changesNothing(changes);
  if (isSame) terminal.error(dim(`Nothing ${applied ? 'is changed' : 'would change'}: ${SAME}\n`));
  const shifts = applied ? renderShifts(changes) : '';
  if (shifts !== '') terminal.error(dim(shifts));
  terminal.error(epilogue(replanned, terminal, isSame ? '' : ` ${how} takes it as it is.`));
  return isSame ? '' : renderChanges(replanned.changes, terminal.colors, numberOf);
}

function epilogue(
  { applied, plan, usage }: Pick<ResultOf<'replan'>, 'applied' | 'plan' | 'usage'>,
  { errorColors }: Terminal,
  take: string,
): string {
  if (applied) return renderPlanned(plan, errorColors);
  const cost = costText(usage);
  const asked = cost === '' ? '' : ` Asking has cost ${cost}.`;
  return `${errorColors.dim(`Only shown, nothing is changed.${asked}${take}`)}\n`;
}
