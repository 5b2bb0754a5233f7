import type { RunCommand } from '../command.js';
import { renderPlanned } from '../render/summary.js';

/** Asks whoever plans a plan to stop. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const plan = await workspace.pause(args[0]);
  return { data: { plan }, text: renderPlanned(plan, terminal.colors) };
};
