import { foldLine } from '../../../kernel/text/fold-lines.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Shows what is wrong with the store, what mends it, and what was mended. */
export const doctor: RendererOf<OperationNamed<'doctor'>> = {
  render({ healthy, findings, backups }, { terminal: { colors, columns = Infinity } }) {
    const parts = findings.flatMap(({ code, severity, file, message, cure, fixed }): LinePart[][] => [
      [mark(severity, fixed, colors), ' ', { text: code, paint: colors.bold }, ` ${legible(file)}`],
      [`    ${message}`],
      ['    ', { text: fixed === null ? cure : `fixed: ${fixed}`, paint: colors.dim }],
    ]);
    const saved = backups.map((folder) => [
      { text: `Before that, the files were copied to ${legible(folder)}`, paint: colors.dim },
    ]);
    const lines = [...parts, ...saved].flatMap((line) => foldLine(line, columns));
    const open = findings.filter(({ severity, fixed }) => severity !== 'note' && fixed === null).length;
    const verdict = healthy
      ? findings.some(({ code }) => code === 'JOBS_HIDDEN')
        ? 'Everything that could be checked is healthy.'
        : colors.green('The store is healthy.')
      : colors.red(`${quantityOf(open, 'problem')} left.`);
    return `${[...lines, verdict].join('\n')}\n`;
  },
};

function mark(severity: string, fixed: string | null, colors: Colors): LinePart {
  if (fixed !== null) return { text: '✓', paint: colors.green };
  if (severity === 'note') return { text: '·', paint: colors.dim };
  return severity === 'warning' ? { text: '!', paint: colors.yellow } : { text: '✗', paint: colors.red };
}
