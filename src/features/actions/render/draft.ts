import { foldLine, foldLines } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import type { RendererOf, View } from '../../../cli/renderer.js';
import type { Terminal } from '../../../cli/terminal.js';
import { prepareLine } from '../../../cli/render/parts/prepare-line.js';

/** Shows a drafted plan, what is wrong with it, where it is kept, and the command that goes on. */
export const draft: RendererOf<OperationNamed<'draft'>> = {
  render: async (report, { terminal, input, workspace }) =>
    `${foldLines(report.text.split('\n'), terminal.columns ?? Infinity).join('\n')}${renderDraft(report, terminal)}${await nextLines(report, input.tools, workspace)}`,
};

/** The command that goes on with a draft that was stored, and which others its goal has. */
async function nextLines(
  { id, goal }: ResultOf<'draft'>,
  tools: string | undefined,
  workspace: View['workspace'],
): Promise<string> {
  if (id === null || goal === null) return '';
  const { action_plans: all = [] } = (await workspace.show(goal)).goal;
  const others = all.filter((one) => one !== id);
  const also =
    others.length === 0
      ? ''
      : `The goal has ${others.length === 1 ? 'another' : 'others'} too: ${others.join(', ')}.\n`;
  return `${also}${prepareLine(id, tools)}`;
}

/** What is wrong with a draft, and where it is kept. */
function renderDraft(
  { findings, id, file, goal, by, usage }: ResultOf<'draft'>,
  { colors, columns = Infinity }: Terminal,
): string {
  const marks = { error: colors.red, warning: colors.yellow, note: colors.dim };
  const lines = findings.flatMap(({ rule, severity, message, pointer, step }) =>
    foldLine(
      [
        { text: severity, paint: marks[severity] },
        ` ${rule} ${step === null ? '' : `step ${legible(step)} `}${legible(pointer)}: ${message}`,
      ],
      columns,
    ),
  );
  const calls = usage.calls === 0 ? '' : `, ${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}`;
  const kept =
    id !== null
      ? `Stored as ${id} in ${legible(file ?? '')}`
      : goal === null
        ? 'Not stored: it belongs to no goal'
        : 'Not stored';
  return `\n${[...lines, ...(lines.length > 0 ? [''] : [])].map((line) => `${line}\n`).join('')}${kept} (drafted by ${by}${calls}).\n`;
}
