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
  if (canonical) return { data: hash, text: hash.wa?.canonical ?? hash.digest_text ?? '' };
  return { data: hash, text: renderHash(hash, terminal.colors) };
};
