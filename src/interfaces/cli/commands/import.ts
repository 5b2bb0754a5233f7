import { printable } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';
import { renderPlanned } from '../render/summary.js';

/** Takes a plan file into the store. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const plan = await workspace.import(args[0] ?? '');
  for (const repair of plan.repaired ?? []) terminal.error(`repaired: ${printable(repair)}\n`);
  return { data: { plan }, text: renderPlanned(plan, terminal.colors) };
};
