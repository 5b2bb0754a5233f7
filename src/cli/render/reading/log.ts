import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { localTime, withLocalTimes } from '../parts/times.js';

/** Shows who changed what and when, a line for each event, oldest first. */
export const log: RendererOf<OperationNamed<'log'>> = {
  render(entries, { terminal }) {
    if (entries.length === 0) terminal.tell('No events.');
    else
      terminal.tell('The last column names each event: `plan diff PLAN@EVENT` shows what changed since.', {
        isDim: true,
      });
    return entries.map((entry) => entryLine(entry, terminal.colors)).join('');
  },
};

function entryLine({ event, at, by, message, refused }: ResultOf<'log'>[number], colors: Colors): string {
  const parts = [
    colors.dim(oneLine(localTime(at, { seconds: true }))),
    oneLine(by),
    oneLine(withLocalTimes(message)),
    ...(refused === null ? [] : [colors.red(`refused: ${oneLine(withLocalTimes(refused))}`)]),
    colors.dim(oneLine(event)),
  ];
  return `${parts.join('  ')}\n`;
}
