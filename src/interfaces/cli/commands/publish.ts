import type { RunCommand } from '../command.js';

/** Writes a plan file from its log. */
export const run: RunCommand = async ({ args, workspace }) => {
  const published = await workspace.publish(args[0]);
  const { plan, event } = published;
  const text =
    event === null
      ? `Plan ${plan} has no log; its plan file is the plan.\n`
      : `Wrote the plan file of ${plan}, up to event ${event}.\n`;
  return { data: published, text };
};
