import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

import * as z from 'zod';

import { PlanError } from '../../../kernel/errors.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import { toggle } from '../../../operations/shared/fields.js';
import type { RendererOf, View } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { renderGoalTree } from '../parts/goal-tree.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { costRangeText, costText, rangeText } from '../parts/numbers.js';
import { renderDecisions } from '../parts/decisions.js';
import { renderFindings } from '../parts/findings.js';
import { renderMissing } from '../parts/linked.js';
import { renderSummary } from '../parts/summary.js';
import { renderWhatNow } from '../parts/what-now.js';
import { wrapped } from '../parts/wrapped.js';

type StatusReport = ResultOf<'status'>;

const LOOK_EVERY_MS = 500;
const GOALS_SHOWN = 10;
const DAMAGE_SHOWN = 3;

/** Shows progress, cost and what is ready; with --watch again and again until Ctrl-C. */
export const status: RendererOf<OperationNamed<'status'>> = {
  options: z.strictObject({ watch: toggle('redraw whenever the plan changes') }),
  prepare: (input) => ({ ...input, next: GOALS_SHOWN }),
  render: (report, view) =>
    view.options.watch === true ? watch(report, view) : renderStatus(report, view.terminal.colors),
};

async function watch(
  { plan }: StatusReport,
  { terminal, workspace, input }: Pick<View, 'terminal' | 'workspace' | 'input'>,
): Promise<never> {
  if (!terminal.stdout.isTTY)
    throw new PlanError('USAGE', '--watch needs a terminal', {
      hint: { commandLine: 'Leave it out to print the status once.' },
    });
  const { ownScreen } = await import('../../own-screen.js');
  const { stdout, colors } = terminal;
  const screen = ownScreen(stdout);
  let shown = '';
  const draw = () => screen.show(wrapped(shown, stdout.columns));
  stdout.on('resize', draw);
  endWith(() => {
    screen.end();
    stdout.write(wrapped(shown, stdout.columns));
  });
  try {
    for (;;) {
      shown = renderStatus(await workspace.status({ ...input, plan: plan.id }), colors);
      draw();
      await wait(LOOK_EVERY_MS);
    }
  } finally {
    screen.end();
  }
}

/** Does something before a signal ends the process as it would have. */
function endWith(last: () => void): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => {
      last();
      process.kill(process.pid, name);
    });
}

function renderStatus(report: StatusReport, colors: Colors): string {
  const tree = report.goals === undefined ? '' : `\n${renderGoalTree(report.goals, colors)}`;
  return [
    renderSummary(report, colors),
    renderDamage(report, colors),
    renderEstimate(report, colors),
    renderWhatNow(report, colors),
    renderMissing(report.linked?.missing ?? [], colors),
    renderFindings(report.findings, colors),
    tree,
    report.goals === undefined ? '' : renderDecisions(report.decisions ?? [], colors, 'Decisions'),
  ].join('');
}

function renderDamage({ damage }: StatusReport, colors: Colors): string {
  if (damage === undefined) return '';
  const places = damage.slice(0, DAMAGE_SHOWN).map(({ line }) => `line ${line}`);
  const more = damage.length > places.length ? ', …' : '';
  return `${colors.red('Damaged'.padEnd(11))} ${quantityOf(damage.length, 'line')} of the log (${places.join(', ')}${more}); \`plan doctor\` says more\n`;
}

function renderEstimate({ estimate }: StatusReport, colors: Colors): string {
  if (estimate === undefined) return '';
  const { calls, tokens, cost_usd, spent } = estimate;
  const expected = `${rangeText(calls)} calls · ${rangeText(tokens)} tokens · ${costRangeText(cost_usd)}`;
  return `${colors.dim('Estimated'.padEnd(11))} ${expected}; spent ${costText(spent) || '0 calls'}\n`;
}
