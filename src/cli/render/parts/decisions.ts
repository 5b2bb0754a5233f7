import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Colors } from '../../terminal.js';

type Decision = NonNullable<ResultOf<'status'>['decisions']>[number];

/** Returns decisions below a title, one a line, with the goal that each holds for; empty where there is none. */
export function renderDecisions(decisions: readonly Decision[], colors: Colors, title: string): string {
  if (decisions.length === 0) return '';
  const lines = decisions.map(({ choice, confirmed, line, number }) => {
    const notes = [
      ...(number === '' ? [] : [`for ${number}`]),
      ...(confirmed || choice === null ? [] : ['chosen while planning']),
    ];
    const note = notes.length === 0 ? '' : colors.dim(` (${notes.join(', ')})`);
    return `  - ${oneLine(line)}${note}\n`;
  });
  return `\n${colors.bold(title)}\n${lines.join('')}`;
}
