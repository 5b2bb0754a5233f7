import { extname } from 'node:path';

import { EXPORT_FORMATS, printable } from '../../app/front-end.js';
import { text } from '../planning-options.js';
import type { RunCommand } from '../command.js';

/** Writes a plan in another format, to standard output or to a file. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const output = text(options.output);
  const format = text(options.format) ?? formatOfFile(output);
  const exported = await workspace.export({ plan: args[0], format, output });
  if (exported.file !== null) terminal.error(`Wrote ${printable(exported.file)}\n`);
  return { data: exported, text: exported.content ?? '' };
};

/** The format whose files end like this one; JSON for any other, and for standard output. */
function formatOfFile(file: string | undefined): string {
  const ending = file === undefined ? '' : extname(file).slice(1).toLowerCase();
  const found = Object.entries(EXPORT_FORMATS).find(
    ([name, { extension }]) => extension === ending || name === ending,
  );
  return found?.[0] ?? 'json';
}
