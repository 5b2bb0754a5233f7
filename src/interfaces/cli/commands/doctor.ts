import { printable } from '../../../operations/front-end.js';
import type { DoctorReport } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { counted } from '../render/numbers.js';
import type { Colors } from '../terminal.js';

/** Examines the store; status 1 while something is wrong. */
export const run: RunCommand = async ({ options, workspace, terminal }) => {
  const keep = options.keep === 'file' || options.keep === 'log' ? options.keep : undefined;
  const report = await workspace.doctor({ fix: options.fix === true, accept: options.accept === true, keep });
  return { data: report, text: renderReport(report, terminal.colors), status: report.healthy ? 0 : 1 };
};

function renderReport({ healthy, findings, backups }: DoctorReport, colors: Colors): string {
  const lines = findings.flatMap(({ code, severity, file, message, cure, fixed }) => [
    `${mark(severity, fixed, colors)} ${colors.bold(code)} ${printable(file)}`,
    `    ${printable(message)}`,
    `    ${colors.dim(fixed === null ? cure : `fixed: ${fixed}`)}`,
  ]);
  const saved = backups.map((folder) => colors.dim(`Before that, the files were copied to ${folder}`));
  const open = findings.filter(({ severity, fixed }) => severity !== 'note' && fixed === null).length;
  const verdict = healthy
    ? colors.green('The store is healthy.')
    : colors.red(`${counted(open, 'problem')} left.`);
  return `${[...lines, ...saved, verdict].join('\n')}\n`;
}

function mark(severity: string, fixed: string | null, colors: Colors): string {
  if (fixed !== null) return colors.green('✓');
  if (severity === 'note') return colors.dim('·');
  return severity === 'warning' ? colors.yellow('!') : colors.red('✗');
}
