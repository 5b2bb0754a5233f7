import { renderCompletion } from '../completion.js';
import type { RunCommand } from '../program.js';

/** Prints a completion script. */
export const run: RunCommand = async ({ args }) => {
  const shell = args[0] ?? '';
  const script = renderCompletion(shell);
  return { data: { shell, script }, text: script };
};
