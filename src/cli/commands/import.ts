import type { RunCommand } from '../command.js';
import { renderPlanned } from '../render/summary.js';

/** Takes a plan file into the store. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const plan = await workspace.import(args[0] ?? '');
  return { data: { plan }, text: renderPlanned(plan, terminal.colors) };
};
