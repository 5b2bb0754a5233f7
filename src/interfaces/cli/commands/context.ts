import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';

/** Prints everything that somebody needs to do a goal, within a number of tokens. */
export const run: RunCommand = async ({ args, options, workspace }) => {
  const report = await workspace.context(args[0] ?? '', {
    plan: text(options.plan),
    maxTokens: typeof options.maxTokens === 'number' ? options.maxTokens : undefined,
  });
  const { markdown, ...data } = report;
  return { data, text: markdown };
};
