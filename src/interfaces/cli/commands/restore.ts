import type { RunCommand } from '../command.js';

/** Brings a plan back from the archive. */
export const run: RunCommand = async ({ args, workspace }) => {
  const plan = await workspace.restore(args[0]);
  return { data: { plan }, text: `Restored ${plan.id}.\n` };
};
