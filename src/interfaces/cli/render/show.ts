import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../renderer.js';
import type { Colors } from '../terminal.js';

type GoalReport = ResultOf<'show'>;
type NumberedGoal = GoalReport['goal'];

/** Shows one goal with its size and criteria, parent, children, dependencies, digest, reasoning and source. */
export const show: RendererOf<OperationNamed<'show'>> = {
  render: (report, { terminal }) => renderGoal(report, terminal.colors),
};

function renderGoal(
  { goal, parent, children, dependencies, dependents, refused_results }: GoalReport,
  colors: Colors,
): string {
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['Id', goal.id],
    [
      'Status',
      goal.failure === undefined || goal.status !== 'failed' ? goal.status : `failed: ${goal.failure.reason}`,
    ],
    ['Reasoning', goal.reasoning],
    ['Size', goal.child_ids.length === 0 ? goal.size : null],
    ['Parent', parent === null ? null : named(parent)],
    [
      'Source',
      goal.source === undefined
        ? null
        : `${goal.source.file}:${goal.source.start_line}-${goal.source.end_line}`,
    ],
    ['Claimed', goal.claim === undefined ? null : `by ${goal.claim.by} until ${goal.claim.expires_at}`],
    ['Tokens', goal.tokens_used === 0 ? null : String(goal.tokens_used)],
  ];
  const head = `${colors.bold(`${goal.number === '' ? '' : `${goal.number}  `}${oneLine(goal.description)}`)}\n`;
  const table = rows
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${colors.dim(name.padEnd(10))} ${oneLine(value ?? '')}\n`)
    .join('');
  return [
    head,
    table,
    doneWhen(goal, colors),
    section('Children', children, colors),
    section('Depends on', dependencies, colors),
    section('Needed by', dependents, colors),
    goal.digest === null ? '' : `\n${colors.bold('Digest')}\n${indented(digestText(goal.digest))}`,
    refusedText(refused_results, colors),
    goal.detail === undefined ? '' : `\n${colors.bold('Detail')}\n${indented(goal.detail)}`,
  ].join('');
}

function doneWhen({ acceptance = [] }: NumberedGoal, colors: Colors): string {
  if (acceptance.length === 0) return '';
  const lines = acceptance.map((criterion) => `  - ${oneLine(criterion)}\n`);
  return `\n${colors.bold('Done when')}\n${lines.join('')}`;
}

function section(title: string, goals: readonly NumberedGoal[], colors: Colors): string {
  if (goals.length === 0) return '';
  return `\n${colors.bold(title)}\n${goals.map((goal) => `  ${named(goal)} ${colors.dim(`[${goal.status}]`)}\n`).join('')}`;
}

function named({ number, id, description }: NumberedGoal): string {
  return `${number === '' ? id : number} ${oneLine(description)}`;
}

function digestText({ summary, key_decisions, artifacts }: NonNullable<NumberedGoal['digest']>): string {
  return [
    summary,
    ...key_decisions.map((decision) => `- ${decision}`),
    ...artifacts.map((artifact) => `* ${artifact}`),
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
      const head = `Refused result of ${oneLine(by)}, ${oneLine(at)}`;
      return `\n${colors.bold(head)}\n  ${colors.red(oneLine(reason))}\n${indented(lines.join('\n'))}`;
    })
    .join('');
}

function indented(body: string): string {
  return `${printable(body).replaceAll(/^/gm, '  ')}\n`;
}
