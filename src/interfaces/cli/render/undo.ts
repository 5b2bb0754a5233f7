import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../renderer.js';
import { counted } from './numbers.js';
import { renderPlanned } from './summary.js';
import { relativeTime } from './times.js';

/** Says whose change was taken back. */
export const undo: RendererOf<OperationNamed<'undo'>> = {
  render({ plan, undone, goals }, { terminal }) {
    const head = `Undid what ${oneLine(undone.by)} did ${oneLine(relativeTime(undone.at))}: ${oneLine(undone.message)}`;
    return `${head} (${counted(goals.length, 'goal')}).\n${renderPlanned(plan, terminal.colors)}`;
  },
};
