import { oneLine } from '../../../operations/front-end.js';
import type { DraftReport } from '../../../operations/front-end.js';
import type { Terminal } from '../terminal.js';

/** What is wrong with a draft, and where it is kept. */
export function renderDraft(
  { findings, id, file, goal, by, usage }: Omit<DraftReport, 'text'>,
  colors: Terminal['colors'],
): string {
  const marks = { error: colors.red, warning: colors.yellow, note: colors.dim };
  const lines = findings.map(
    ({ rule, severity, message, pointer, step }) =>
      `${marks[severity](severity)} ${rule} ${step === null ? '' : `step ${oneLine(step)} `}${oneLine(pointer)}: ${oneLine(message)}\n`,
  );
  const calls = usage.calls === 0 ? '' : `, ${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}`;
  const kept =
    id !== null
      ? `Stored as ${id} in ${oneLine(file ?? '')}`
      : goal === null
        ? 'Not stored, for it is of no goal'
        : 'Not stored';
  return `\n${lines.join('')}${lines.length > 0 ? '\n' : ''}${kept} (drafted by ${by}${calls}).\n`;
}
