import { oneLine, printable } from '../../../operations/front-end.js';
import type { Summary } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { grouped } from '../render/numbers.js';
import { statusText } from '../render/summary.js';
import type { Colors } from '../terminal.js';

const STATUSES = ['in_progress', 'complete', 'paused', 'failed'] as const;

/** Lists plans; a file that cannot be read is named on standard error and hides no other. */
export const run: RunCommand = async ({ options, workspace, terminal, json }) => {
  const status = STATUSES.find((known) => known === options.status);
  const { plans, problems } = await workspace.list({ status, archived: options.archived === true });
  for (const { file, message } of problems) {
    terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(`${file}: ${message}`)}\n`);
  }
  if (json) return { data: { plans, ...(problems.length > 0 ? { problems } : {}) }, text: '' };
  if (plans.length === 0) terminal.error('No plans yet. `plan init "<goal>"` makes one.\n');
  return { data: null, text: plans.map((plan) => `${planLine(plan, terminal.colors)}\n`).join('') };
};

function planLine(plan: Summary, colors: Colors): string {
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
