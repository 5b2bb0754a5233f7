import { oneLine } from '../../app/front-end.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { goalLine, goalList } from '../render/work.js';
import { readStandardInput } from '../standard-input.js';
import { texts, workerOptions } from '../worker-options.js';

/** A result is an account for people, not a data set. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Marks a goal as done; shows which goals above it that completed, and which can start now. */
export const run: RunCommand = async ({ args, options, workspace, terminal }) => {
  const from = text(options.from);
  const report = await workspace.complete(args[0] ?? '', {
    ...workerOptions(options),
    summary: text(options.summary),
    decisions: texts(options.decision),
    artifacts: texts(options.artifact),
    ...(from === '-' ? { text: (await readStandardInput(MOST_BYTES)).replace(/^\uFEFF/, '') } : { from }),
    fromGit: text(options.fromGit),
    token: text(options.token),
    force: options.force === true,
    digestBy: options.expander === 'model' || options.expander === 'rules' ? options.expander : undefined,
  });
  const { goal, completed_parents, became_ready, plan } = report;
  const { colors } = terminal;
  for (const notice of report.notices) terminal.error(`${oneLine(notice)}\n`);
  const left = plan.atomic_goals - plan.complete_goals;
  const lines = [
    `${colors.green('Completed')} ${goalLine(goal)}\n`,
    goalList('Which also completes', completed_parents, colors),
    goalList('Can start now', became_ready, colors),
    left === 0 && plan.pending_goals === 0 ? 'Everything is done.\n' : '',
  ];
  return { data: report, text: lines.join('') };
};
