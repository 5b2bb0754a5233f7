import { oneLine } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { counted } from '../render/numbers.js';

/** Shows what can be done in parallel, wave by wave; goals on the critical path are marked. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const report = await workspace.waves(args[0]);
  const { colors } = terminal;
  const critical = new Set(report.critical_path);
  const waves = report.waves.map((wave, index) => {
    const lines = wave.map(({ goal, number, description, status }) => {
      const mark = critical.has(goal) ? colors.yellow('*') : ' ';
      const state = status === 'atomic' ? '' : ` ${colors.dim(`[${status}]`)}`;
      return `${mark} ${number === '' ? 'root' : number} ${oneLine(description)}${state}\n`;
    });
    return `${colors.bold(`Wave ${index + 1}`)} ${colors.dim(counted(wave.length, 'goal'))}\n${lines.join('')}`;
  });
  if (waves.length === 0) terminal.error('Every goal is done.\n');
  const path =
    critical.size === 0 ? '' : `\n* the critical path: ${counted(critical.size, 'goal')} in a row\n`;
  return { data: report, text: `${waves.join('\n')}${path}` };
};
