import type { RunCommand } from '../command.js';
import { changeOptions } from '../change-options.js';
import { planningFlags } from '../planning-options.js';
import { replannedOutcome } from '../render/replanned.js';
import { runInterruptibly } from '../watch-planning.js';

/** Divides a goal anew, or shows how it would be divided. */
export const run: RunCommand = async (invocation) => {
  const { args, options, workspace, terminal } = invocation;
  const replanned = await runInterruptibly(terminal, ({ signal, dropSignal }) =>
    workspace.replan(args[0] ?? '', {
      ...planningFlags(options),
      ...changeOptions(options),
      preview: options.preview === true,
      revise: options.revise === true,
      apply: options.apply === true,
      signal,
      dropSignal,
    }),
  );
  return replannedOutcome(replanned, invocation);
};
