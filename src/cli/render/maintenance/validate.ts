import { printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';

/** Lists the problems of a plan, and on standard error what is worth knowing besides. */
export const validate: RendererOf<OperationNamed<'validate'>> = {
  remark({ notes = [] }, { terminal }) {
    for (const { code, message } of notes)
      terminal.error(`${terminal.errorColors.dim('note:')} ${code}: ${printable(message)}\n`);
  },
  render({ valid, problems }, { terminal: { colors } }) {
    if (valid) return `${colors.green('valid')}\n`;
    return problems
      .map(({ code, path, message }) => `${colors.red(code)} ${printable(path)}: ${printable(message)}\n`)
      .join('');
  },
};
