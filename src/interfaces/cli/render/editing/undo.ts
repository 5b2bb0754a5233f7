import { oneLine } from '../../../../kernel/text/safe-text.js';
import { truncate } from '../../../../kernel/text/truncate.js';
import type { InputOf, OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf, View } from '../../renderer.js';
import { counted } from '../parts/numbers.js';
import { renderPlanned } from '../parts/summary.js';
import { relativeTime, withLocalTimes } from '../parts/times.js';
import { askOfUnnamedPlan, YES_OPTION } from '../parts/unnamed-plan.js';

/** As much of a change as a question has room for: the words of a goal, which are shortened, and a time behind them. */
const ASKED = 160;

/** Says whose command was taken back. */
export const undo: RendererOf<OperationNamed<'undo'>> = {
  options: YES_OPTION,
  confirm: async (input, view) =>
    input.dryRun === true ? null : askOfUnnamedPlan(input, view, whatWouldBe(input, view)),
  render: ({ plan, undone, goals, dry_run }, { terminal }) =>
    `${told(dry_run === true ? 'Would undo' : 'Undid', undone, goals, 'as before it')}${renderPlanned(plan, terminal.colors)}`,
};

/** Says whose command was brought back. */
export const redo: RendererOf<OperationNamed<'redo'>> = {
  render: ({ plan, redone, goals, dry_run }, { terminal }) =>
    `${told(dry_run === true ? 'Would redo' : 'Redid', redone, goals, 'as after it')}${renderPlanned(plan, terminal.colors)}`,
};

/** The question that names what would be undone. */
function whatWouldBe(input: InputOf<'undo'>, { workspace }: Pick<View, 'workspace'>) {
  return async (plan: string, id: string): Promise<string> => {
    const { undone } = await workspace.undo({ ...input, plan: id, dryRun: true });
    const what = truncate(oneLine(withLocalTimes(undone.message)), ASKED);
    return `In ${plan}: take back what ${oneLine(undone.by)} did ${oneLine(relativeTime(undone.at))} (${what})?`;
  };
}

function told(
  verb: string,
  { by, at, message, events }: ResultOf<'undo'>['undone'],
  goals: readonly string[],
  state: string,
): string {
  const others = events === 1 ? '' : ` and ${counted(events - 1, 'change')} with it`;
  const what = `${oneLine(withLocalTimes(message))}${others}`;
  const are = goals.length === 1 ? 'is' : 'are';
  const restored = `${counted(goals.length, 'goal')} ${are} ${state}`;
  return `${verb} what ${oneLine(by)} did ${oneLine(relativeTime(at))}: ${what}. ${restored}.\n`;
}
