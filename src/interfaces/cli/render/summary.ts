import { oneLine } from '../../../kernel/text/safe-text.js';
import type { Summary } from '../../../operations/shared/report-schemas.js';
import type { Colors } from '../terminal.js';
import { costText, counted, durationText, grouped } from './numbers.js';

const WARNINGS_SHOWN = 5;

/** The head of a status: what the plan is, how far planning and work are, what it cost. */
export function renderSummary(plan: Summary, colors: Colors): string {
  const open = plan.pending_goals === 0 ? '' : `, ${grouped(plan.pending_goals)} still to plan`;
  const review = plan.failed_goals === 0 ? '' : `, ${grouped(plan.failed_goals)} failed`;
  const rows: readonly (readonly [string, string])[] = [
    ['Plan', `${plan.id}  ${statusText(plan, colors)}${archivedText(plan, colors)}`],
    ['Goals', `${grouped(plan.total_goals)} in ${counted(plan.max_depth + 1, 'level')}${open}${review}`],
    [
      'Done',
      `${grouped(plan.complete_goals)} of ${grouped(plan.atomic_goals)} atomic goals ${progressBar(plan)}`,
    ],
    ['Planned by', plannedBy(plan)],
  ];
  const lines = rows.map(([name, value]) => `${colors.dim(name.padEnd(11))} ${value}`);
  return `${colors.bold(oneLine(plan.description))}\n${lines.join('\n')}\n${renderWarnings(plan, colors)}`;
}

/** `paused (budget)` and the like, coloured. */
export function statusText({ status, paused_because }: Summary, colors: Colors): string {
  const text = paused_because === null ? status.replace('_', ' ') : `${status} (${paused_because})`;
  if (status === 'complete') return colors.green(text);
  if (status === 'failed') return colors.red(text);
  return status === 'paused' ? colors.yellow(text) : colors.cyan(text);
}

/** One line: what became of a plan that was just planned. */
export function renderPlanned(plan: Summary, colors: Colors): string {
  const cost = costText(plan.usage);
  const seconds = plan.usage.seconds === undefined ? '' : ` in ${durationText(plan.usage.seconds)}`;
  const goals = `${counted(plan.total_goals, 'goal')}, ${grouped(plan.atomic_goals)} atomic`;
  return `${colors.bold(plan.id)}  ${statusText(plan, colors)}${archivedText(plan, colors)} · ${goals}${seconds}${cost === '' ? '' : ` · ${cost}`}\n`;
}

function archivedText({ archived_at }: Summary, colors: Colors): string {
  return typeof archived_at === 'string' ? colors.yellow(', archived') : '';
}

export function renderWarnings({ warnings }: Summary, colors: Colors): string {
  if (warnings.length === 0) return '';
  const shown = warnings.slice(0, WARNINGS_SHOWN).map(({ goal_id, message }) => {
    const place = goal_id === null ? '' : `${goal_id.slice(goal_id.indexOf('-') + 1)}: `;
    return `${colors.yellow('warning:')} ${place}${oneLine(message)}`;
  });
  const more = warnings.length - shown.length;
  return `${[...shown, ...(more > 0 ? [colors.dim(`… and ${counted(more, 'more warning')}; --json has them all`)] : [])].join('\n')}\n`;
}

function plannedBy({ expander, usage }: Summary): string {
  const who =
    expander === 'rules'
      ? 'the built-in rules'
      : expander === 'replay'
        ? 'a recording'
        : expander === 'model'
          ? 'a model'
          : 'another tool';
  const cost = costText(usage);
  return cost === '' ? who : `${who} · ${cost}`;
}

function progressBar({ complete_goals, atomic_goals }: Summary): string {
  if (atomic_goals === 0) return '';
  const width = 20;
  const filled = Math.floor((complete_goals / atomic_goals) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${Math.floor((complete_goals / atomic_goals) * 100)} %`;
}
