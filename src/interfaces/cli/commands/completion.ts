import { renderCompletion } from '../completion.js';
import type { RunCommand } from '../command.js';

/** Prints a completion script. */
export const run: RunCommand = async ({ args, commands }) => {
  const shell = args[0] ?? '';
  const script = renderCompletion(shell, commands);
  return { data: { shell, script }, text: script };
};
