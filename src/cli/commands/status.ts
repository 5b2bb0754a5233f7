import { setTimeout as wait } from 'node:timers/promises';

import { oneLine } from '../../app/front-end.js';
import type { GoalWithNumber, StatusReport } from '../../app/front-end.js';
import { PlanError } from '../../errors.js';
import type { RunCommand } from '../command.js';
import { renderGoalTree } from '../render/goal-tree.js';
import { counted } from '../render/numbers.js';
import { renderSummary } from '../render/summary.js';
import type { Colors, Terminal } from '../terminal.js';

const LOOK_EVERY_MS = 500;
const READY_SHOWN = 10;
const CLAIMS_SHOWN = 20;

/** Shows progress, cost and what is ready; with --watch again and again until Ctrl-C. */
export const run: RunCommand = async ({ args, options, workspace, terminal, json }) => {
  const verbose = options.verbose === true;
  const report = await workspace.status(args[0], { verbose: true });
  if (json) return { data: verbose ? report : withoutGoals(report), text: '' };
  if (options.watch !== true) return { data: null, text: renderStatus(report, verbose, terminal.colors) };
  if (!terminal.stdout.isTTY)
    throw new PlanError('USAGE', '--watch needs a terminal', {
      hint: 'Leave it out to print the status once.',
    });
  const { createLogUpdate } = await import('log-update');
  const screen = createLogUpdate(terminal.stdout);
  for (;;) {
    const current = await workspace.status(report.plan.id, { verbose: true });
    screen(fitting(renderStatus(current, verbose, terminal.colors), terminal));
    await wait(LOOK_EVERY_MS);
  }
};

function withoutGoals({ goals: _all, ...rest }: StatusReport): StatusReport {
  return rest;
}

function renderStatus(report: StatusReport, verbose: boolean, colors: Colors): string {
  const goals = new Map((report.goals ?? []).map((goal) => [goal.id, goal]));
  const tree = verbose ? `\n${renderGoalTree(report.goals ?? [], colors)}` : '';
  return `${renderSummary(report.plan, colors)}${renderReady(report, goals, colors)}${renderClaims(report, goals, colors)}${tree}`;
}

function renderReady(
  { ready, blocked }: StatusReport,
  goals: ReadonlyMap<string, GoalWithNumber>,
  colors: Colors,
): string {
  if (ready.length === 0 && blocked.length === 0) return '';
  const shown = ready.slice(0, READY_SHOWN).map((id) => {
    const goal = goals.get(id);
    return `  ${(goal?.number ?? '').padEnd(8)} ${oneLine(goal?.description ?? id)}`;
  });
  const more = ready.length - shown.length;
  const head = `${colors.bold(`Ready ${ready.length}`)}, waiting ${blocked.length}`;
  return `\n${[head, ...shown, ...(more > 0 ? [colors.dim(`  … and ${counted(more, 'more goal')}`)] : [])].join('\n')}\n`;
}

function renderClaims(
  { claimed }: StatusReport,
  goals: ReadonlyMap<string, GoalWithNumber>,
  colors: Colors,
): string {
  if (claimed.length === 0) return '';
  const shown = claimed.slice(0, CLAIMS_SHOWN).map(({ goal, by, expires_at }) => {
    const { number = '', description = goal } = goals.get(goal) ?? {};
    return `  ${number.padEnd(8)} ${oneLine(description)} ${colors.dim(`by ${oneLine(by)} until ${expires_at}`)}`;
  });
  const more = claimed.length - shown.length;
  const head = colors.bold(`Claimed ${claimed.length}`);
  return `\n${[head, ...shown, ...(more > 0 ? [colors.dim(`  … and ${counted(more, 'more goal')}`)] : [])].join('\n')}\n`;
}

/** As many lines as the screen has, since what scrolls off cannot be redrawn. */
function fitting(text: string, { stdout }: Terminal): string {
  return text
    .trimEnd()
    .split('\n')
    .slice(0, Math.max(5, (stdout.rows || 24) - 1))
    .join('\n');
}
