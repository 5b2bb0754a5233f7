import { extname } from 'node:path';

import { EXPORT_FORMATS, printable } from '../../../operations/front-end.js';
import { PlanError } from '../../../kernel/errors.js';
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

/** The format whose files end like this one, and JSON for standard output. @throws PlanError USAGE */
function formatOfFile(file: string | undefined): string {
  if (file === undefined) return 'json';
  const ending = extname(file).slice(1).toLowerCase();
  const found = Object.entries(EXPORT_FORMATS).find(
    ([name, { extension }]) => extension === ending || name === ending,
  );
  if (found !== undefined) return found[0];
  throw new PlanError('USAGE', `no format has files that end like ${file}`, {
    hint: 'Name one with --format.',
  });
}
