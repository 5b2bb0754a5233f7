import { PlanError } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { goalLine } from '../render/work.js';
import { workerOptions } from '../worker-options.js';

/** Says that a goal could not be done. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const reason = text(options.reason);
  if (reason === undefined)
    throw new PlanError('USAGE', '--reason is missing', { hint: '--reason says why, in a sentence.' });
  const name = args[0] ?? '';
  const plan = text(options.plan);
  const report = await workspace.fail(name, {
    ...workerOptions(options),
    reason,
    token: text(options.token),
  });
  const called = plan === undefined ? name : `${name} --plan ${plan}`;
  const { colors } = terminal;
  const next = `\`plan replan ${called}\` plans it another way, with this reason told; \`plan reopen ${called}\` tries it again.`;
  return { data: report, text: `${colors.red('Failed')} ${goalLine(report.goal)}\n${colors.dim(next)}\n` };
};
