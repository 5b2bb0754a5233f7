import { printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { counted } from '../parts/numbers.js';

/** Shows what is wrong with the store, what mends it, and what was mended. */
export const doctor: RendererOf<OperationNamed<'doctor'>> = {
  render({ healthy, findings, backups }, { terminal: { colors } }) {
    const lines = findings.flatMap(({ code, severity, file, message, cure, fixed }) => [
      `${mark(severity, fixed, colors)} ${colors.bold(code)} ${printable(file)}`,
      `    ${printable(message)}`,
      `    ${colors.dim(fixed === null ? cure : `fixed: ${fixed}`)}`,
    ]);
    const saved = backups.map((folder) => colors.dim(`Before that, the files were copied to ${folder}`));
    const open = findings.filter(({ severity, fixed }) => severity !== 'note' && fixed === null).length;
    const verdict = healthy
      ? findings.some(({ code }) => code === 'JOBS_HIDDEN')
        ? 'What could be looked at is healthy.'
        : colors.green('The store is healthy.')
      : colors.red(`${counted(open, 'problem')} left.`);
    return `${[...lines, ...saved, verdict].join('\n')}\n`;
  },
};

function mark(severity: string, fixed: string | null, colors: Colors): string {
  if (fixed !== null) return colors.green('✓');
  if (severity === 'note') return colors.dim('·');
  return severity === 'warning' ? colors.yellow('!') : colors.red('✗');
}
