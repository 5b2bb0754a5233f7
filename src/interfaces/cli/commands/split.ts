import { changeOptions, optionalTexts } from '../change-options.js';
import type { RunCommand } from '../command.js';
import { planningFlags } from '../planning-options.js';
import { replannedOutcome } from '../render/replanned.js';
import { runInterruptibly } from '../watch-planning.js';

/** Divides a goal that has no sub-goals. */
export const run: RunCommand = async (invocation) => {
  const { args, options, workspace, terminal } = invocation;
  const replanned = await runInterruptibly(terminal, ({ signal, dropSignal }) =>
    workspace.split(args[0] ?? '', {
      ...planningFlags(options),
      ...changeOptions(options),
      into: optionalTexts(options.into),
      signal,
      dropSignal,
    }),
  );
  return replannedOutcome(replanned, invocation);
};
