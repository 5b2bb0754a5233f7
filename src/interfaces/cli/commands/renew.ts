import { PlanError } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { renderClaim } from '../render/work.js';

/** Puts off the end of a claim. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const token = text(options.token);
  if (token === undefined) {
    throw new PlanError('USAGE', '--token is missing', {
      hint: 'A claim is renewed with the token that `plan claim` printed.',
    });
  }
  const report = await workspace.renew(args[0] ?? '', {
    token,
    plan: text(options.plan),
    for: text(options.for),
  });
  return { data: report, text: renderClaim('Renewed', report, terminal.colors) };
};
