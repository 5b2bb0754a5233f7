import { oneLine } from '../../../operations/front-end.js';
import type { NextReport } from '../../../operations/front-end.js';
import { PlanError } from '../../../kernel/errors.js';
import type { RunCommand } from '../command.js';
import { text } from '../planning-options.js';
import { counted } from '../render/numbers.js';
import { goalLine, renderClaim } from '../render/work.js';
import type { Colors } from '../terminal.js';
import { workerOptions } from '../worker-options.js';

/** Shows the goals that can start, the best to begin with first; status 1 when there is none. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  const claim = options.claim === true;
  if (!claim && (options.for !== undefined || options.by !== undefined)) {
    throw new PlanError('USAGE', '--by and --for say how to claim', { hint: 'Add --claim.' });
  }
  const report = await workspace.next({
    by: workerOptions(options).by,
    plan: args[0],
    for: text(options.for),
    limit: typeof options.limit === 'number' ? options.limit : undefined,
    claim,
  });
  const status = report.reason === null ? 0 : 1;
  if (report.reason !== null && !json) terminal.error(`${oneLine(report.reason.message)}\n`);
  return { data: report, text: renderNext(report, terminal.colors), status };
};

function renderNext({ goals, total, claimed }: NextReport, colors: Colors): string {
  const [first] = goals;
  if (first === undefined) return '';
  if (claimed !== null) return renderClaim('Claimed', { goal: first, claimed }, colors);
  const lines = goals.map((goal) => `${goalLine(goal)}${colors.dim(weight(goal))}\n`);
  const more = total - goals.length;
  return `${lines.join('')}${more > 0 ? colors.dim(`… and ${counted(more, 'more goal')}\n`) : ''}`;
}

function weight({ chain, unblocks }: NextReport['goals'][number]): string {
  return unblocks === 0 ? '' : `  (${unblocks} wait for it, ${chain} in a row)`;
}
