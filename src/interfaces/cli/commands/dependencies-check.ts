import { oneLine } from '../../../operations/front-end.js';
import type { DependencyReport } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { counted } from '../render/numbers.js';
import type { Colors } from '../terminal.js';
import { workerOptions } from '../worker-options.js';

/** Checks what waits for what; status 1 while something is left to be said. */
export const checkDependencies: RunCommand = async ({ options, workspace, terminal }) => {
  const report = await workspace.checkDependencies({
    ...workerOptions(options),
    apply: options.apply === true,
  });
  const left = report.findings.filter(({ removed }) => !removed).length;
  return { data: report, text: renderFindings(report, left, terminal.colors), status: left === 0 ? 0 : 1 };
};

function renderFindings({ findings }: DependencyReport, left: number, colors: Colors): string {
  const lines = findings.map(({ code, message, removed }) => {
    const mark = removed ? colors.green('✓') : colors.yellow('!');
    return `${mark} ${colors.bold(code)}  ${oneLine(message)}${removed ? colors.dim(' (removed)') : ''}\n`;
  });
  const verdict =
    left === 0
      ? colors.green('Nothing is left to say about the dependencies.')
      : colors.yellow(`${counted(left, 'finding')}.`);
  return `${lines.join('')}${verdict}\n`;
}
