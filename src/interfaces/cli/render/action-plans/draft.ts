import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';

/** Shows a drafted plan, what is wrong with it, and where it is kept. */
export const draft: RendererOf<OperationNamed<'draft'>> = {
  render: (report, { terminal }) => `${report.text}${renderDraft(report, terminal.colors)}`,
};

/** What is wrong with a draft, and where it is kept. */
function renderDraft({ findings, id, file, goal, by, usage }: ResultOf<'draft'>, colors: Colors): string {
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
