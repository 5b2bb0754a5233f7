import { legible, legibleLine } from '../../../kernel/text/legible.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import type { GoalWithNumber } from '../../../operations/shared/numbered-goals.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { endText } from './times.js';
import { planningHint } from './resume-hint.js';

type StatusReport = ResultOf<'status'>;

/** What can be done now: goals that can start, claims with their ends, what failed, and the next command. */
export function renderWhatNow(report: StatusReport, colors: Colors): string {
  const {
    ready,
    blocked,
    claimed,
    plan,
    next = [],
    held = [],
    failed = [],
    on_hold = [],
    resting = [],
  } = report;
  const holds = new Map(on_hold.map((each) => [each.goal, each]));
  const now = Date.now();
  return [
    ready.length === 0 && blocked.length === 0
      ? ''
      : section(`Ready ${ready.length}, waiting ${blocked.length}`, next.map(goalRow), ready.length, colors),
    section(
      `Claimed ${claimed.length}`,
      held.map((goal) => `${goalRow(goal)} · ${colors.dim(claimText(goal, now))}`),
      claimed.length,
      colors,
    ),
    section(
      `On hold ${on_hold.length}`,
      resting.map((goal) => `${goalRow(goal)}${colors.dim(holdText(holds.get(goal.id)))}`),
      on_hold.length,
      colors,
    ),
    section(
      `Failed ${plan.failed_goals}`,
      failed.map((goal) => `${goalRow(goal)}${reasonOf(goal, colors)}`),
      plan.failed_goals,
      colors,
    ),
    renderRuns(report, colors),
    `\n${colors.bold('Next')} ${nextStep(report)}\n`,
  ].join('');
}

/** A heading and lines below it, with how many more there are; nothing where there is nothing. */
function section(heading: string, lines: readonly string[], total: number, colors: Colors): string {
  if (total === 0 && !heading.startsWith('Ready')) return '';
  const more = total - lines.length;
  const rest = more > 0 ? [colors.dim(`  … and ${quantityOf(more, 'more goal')}`)] : [];
  return `\n${[colors.bold(heading), ...lines, ...rest].join('\n')}\n`;
}

/** The runs that need somebody, each with what it waits for and the command below it. */
function renderRuns({ runs = [] }: StatusReport, colors: Colors): string {
  if (runs.length === 0) return '';
  const lines = runs
    .slice(0, RUNS_SHOWN)
    .map(
      ({ run, why, command }) => `  ${legible(run)}  ${legibleLine(why)}\n    \`${legibleLine(command)}\``,
    );
  const more = runs.length - lines.length;
  const rest =
    more > 0 ? [colors.dim(`  … and ${quantityOf(more, 'more run')}; \`plan runs\` lists them`)] : [];
  const heading = colors.bold(
    `${quantityOf(runs.length, 'run')} ${runs.length === 1 ? 'needs' : 'need'} somebody`,
  );
  return `\n${[heading, ...lines, ...rest].join('\n')}\n`;
}

const RUNS_SHOWN = 5;

function goalRow({ number, description }: GoalWithNumber): string {
  return `  ${(number === '' ? 'root' : number).padEnd(8)} ${oneLine(description)}`;
}

function claimText({ claim }: GoalWithNumber, now: number): string {
  return claim === undefined ? '' : `by ${oneLine(claim.by)} until ${endText(claim.expires_at, now)}`;
}

function holdText(held: NonNullable<StatusReport['on_hold']>[number] | undefined): string {
  if (held === undefined) return '';
  const until = held.until === undefined ? '' : ` until ${endText(held.until)}`;
  return `: ${oneLine(held.reason)}${until}`;
}

function reasonOf({ failure }: GoalWithNumber, colors: Colors): string {
  return failure === undefined ? '' : colors.red(`: ${oneLine(failure.reason)}`);
}

/** The one command that leads on from here, and what it does. */
function nextStep({ plan, planning, ready, held: [held] = [], failed: [failed] = [] }: StatusReport): string {
  if (plan.archived_at !== undefined && plan.archived_at !== null)
    return `\`plan restore ${plan.id}\` brings the plan back from the archive.`;
  if (ready.length > 0) return '`plan next --claim` takes the first that can start.';
  if (plan.pending_goals > 0) return planningHint(plan, planning);
  if (failed !== undefined) {
    const name = failed.number === '' ? 'root' : failed.number;
    const work = failed.failure?.phase === 'work' ? `\`plan reopen ${name}\` tries it again, ` : '';
    return plan.expander === 'rules'
      ? `${work}\`plan split ${name} --into "…" "…"\` divides it by hand.`
      : `${work}\`plan replan ${name}\` plans it another way.`;
  }
  if (held !== undefined) {
    const name = held.number === '' ? 'root' : held.number;
    return `whoever holds ${name} ends it with \`plan complete ${name}\`; \`plan status --watch\` shows when a claim ends.`;
  }
  return plan.complete_goals > 0 && plan.complete_goals >= plan.atomic_goals
    ? 'nothing: every goal is done.'
    : '`plan tree` shows what there is.';
}
