import { oneLine, printable } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { counted } from '../parts/numbers.js';
import { relativeTime } from '../parts/times.js';
import { howToGoOn, planText, planWord } from '../parts/words.js';

/** Lists plans; a file that cannot be read is named on standard error and hides no other. */
export const list: RendererOf<OperationNamed<'list'>> = {
  remark({ problems }, { terminal }) {
    for (const { file, message } of problems) {
      terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(`${file}: ${message}`)}\n`);
    }
  },
  render({ plans }, { terminal }) {
    if (plans.length === 0) terminal.error('No plans yet. `plan init "<goal>"` makes one.\n');
    const paused = plans.find(({ status }) => status === 'paused');
    if (paused !== undefined) terminal.error(`${howToGoOn(paused)}\n`);
    return plans.map((plan) => `${planLine(plan, terminal.colors)}\n`).join('');
  },
};

function planLine(plan: ResultOf<'list'>['plans'][number], colors: Colors): string {
  const padding = ' '.repeat(Math.max(0, 15 - planWord(plan).length));
  const goals = counted(plan.total_goals, 'goal').padEnd(10);
  return [
    colors.bold(plan.id),
    planText(plan, colors) + padding,
    goals,
    colors.dim(relativeTime(plan.updated_at).padEnd(10)),
    oneLine(plan.description),
  ].join('  ');
}
