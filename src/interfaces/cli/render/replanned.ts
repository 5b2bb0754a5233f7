import type { Replanned } from '../../../operations/front-end.js';
import type { CommandOutcome, Invocation } from '../command.js';
import type { Terminal } from '../terminal.js';
import { throwStopped } from '../watch-planning.js';
import { renderChanges } from './goal-changes.js';
import { costText } from './numbers.js';
import { renderPlanned } from './summary.js';

/** What `replan` and `split` print. @throws PlanError what stopped the planning of new goals */
export function replannedOutcome(
  replanned: Replanned,
  { terminal, json, options }: Pick<Invocation, 'terminal' | 'json' | 'options'>,
): CommandOutcome {
  const { stopped: _told, ...data } = replanned;
  const text = renderChanges(replanned.changes, terminal.colors);
  if (!json) terminal.error(epilogue(replanned, terminal, options.revise === true));
  if (replanned.stopped !== null && !json) terminal.out(text);
  throwStopped(replanned, { plan: replanned.plan });
  return { data, text };
}

function epilogue({ applied, plan, usage }: Replanned, { errorColors }: Terminal, revise: boolean): string {
  if (applied) return renderPlanned(plan, errorColors);
  const cost = costText(usage);
  const asked = cost === '' ? '' : ` Asking has cost ${cost}.`;
  const how = revise ? 'with --apply' : 'without --preview';
  return `${errorColors.dim(`Only shown, nothing is changed.${asked} The same command ${how} takes it as it is.`)}\n`;
}
