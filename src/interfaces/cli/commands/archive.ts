import type { RunCommand } from '../command.js';

/** Archives a plan. */
export const run: RunCommand = async ({ args, workspace }) => {
  const plan = await workspace.archive(args[0]);
  return { data: { plan }, text: `Archived ${plan.id}; \`plan restore ${plan.id}\` brings it back.\n` };
};
