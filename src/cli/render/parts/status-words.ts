import { oneLine } from '../../../kernel/text/safe-text.js';
import { planInWords, STATUS_WORDS } from '../../../operations/shared/numbered-goals.js';
import type { GoalWithNumber } from '../../../operations/shared/numbered-goals.js';
import type { Summary } from '../../../operations/shared/report-schemas.js';
import type { Colors } from '../../terminal.js';
import { groupedNumber } from '../../../kernel/text/quantity-of.js';

type Status = GoalWithNumber['status'];

/** The word for the progress of a plan on the screen, with its numbers in groups. */
export function planWord(plan: Parameters<typeof planInWords>[0]): string {
  return planInWords(plan, groupedNumber);
}

/** The word for the status of a plan, as {@link planWord} gives it, coloured. */
export function planStatusText(plan: Summary, colors: Colors): string {
  const word = planWord(plan);
  if (plan.progress === 'failed') return colors.red(word);
  if (plan.progress === 'paused') return colors.yellow(word);
  return plan.progress === 'done' ? colors.green(word) : colors.cyan(word);
}

/**
 * The word for the status of a goal on the screen. One that is to be divided, but is not yet, is still to plan.
 */
export function goalWord({
  status,
  child_ids,
}: {
  readonly status: Status;
  readonly child_ids?: readonly string[];
}) {
  return status === 'decomposing' && child_ids?.length === 0 ? 'to plan' : STATUS_WORDS[status];
}

/**
 * The words for the status of a goal and how it stands: `to do (ready)`, `to do (claimed by ana)`, and of others
 * what {@link goalWord} says.
 */
export function goalStateWord(goal: GoalWithNumber): string {
  const { state } = goal;
  if (state === 'claimed') return `to do (claimed by ${oneLine(goal.claim?.by ?? 'somebody')})`;
  return state === 'ready' || state === 'waiting' ? `to do (${state})` : goalWord(goal);
}
