import { printable } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { counted } from '../render/numbers.js';
import { renderPlanned } from '../render/summary.js';

/** Takes every plan of the legacy tool into the store; status 1 when one could not be taken. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const migration = await workspace.migrate(args[0]);
  const { plans, kept, skipped, problems } = migration;
  for (const { message } of problems) {
    terminal.error(`${terminal.errorColors.yellow('warning:')} ${printable(message)}\n`);
  }
  for (const { id, repaired = [] } of plans)
    for (const repair of repaired) terminal.error(`repaired: plan ${id}: ${printable(repair)}\n`);
  const rest = [
    `Imported ${counted(plans.length, 'plan')}`,
    ...(skipped.length === 0 ? [] : [`${counted(skipped.length, 'plan')} there already`]),
    ...(kept.length === 0 ? [] : [`${counted(kept.length, 'other file')} copied to backup/legacy/`]),
  ];
  const text = `${plans.map((plan) => renderPlanned(plan, terminal.colors)).join('')}${rest.join(', ')}.\n`;
  return { data: migration, text, status: problems.length === 0 ? 0 : 1 };
};
