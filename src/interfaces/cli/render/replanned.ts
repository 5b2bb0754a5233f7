import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { CommandOutcome, Invocation } from '../command.js';
import type { RendererOf } from '../renderer.js';
import type { Terminal } from '../terminal.js';
import { throwStopped } from '../watch-planning.js';
import { renderChanges } from './goal-changes.js';
import { costText } from './numbers.js';
import { renderPlanned } from './summary.js';

/** Shows what has changed, or would change. */
export const replan: RendererOf<OperationNamed<'replan'>> = {
  render: (replanned, { terminal, input }) => renderReplanned(replanned, terminal, input.revise === true),
};

/** Shows the goals that are new. */
export const split: RendererOf<OperationNamed<'split'>> = {
  render: (replanned, { terminal }) => renderReplanned(replanned, terminal, false),
};

/** What has changed, or would change; on standard error what that means. */
function renderReplanned(replanned: ResultOf<'replan'>, terminal: Terminal, revise: boolean): string {
  terminal.error(epilogue(replanned, terminal, revise));
  return renderChanges(replanned.changes, terminal.colors);
}

function epilogue(
  { applied, plan, usage }: ResultOf<'replan'>,
  { errorColors }: Terminal,
  revise: boolean,
): string {
  if (applied) return renderPlanned(plan, errorColors);
  const cost = costText(usage);
  const asked = cost === '' ? '' : ` Asking has cost ${cost}.`;
  const how = revise ? 'with --apply' : 'without --preview';
  return `${errorColors.dim(`Only shown, nothing is changed.${asked} The same command ${how} takes it as it is.`)}\n`;
}

/** What `complete --revise` prints of a replanning. @throws PlanError what stopped the planning of new goals */
export function replannedOutcome(
  replanned: ResultOf<'replan'>,
  { terminal, json, options }: Pick<Invocation, 'terminal' | 'json' | 'options'>,
): CommandOutcome {
  const { stopped: _told, ...data } = replanned;
  const text = json ? '' : renderReplanned(replanned, terminal, options.revise === true);
  if (replanned.stopped !== null && !json) terminal.out(text);
  throwStopped(replanned, { plan: replanned.plan });
  return { data, text };
}
