import { oneLine } from '../../../kernel/text/safe-text.js';
import { isLinkWaiting } from '../../../operations/shared/numbered-goals.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Summary } from '../../../operations/shared/report-schemas.js';
import type { Colors } from '../../terminal.js';
import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';
import { costText, durationText } from './numbers.js';
import { planStatusText } from './status-words.js';
import { resumeHint, whoPlansNow } from './resume-hint.js';

const WARNINGS_SHOWN = 5;
/** Warnings of what somebody has to look at, however long ago the plan was made. */
const STANDING: ReadonlySet<string> = new Set([
  'no_method',
  'max_depth',
  'max_goals',
  'out_of_scope',
  'not_linked',
]);

/** Numbers of goals in the tree by their ids; the root's is empty. */
export type GoalNumbers = Readonly<Record<string, string>>;

/** The head of a status: what the plan is, how far planning and work are, what it cost. */
export function renderSummary(report: ResultOf<'status'>, colors: Colors): string {
  const { plan, planning, ready, numbers = {}, goals } = report;
  const now = whoPlansNow(plan, planning);
  const open = isLinkWaiting(plan)
    ? ', one question left: which goals need each other'
    : plan.pending_goals === 0
      ? ''
      : `, ${groupedNumber(plan.pending_goals)} still to plan`;
  const failed = plan.failed_goals === 0 ? '' : `, ${groupedNumber(plan.failed_goals)} failed`;
  const rows: readonly (readonly [string, string])[] = [
    ['Plan', `${plan.id}  ${planStatusText(plan, colors)}${archivedText(plan, colors)}`],
    [
      'Goals',
      `${groupedNumber(plan.total_goals)} in ${quantityOf(plan.max_depth + 1, 'level')}${open}${failed}`,
    ],
    [
      'Done',
      `${groupedNumber(plan.complete_goals)} of ${quantityOf(plan.atomic_goals, 'atomic goal')} ${progressBar(plan)}`,
    ],
    ['Planned by', plannedBy(plan)],
    ...(now === '' ? [] : [['Now', now] as const]),
  ];
  const lines = rows.map(([name, value]) => `${colors.dim(name.padEnd(11))} ${value}`);
  // Where no goal can be begun, how to go on planning is what the status ends with.
  const goOn = ready.length === 0 ? '' : resumeHint(plan, planning);
  if (goOn !== '') lines.push(`${' '.repeat(11)} ${goOn}`);
  // What was wrong with an answer is told when it comes.
  const warnings =
    goals === undefined
      ? plan.warnings.filter(({ code }) => STANDING.has(code))
      : beyondFailures(plan.warnings);
  return `${colors.bold(oneLine(plan.description))}\n${lines.join('\n')}\n${renderWarnings({ warnings }, numbers, colors)}`;
}

/** Renders the summary of a plan that was just planned, on one line, with what planning it took. */
export function renderPlanned(plan: Summary, colors: Colors): string {
  const cost = costText(plan.usage);
  const { seconds = 0 } = plan.usage;
  const time = seconds < 1 ? '' : ` in ${durationText(seconds)}`;
  return `${standingText(plan, colors)}${time}${cost === '' ? '' : ` · ${cost}`}\n`;
}

/** Renders the summary of a plan that was just changed, on one line. */
export const renderChanged = (plan: Summary, colors: Colors): string => `${standingText(plan, colors)}\n`;

function standingText(plan: Summary, colors: Colors): string {
  const goals = `${quantityOf(plan.total_goals, 'goal')}, ${groupedNumber(plan.atomic_goals)} atomic`;
  return `${colors.bold(plan.id)}  ${planStatusText(plan, colors)}${archivedText(plan, colors)} · ${goals}`;
}

function archivedText({ archived_at }: Summary, colors: Colors): string {
  return typeof archived_at === 'string' ? colors.yellow(', archived') : '';
}

/** Renders the first warnings in the summary of a plan, each with the number of the goal that it is about. */
export function renderWarnings(
  { warnings }: Pick<Summary, 'warnings'>,
  numbers: GoalNumbers,
  colors: Colors,
): string {
  if (warnings.length === 0) return '';
  const shown = warnings
    .slice(0, WARNINGS_SHOWN)
    .map(
      ({ goal_id, message }) =>
        `${colors.yellow('warning:')} ${placeOf(goal_id, numbers)}${oneLine(message)}`,
    );
  const more = warnings.length - shown.length;
  return `${[...shown, ...(more > 0 ? [colors.dim(`… and ${quantityOf(more, 'more warning')}; --json has them all`)] : [])].join('\n')}\n`;
}

/**
 * The warnings for the summary of a plan, but those that say why a goal failed, for where that stands with the goal.
 */
export function beyondFailures(warnings: Summary['warnings']): Summary['warnings'] {
  return warnings.filter(({ code }) => code !== 'needs_review');
}

function placeOf(goal: string | null, numbers: GoalNumbers): string {
  const number = goal === null ? undefined : numbers[goal];
  if (goal === null || number === '') return '';
  return number === undefined ? 'a goal that is gone: ' : `goal ${number}: `;
}

function plannedBy({ expander, usage }: Summary): string {
  const who =
    expander === 'rules'
      ? 'the built-in rules'
      : expander === 'replay'
        ? 'a recording'
        : expander === 'model'
          ? 'a model'
          : expander === 'agent'
            ? 'whoever answers `plan ask`'
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
