import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { InputOf, OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf, View } from '../../renderer.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { renderChanged } from '../parts/summary.js';
import { relativeTime, withLocalTimes } from '../parts/times.js';
import { askOfUnnamedPlan, YES_OPTION } from '../parts/unnamed-plan.js';

/** As much of a change as a question has room for: the words of a goal, which are shortened, and a time behind them. */
const ASKED = 160;

/** Says whose command was taken back. */
export const undo: RendererOf<OperationNamed<'undo'>> = {
  options: YES_OPTION,
  confirm: async (input, view) =>
    input.dryRun === true ? null : askOfUnnamedPlan(input, view, whatWouldBe(input, view)),
  render: ({ plan, undone, ...what }, { terminal }) =>
    `${told(what.dry_run === true ? 'Would undo' : 'Undid', undone, { ...what, did: ['restore', 'remove'] })}${renderChanged(plan, terminal.colors)}`,
};

/** Says whose command was brought back. */
export const redo: RendererOf<OperationNamed<'redo'>> = {
  render: ({ plan, redone, ...what }, { terminal }) =>
    `${told(what.dry_run === true ? 'Would redo' : 'Redid', redone, { ...what, did: ['change', 'remove'] })}${renderChanged(plan, terminal.colors)}`,
};

/** The question that names what would be undone. */
function whatWouldBe(input: InputOf<'undo'>, { workspace }: Pick<View, 'workspace'>) {
  return async (plan: string, id: string): Promise<string> => {
    const { undone } = await workspace.undo({ ...input, plan: id, dryRun: true });
    const what = truncate(oneLine(withLocalTimes(undone.message)), ASKED);
    return `In ${plan}: take back what ${oneLine(undone.by)} did ${oneLine(relativeTime(undone.at))} (${what})?`;
  };
}

interface Done {
  readonly goals: readonly string[];
  readonly gone: number;
  readonly dry_run?: boolean | undefined;
  /** What was done to goals that are there, and to those that are gone. */
  readonly did: readonly [string, string];
}

function told(
  verb: string,
  { by, at, message, events }: ResultOf<'undo'>['undone'],
  { goals, gone, dry_run: isDry, did: [change, remove] }: Done,
): string {
  const others = events === 1 ? '' : `  and ${quantityOf(events - 1, 'more change')} that came with it\n`;
  const left = goals.length - gone;
  const ending = isDry === true ? '' : 'd';
  const restored = [
    ...(left > 0 ? [`${change}${ending} ${quantityOf(left, 'goal')}`] : []),
    ...(gone > 0 ? [`${remove}${ending} ${quantityOf(gone, 'goal')}`] : []),
    ...(goals.length === 0 ? [`${change}${ending} what comparing the leaves came to`] : []),
  ].join(' and ');
  const total = isDry === true ? `would ${restored}` : restored;
  // On a line of its own: it may end in whatever somebody has written.
  const what = `  ${oneLine(withLocalTimes(message))}\n${others}`;
  return `${verb} what ${oneLine(by)} did ${oneLine(relativeTime(at))}:\n${what}${total.charAt(0).toUpperCase()}${total.slice(1)}.\n`;
}
