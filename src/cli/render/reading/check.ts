import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { counted } from '../parts/numbers.js';

const SHOWN = 100;

/** Shows what looks wrong in a plan, each finding with what may be done about it. */
export const check: RendererOf<OperationNamed<'check'>> = {
  render: (report, { terminal }) => renderFindings(report, terminal.colors),
};

function renderFindings({ findings, total }: ResultOf<'check'>, colors: Colors): string {
  if (total === 0) return `${colors.green('Nothing looks wrong.')}\n`;
  const lines = findings
    .slice(0, SHOWN)
    .map(
      ({ code, message, hint }) =>
        `${colors.yellow('!')} ${colors.bold(code)}  ${oneLine(message)}\n    ${colors.dim(oneLine(hint))}\n`,
    );
  const more = total - lines.length;
  const rest = more > 0 ? `… and ${counted(more, 'more finding')}; --json has them all\n` : '';
  return `${lines.join('')}${rest}${colors.yellow(`${counted(total, 'finding')}.`)} They are for you to judge.\n`;
}
