import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import { checkInWords } from '../../../operations/editing/given-work.js';
import { priorityInWords } from '../../../operations/shared/numbered-goals.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { renderFindings } from '../parts/findings.js';
import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';
import { endText, relativeTime, withLocalTimes } from '../parts/times.js';
import { goalStateWord } from '../parts/status-words.js';

type GoalReport = ResultOf<'show'>;
type NumberedGoal = GoalReport['goal'];
/** A goal that it waits for, or that waits for it, by way of a goal above. */
type Inherited = GoalReport['inherited_dependents'][number];

/** So many goals are listed of a kind: more than a plan has that was made for people and agents to read. */
const GOALS_SHOWN = 100;

interface Listed {
  readonly goal: NumberedGoal;
  readonly way?: string;
}

/** Shows one goal with its size and criteria, parent, children, dependencies, digest, reasoning and source. */
export const show: RendererOf<OperationNamed<'show'>> = {
  render: (report, { terminal }) => renderGoal(report, terminal.colors),
};

function renderGoal(report: GoalReport, colors: Colors): string {
  const { goal, children, dependencies, dependents, refused_results } = report;
  const { inherited_dependencies, inherited_dependents } = report;
  const head = `${colors.bold(`${goal.number === '' ? '' : `${goal.number}  `}${oneLine(goal.description)}`)}\n`;
  const table = rowsOf(report)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${colors.dim(name.padEnd(10))} ${oneLine(value ?? '')}\n`)
    .join('');
  return [
    head,
    table,
    doneWhen(goal, colors),
    section('Sub-goals', listedGoals(children), colors),
    section('Depends on', listedGoals(dependencies, inherited_dependencies), colors),
    section('Needed by', listedGoals(dependents, inherited_dependents), colors),
    listed(
      'Decisions',
      report.decisions.map((decision) => decisionText(goal.id, decision)),
      colors,
    ),
    listed(
      'Uses what no goal makes',
      report.missing_results.map(({ what, command }) => `${what} (${command})`),
      colors,
    ),
    renderFindings(report.findings, colors),
    listed(
      'Other links',
      (goal.links ?? []).map(({ type, to }) => `${type}: ${to}`),
      colors,
    ),
    listed('Action plans', goal.action_plans ?? [], colors),
    goal.digest === null ? '' : `\n${colors.bold('Digest')}\n${indented(digestText(goal.digest))}`,
    refusedText(refused_results, colors),
    goal.detail === undefined ? '' : `\n${colors.bold('Detail')}\n${indented(goal.detail)}`,
  ].join('');
}

/** What is stored of the goal itself, a line each. */
function rowsOf(report: GoalReport): readonly (readonly [string, string | null | undefined])[] {
  const { goal, parent } = report;
  const { source, claim, failure } = goal;
  return [
    ['Id', goal.id],
    ['Status', goalStateWord(goal)],
    [
      goal.status === 'failed' ? 'Failed' : 'Had failed',
      failure === undefined ? null : `${relativeTime(failure.at)}: ${failure.reason}`,
    ],
    ['Reasoning', goal.reasoning],
    ['Size', goal.child_ids.length === 0 ? goal.size : null],
    ['Priority', goal.priority === undefined ? null : priorityInWords(goal.priority)],
    ['On hold', holdText(report)],
    ['Said done', saidDone(report)],
    ['Tags', goal.tags?.join(', ')],
    ['Touches', goal.touches?.join(', ')],
    ['Checks', goal.checks?.map(checkInWords).join('; ')],
    ['Parent', parent === null ? null : named(parent)],
    ['Source', source === undefined ? null : `${source.file}:${source.start_line}-${source.end_line}`],
    [
      'Claimed',
      claim === undefined
        ? null
        : `by ${claim.by} ${relativeTime(claim.since)}, until ${endText(claim.expires_at)}`,
    ],
    ['Tokens', goal.tokens_used === 0 ? null : groupedNumber(goal.tokens_used)],
    ['Graph node', goal.graph_node_id],
    ['Created', relativeTime(goal.created_at)],
    ['Changed', goal.updated_at === goal.created_at ? null : relativeTime(goal.updated_at)],
  ];
}

function holdText({ hold }: GoalReport): string | null {
  if (hold === null) return null;
  const { by, reason, until } = hold;
  return `${reason}${until === undefined ? '' : `, until ${endText(until)}`}${by === null ? '' : ` (with ${by.number === '' ? 'root' : by.number})`}`;
}

/** What a goal came as that its parts do not bear out. */
function saidDone({ goal, children }: GoalReport): string | null {
  const open = children.filter(({ status }) => status !== 'complete').length;
  return goal.said_done === true && open > 0
    ? `said to be done, ${open} of ${children.length} parts ${open === 1 ? 'is' : 'are'} open`
    : null;
}

function doneWhen({ acceptance = [] }: NumberedGoal, colors: Colors): string {
  return listed('Done when', acceptance, colors);
}

function decisionText(
  goal: string,
  { confirmed, line, number, ...decision }: GoalReport['decisions'][number],
): string {
  const origin = decision.goal === goal ? '' : ` (from ${number === '' ? 'root' : number})`;
  const isChosen = !confirmed && decision.choice !== null;
  return `${line}${isChosen ? ' [chosen while planning]' : ''}${origin}`;
}

function listed(title: string, lines: readonly string[], colors: Colors): string {
  if (lines.length === 0) return '';
  return `\n${colors.bold(title)}\n${lines.map((line) => `  - ${oneLine(line)}\n`).join('')}`;
}

function section(title: string, goals: readonly Listed[], colors: Colors): string {
  if (goals.length === 0) return '';
  const more = goals.length - GOALS_SHOWN;
  const lines = goals.slice(0, GOALS_SHOWN).map(({ goal, way }) => {
    const state = `[${goalStateWord(goal)}]${way ?? ''}`;
    return `  ${named(goal)} ${colors.dim(state)}\n`;
  });
  const rest = more > 0 ? colors.dim(`  … and ${quantityOf(more, 'more goal')}; --json has them all\n`) : '';
  return `\n${colors.bold(title)}\n${lines.join('')}${rest}`;
}

/** Goals that stand in a relation of their own, and those that do by way of a goal above. */
function listedGoals(own: readonly NumberedGoal[], inherited: readonly Inherited[] = []): readonly Listed[] {
  return [
    ...own.map((goal) => ({ goal })),
    ...inherited.map(({ goal, by }) => ({
      goal,
      way: `, via ${by.number === '' ? 'root' : by.number}`,
    })),
  ];
}

function named({ number, description }: NumberedGoal): string {
  return `${number === '' ? 'root' : number} ${oneLine(description)}`;
}

function digestText({
  summary,
  key_decisions,
  artifacts,
  fidelity_score,
}: NonNullable<NumberedGoal['digest']>): string {
  return [
    summary,
    ...key_decisions.map((decision) => `- ${decision}`),
    ...artifacts.map((artifact) => `* ${artifact}`),
    ...(fidelity_score === undefined ? [] : [`holds ${Math.round(fidelity_score * 100)} % of what was said`]),
  ].join('\n');
}

/** What was submitted and not accepted: nothing of it is lost, so that somebody can take it over. */
function refusedText(results: GoalReport['refused_results'], colors: Colors): string {
  return results
    .map(({ at, by, reason, result }) => {
      const { summary, decisions = [], artifacts = [], text, commits = [] } = result;
      const lines = [
        ...(summary === undefined ? [] : [summary]),
        ...decisions.map((decision) => `- ${decision}`),
        ...artifacts.map((artifact) => `* ${artifact}`),
        ...commits.map(({ id, subject }) => `${id.slice(0, 12)} ${subject}`),
        ...(text === undefined ? [] : [text]),
      ];
      const head = `Refused result of ${oneLine(by)}, ${oneLine(relativeTime(at))}`;
      return `\n${colors.bold(head)}\n  ${colors.red(oneLine(withLocalTimes(reason)))}\n${indented(lines.join('\n'))}`;
    })
    .join('');
}

function indented(body: string): string {
  return `${printable(body).replaceAll(/^/gm, '  ')}\n`;
}
