import { printable } from '../../../operations/front-end.js';
import type { RunCommand } from '../command.js';

/** Checks a plan or a plan file; status 1 when there are problems. */
export const run: RunCommand = async ({ args, workspace, terminal }) => {
  const validation = await workspace.validate(args[0]);
  for (const { code, message } of validation.notes ?? [])
    terminal.error(`${terminal.errorColors.dim('note:')} ${code}: ${printable(message)}\n`);
  const lines = validation.problems.map(
    ({ code, path, message }) => `${terminal.colors.red(code)} ${printable(path)}: ${printable(message)}\n`,
  );
  const text = validation.valid ? `${terminal.colors.green('valid')}\n` : lines.join('');
  return { data: validation, text, status: validation.valid ? 0 : 1 };
};
