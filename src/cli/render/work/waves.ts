import { oneLine } from '../../../kernel/text/safe-text.js';
import type { OperationNamed } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { goalWord } from '../parts/status-words.js';

/** Shows what can be done in parallel, wave by wave; goals on the critical path are marked. */
export const waves: RendererOf<OperationNamed<'waves'>> = {
  remark(report, { terminal }) {
    const held = report.on_hold?.length ?? 0;
    if (held > 0) terminal.tell(`${quantityOf(held, 'goal')} on hold, or behind one that is, in no wave.`);
    else if (report.waves.length === 0) terminal.tell('Every goal is done.');
  },
  render(report, { terminal: { colors } }) {
    const critical = new Set(report.critical_path);
    const shown = report.waves.map((wave, index) => {
      const lines = wave.map(({ goal, number, description, status }) => {
        const mark = critical.has(goal) ? colors.yellow('*') : ' ';
        const state = status === 'atomic' ? '' : ` ${colors.dim(`[${goalWord({ status })}]`)}`;
        return `${mark} ${number === '' ? 'root' : number} ${oneLine(description)}${state}\n`;
      });
      return `${colors.bold(`Wave ${index + 1}`)} ${colors.dim(quantityOf(wave.length, 'goal'))}\n${lines.join('')}`;
    });
    const path =
      critical.size === 0 ? '' : `\n* the critical path: ${quantityOf(critical.size, 'goal')} in a row\n`;
    return `${shown.join('\n')}${path}`;
  },
};
