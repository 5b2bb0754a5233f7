import { PlanError } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { MOST_PLAN_BYTES, readStandardInput } from '../standard-input.js';

/** Shows an action plan before it runs. */
export const run: RunCommand = async ({ args, options, workspace }) => {
  if (options.verbose === true && options.quiet === true)
    throw new PlanError('USAGE', '--verbose and --quiet cannot both be given');
  const { text: shown, ...data } = await workspace.preview(args[0] ?? '', {
    detail: options.verbose === true ? 'verbose' : options.quiet === true ? 'quiet' : 'normal',
    format: options.format === 'toon' ? 'toon' : 'text',
    dialect: text(options.dialect),
    standardInput: () => readStandardInput(MOST_PLAN_BYTES),
  });
  return { data, text: shown };
};
