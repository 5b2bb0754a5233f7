import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { resumeCommand, resumeHint } from '../parts/resume-hint.js';
import { renderPlanned } from '../parts/summary.js';

/** Shows the plan that was paused, who has calls in flight still, and the command that goes on with it. */
export const pause: RendererOf<OperationNamed<'pause'>> = {
  render: (plan, { terminal }) => `${renderPlanned(plan, terminal.colors)}${whatNext(plan)}\n`,
};

function whatNext({ ending, ...plan }: ResultOf<'pause'>): string {
  if (ending === undefined) return resumeHint(plan);
  const who =
    ending.workers === true ? 'Workers have' : `Process ${ending.pid} on ${oneLine(ending.host)} has`;
  return `${who} been asked to stop, and calls in flight still end and count; after that \`${resumeCommand(plan)}\` goes on.`;
}
