import { printable } from '../../../operations/front-end.js';
import { renderHash } from '../render/hash.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { inputFor } from '../standard-input.js';

/** Prints what identifies an action plan, or the text that it is made of. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const file = args[0] ?? '';
  const canonical = options.canonical === true;
  const hash = await workspace.hash({
    file,
    input: await inputFor(file),
    format: text(options.format),
    canonical,
  });
  // As it is hashed, to the byte: with a line feed after it `sha256sum` would say another hash.
  const hashed = hash.wa?.canonical ?? hash.digest_text ?? '';
  // A terminal would obey what a stranger put into it.
  if (canonical) return { data: hash, text: terminal.stdout.isTTY ? printable(hashed) : hashed };
  return { data: hash, text: renderHash(hash, terminal.colors) };
};
