import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../renderer.js';
import type { Colors } from '../terminal.js';
import { grouped } from './numbers.js';
import { statusText } from './summary.js';

/** Lists plans; a file that cannot be read is named on standard error and hides no other. */
export const list: RendererOf<OperationNamed<'list'>> = {
  remark({ problems }, { terminal }) {
    for (const { file, message } of problems) {
      terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(`${file}: ${message}`)}\n`);
    }
  },
  render({ plans }, { terminal }) {
    if (plans.length === 0) terminal.error('No plans yet. `plan init "<goal>"` makes one.\n');
    return plans.map((plan) => `${planLine(plan, terminal.colors)}\n`).join('');
  },
};

function planLine(plan: ResultOf<'list'>['plans'][number], colors: Colors): string {
  const status =
    plan.paused_because === null ? plan.status.replace('_', ' ') : `${plan.status} (${plan.paused_because})`;
  const padding = ' '.repeat(Math.max(0, 15 - status.length));
  const done = `${grouped(plan.complete_goals)}/${grouped(plan.atomic_goals)} done`.padEnd(12);
  return [
    colors.bold(plan.id),
    statusText(plan, colors) + padding,
    done,
    colors.dim(plan.updated_at.slice(0, 16).replace('T', ' ')),
    oneLine(plan.description),
  ].join('  ');
}
