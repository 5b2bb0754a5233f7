import type { RunCommand } from '../command.js';

/** Archives a plan, or really deletes it. */
export const run: RunCommand = async ({ args, options, workspace }) => {
  const deleted = await workspace.delete(args[0], { purge: options.purge === true });
  const text = deleted.purged
    ? `Deleted ${deleted.id} for good.\n`
    : `Archived ${deleted.id}; --purge deletes for good.\n`;
  return { data: { deleted }, text };
};
