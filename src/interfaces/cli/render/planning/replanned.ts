import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Terminal } from '../../terminal.js';
import { renderChanges } from '../parts/goal-changes.js';
import { costText } from '../parts/numbers.js';
import { renderPlanned } from '../parts/summary.js';

/** Shows what has changed, or would change. */
export const replan: RendererOf<OperationNamed<'replan'>> = {
  render: (replanned, { terminal, input }) => renderReplanned(replanned, terminal, input.revise === true),
};

/** Shows the goals that are new. */
export const split: RendererOf<OperationNamed<'split'>> = {
  render: (replanned, { terminal }) => renderReplanned(replanned, terminal, false),
};

/** What has changed, or would change; on standard error what that means. */
export function renderReplanned(
  replanned: Pick<ResultOf<'replan'>, 'applied' | 'plan' | 'usage' | 'changes'>,
  terminal: Terminal,
  revise: boolean,
): string {
  terminal.error(epilogue(replanned, terminal, revise));
  return renderChanges(replanned.changes, terminal.colors);
}

function epilogue(
  { applied, plan, usage }: Pick<ResultOf<'replan'>, 'applied' | 'plan' | 'usage'>,
  { errorColors }: Terminal,
  revise: boolean,
): string {
  if (applied) return renderPlanned(plan, errorColors);
  const cost = costText(usage);
  const asked = cost === '' ? '' : ` Asking has cost ${cost}.`;
  const how = revise ? 'with --apply' : 'without --preview';
  return `${errorColors.dim(`Only shown, nothing is changed.${asked} The same command ${how} takes it as it is.`)}\n`;
}
