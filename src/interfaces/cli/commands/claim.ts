import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { renderClaim } from '../render/work.js';
import { workerOptions } from '../worker-options.js';

/** Takes a goal for a time, and prints the token that proves it. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const report = await workspace.claim(args[0] ?? '', {
    ...workerOptions(options),
    for: text(options.for),
  });
  return { data: report, text: renderClaim('Claimed', report, terminal.colors) };
};
