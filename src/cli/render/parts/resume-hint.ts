import type { ResultOf } from '../../../operations/registry.js';
import type { Summary } from '../../../operations/shared/report-schemas.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Who plans a plan now, or is to. */
type Planning = ResultOf<'status'>['planning'];

/** The command that goes on with a plan that is paused, as people type it. */
export function resumeCommand({ id, paused_because, expander, usage }: Summary): string {
  if (expander === 'agent') return `plan ask ${id}`;
  if (paused_because !== 'budget') return `plan resume ${id}`;
  // Dollars bound nothing where the price of the model is not known.
  return `plan resume ${id} ${usage.cost_usd === null ? '--budget-calls' : '--budget-usd'} N`;
}

/**
 * The command that goes on with a paused plan and what it does, in a sentence; empty for every other plan.
 * @param planning who has begun something that ends before that
 */
export function resumeHint(plan: Summary, planning?: Planning): string {
  if (plan.status !== 'paused') return '';
  return `${isEnding(planning) ? AFTER_THAT : ''}\`${resumeCommand(plan)}\` goes on${howItGoesOn(plan)}.`;
}

function howItGoesOn({ paused_because, expander, usage }: Summary): string {
  if (paused_because === 'budget')
    return ` with a larger budget (or ${usage.cost_usd === null ? '' : '--budget-calls, '}--budget-tokens, --budget-seconds)`;
  return expander === 'agent' ? ': it shows the questions that `plan answer` answers' : '';
}

/** What goes on with a plan that has goals to plan, in a sentence that does not begin with a capital letter. */
export function planningHint(plan: Summary, planning?: Planning): string {
  const command = `\`${resumeCommand(plan)}\``;
  if (plan.status === 'paused')
    return `${command} goes on planning${isEnding(planning) ? ' once the calls in flight have ended' : ''}${howItGoesOn(plan)}.`;
  if (planning === undefined) return `${command} goes on planning.`;
  if (planning.workers === 0)
    return '`plan worker` goes on planning: the plan is left to workers, and none is there.';
  return `nothing: ${oneLine(findActivePlanner(planning))}. \`plan pause\` asks ${planning.by === 'process' ? 'it' : 'them'} to stop.`;
}

/** Who plans a plan, where the hint to resume it would stand; empty where nobody does. */
export function whoPlansNow({ status }: Summary, planning: Planning): string {
  if (planning === undefined) return '';
  if (status === 'paused') return isEnding(planning) ? 'until the calls in flight have ended' : '';
  if (planning.workers === 0) return 'left to workers, none is there: `plan worker` is one';
  return oneLine(findActivePlanner(planning));
}

const AFTER_THAT = 'After the calls in flight ';

/** Whether somebody may have calls in flight. */
function isEnding(planning: Planning): boolean {
  return planning !== undefined && planning.workers !== 0;
}

function findActivePlanner({ by, host, pid, workers }: NonNullable<Planning>): string {
  if (by === 'process') return `process ${pid} on ${host} plans it`;
  if (workers === null) return 'it is left to workers';
  return `it is left to workers, and there ${workers === 1 ? 'is' : 'are'} ${quantityOf(workers, 'worker')}`;
}
