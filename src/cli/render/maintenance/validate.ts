import { foldLine } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Lists the problems of a plan, and on standard error what is worth knowing besides. */
export const validate: RendererOf<OperationNamed<'validate'>> = {
  remark({ notes = [] }, { terminal }) {
    for (const { code, message } of notes) terminal.tell(`${code}: ${message}`, { label: 'note' });
  },
  render({ valid, problems }, { terminal: { colors, columns = Infinity } }) {
    if (valid) return `${colors.green('valid')}\n`;
    return problems
      .flatMap(({ code, path, message }) =>
        foldLine([{ text: code, paint: colors.red }, ` ${legible(path)}: ${message}`], columns),
      )
      .map((line) => `${line}\n`)
      .join('');
  },
};
