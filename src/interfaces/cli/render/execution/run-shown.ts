import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { endText, localTime } from '../parts/times.js';
import { countsText, stepMark, runText, STATE_WORDS } from './run-words.js';

type Shown = ResultOf<'runs show'>;
type Step = Shown['steps'][number];

/** Shows a run to somebody who was not there: how far it is, what happened, what is unknown, and what can be done. */
export const runShown: RendererOf<OperationNamed<'runs show'>> = {
  render(run, { terminal: { colors } }) {
    const parts = [
      headLines(run, colors),
      ['Steps:', ...run.steps.map((step) => `  ${stepLine(step, colors)}`)],
      unknownLines(run, colors),
      listed(
        'What does not hold',
        run.checks.map(
          ({ step, kind, detail }) =>
            `${kind}${step === null ? '' : ` of ${oneLine(step)}`}: ${oneLine(detail)}`,
        ),
      ),
      listed('What in the log cannot be read', run.damage.map(oneLine)),
      [
        'What can be done:',
        ...run.next.map(({ command, does }) => `  ${oneLine(command)}\n    ${oneLine(does)}`),
      ],
    ];
    return `${parts
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n')}\n`;
  },
};

function headLines(run: Shown, colors: Colors): readonly string[] {
  const { failed, reason, goal, executor, approvals } = run;
  const where = failed === null ? '' : ` at ${oneLine(failed)}`;
  const why = reason === null ? '' : `: ${oneLine(reason)}`;
  const open = run.status === 'prepared' || run.status === 'approved';
  return [
    `${run.run} ${runText(run.status, colors, run.requires_approval)}${where}${why}`,
    `  Plan:      ${oneLine(run.source ?? 'standard input')}  ${colors.dim(run.digest.slice(0, 19))}`,
    ...(goal === null ? [] : [`  Goal:      ${goal}`]),
    `  Workspace: ${oneLine(run.workspace)}`,
    `  Prepared:  ${localTime(run.prepared_at)} by ${oneLine(run.prepared_by)}${open ? `, until ${endText(run.expires_at)}` : ''}`,
    ...approvals.map(
      ({ scope, by, at, via }) =>
        `  Approved:  ${localTime(at)} by ${oneLine(by)} (${via})${scope === 'run' ? '' : `, ${oneLine(scope)}`}`,
    ),
    ...(executor === null
      ? []
      : [
          `  ${run.status === 'running' ? 'Running:  ' : 'Last run: '} since ${localTime(executor.since)}, process ${executor.pid} on ${oneLine(executor.host)}`,
        ]),
    ...(run.ended_at === null ? [] : [`  Ended:     ${localTime(run.ended_at)}`]),
  ];
}

function stepLine(step: Step, colors: Colors): string {
  const { state, attempts, error, skipped_because, recovered, settled, items } = step;
  const notes = [
    STATE_WORDS[state],
    ...(items === null ? [] : [`items: ${countsText(items)}`]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(recovered ? ['by its fallback'] : []),
    ...(settled === null || settled === 'idempotent'
      ? []
      : [settled === 'person' ? 'a person said so' : 'its verification said so']),
    ...(skipped_because === null ? [] : [oneLine(skipped_because.replace('_', ' '))]),
    ...(error === null || state === 'succeeded' ? [] : [oneLine(error.message)]),
  ];
  const name = step.title === null ? '' : `  ${oneLine(step.title)}`;
  const tool = step.tool === null ? '' : ` (${oneLine(step.tool)})`;
  return `${stepMark(state, colors)} ${oneLine(step.step)}${tool}${name}: ${notes.join('; ')}`;
}

function unknownLines({ unknown }: Shown, colors: Colors): readonly string[] {
  if (unknown.length === 0) return [];
  return [
    colors.yellow('Nobody knows whether these took effect:'),
    ...unknown.map(({ step, tool, started_at, error }) => {
      const when = started_at === null ? '' : ` was called at ${localTime(started_at, { seconds: true })}`;
      const why =
        error === null ? 'and the process that called it ended before it knew' : oneLine(error.message);
      return `  ${oneLine(step)} (${oneLine(tool ?? '')})${when}, ${why}`;
    }),
    '  Look where it should have taken effect, then say it; nothing is done again by itself.',
  ];
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}
