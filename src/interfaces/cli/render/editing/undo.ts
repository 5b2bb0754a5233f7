import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { counted } from '../parts/numbers.js';
import { renderPlanned } from '../parts/summary.js';
import { relativeTime } from '../parts/times.js';

/** Says whose command was taken back. */
export const undo: RendererOf<OperationNamed<'undo'>> = {
  render: ({ plan, undone, goals }, { terminal }) =>
    `${told('Undid', undone, goals)}${renderPlanned(plan, terminal.colors)}`,
};

/** Says whose command was brought back. */
export const redo: RendererOf<OperationNamed<'redo'>> = {
  render: ({ plan, redone, goals }, { terminal }) =>
    `${told('Redid', redone, goals)}${renderPlanned(plan, terminal.colors)}`,
};

function told(
  verb: string,
  { by, at, message, events }: ResultOf<'undo'>['undone'],
  goals: readonly string[],
): string {
  const others = events === 1 ? '' : ` and ${counted(events - 1, 'change')} with it`;
  const what = `${oneLine(message)}${others}`;
  return `${verb} what ${oneLine(by)} did ${oneLine(relativeTime(at))}: ${what} (${counted(goals.length, 'goal')}).\n`;
}
