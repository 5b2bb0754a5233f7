import { pathFrom } from '../../../cli/shared/path-from.js';
import { foldLine } from '../../../kernel/text/fold-lines.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { textOfJson } from '../../../kernel/json/json-text.js';
import { isJsonValue } from '../../../kernel/json/json-value.js';
import { legible, legibleJson } from '../../../kernel/text/legible.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Colors } from '../../../cli/terminal.js';
import { endText, localTime } from '../../../cli/render/parts/times.js';
import { countsText, STATE_WORDS } from './run-words.js';
import { argumentsInRun, runPart, stepSymbol, toolTextInRun } from './run-colors.js';

type Shown = ResultOf<'runs show'>;
type Step = Shown['steps'][number];
type Lines = readonly (readonly LinePart[])[];

/** Shows a run to somebody who was not there: how far it is, what happened, what is unknown, and what can be done. */
export const runShown: RendererOf<OperationNamed<'runs show'>> = {
  render(run, { terminal: { colors, columns = Infinity }, folder }) {
    const parts: readonly Lines[] = [
      headLines(run, folder, colors),
      [['Steps:'], ...run.steps.map((step) => ['  ', ...stepParts(step, run.status, colors)])],
      outputLines(run),
      waitingLines(run, colors),
      unknownLines(run, colors),
      listed(
        'What does not hold',
        run.checks.map(
          ({ step, kind, detail }) =>
            `${kind}${step === null ? '' : ` of ${legible(step)}`}: ${toolTextInRun(detail)}`,
        ),
      ),
      listed('Parts of the log that cannot be read', run.damage.map(toolTextInRun)),
      [
        ['What can be done:'],
        ...run.next.flatMap(({ command, does }) => [[`  ${command}`], [`    ${does}`]]),
      ],
    ];
    return `${parts
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.flatMap((line) => foldLine(line, columns)).join('\n'))
      .join('\n\n')}\n`;
  },
};

function headLines(run: Shown, folder: string, colors: Colors): Lines {
  const { failed, reason, goal, plan_goal, approvals } = run;
  const where = failed === null ? '' : ` at ${legible(failed)}`;
  const why = reason === null ? '' : `: ${toolTextInRun(reason)}`;
  const open = run.status === 'prepared' || run.status === 'approved';
  return [
    [`${run.run} `, runPart(run.status, colors, run.requires_approval), `${where}${why}${shortfall(run)}`],
    [
      `  Plan:      ${legible(run.source === null ? 'standard input' : pathFrom(folder, run.source))}  `,
      { text: run.digest.slice(0, 19), paint: colors.dim },
    ],
    ...(plan_goal === null ? [] : [[`  To do:     ${toolTextInRun(plan_goal)}`]]),
    ...(goal === null ? [] : [[`  Goal:      ${goal}`]]),
    [`  Workspace: ${legible(run.workspace)}`],
    [
      `  Prepared:  ${localTime(run.prepared_at)} by ${legible(run.prepared_by)}${open ? `, until ${endText(run.expires_at)}` : ''}`,
    ],
    ...approvals.map(({ scope, by, at, via }) => [
      `  Approved:  ${localTime(at)} by ${legible(by)} (${via})${scope === 'run' ? '' : `, ${legible(scope)}`}`,
    ]),
    ...(approvals.length === 0 && !run.requires_approval ? [['  Approved:  nobody had to agree']] : []),
    ...processLine(run),
    ...(run.workers ? [['  Left to:   workers']] : []),
    ...(run.ended_at === null ? [] : [[`  Ended:     ${localTime(run.ended_at)}`]]),
  ];
}

/** What a run that succeeded has not done, or not as it was meant. */
function shortfall({ status, steps, counts }: Shown): string {
  if (status !== 'succeeded') return '';
  const parts = [
    ...(counts.skipped === undefined ? [] : [`${counts.skipped} skipped, see below`]),
    ...(steps.some(({ recovered }) => recovered) ? ['a fallback did the work of another step'] : []),
  ];
  return parts.length === 0 ? '' : `; ${parts.join('; ')}`;
}

function processLine({ executor, status }: Shown): Lines {
  if (executor === null) return [];
  const { pid, host, since } = executor;
  const gone = status === 'interrupted' ? ', which is gone' : '';
  return [[`  Begun:     ${localTime(since)} by process ${pid} on ${legible(host)}${gone}`]];
}

function stepParts(step: Step, status: Shown['status'], colors: Colors): readonly LinePart[] {
  const { state, attempts, error, skipped_because, recovered, settled, items, waits } = step;
  const notes = [
    state === 'started' && status !== 'running' ? 'begun, and not over' : STATE_WORDS[state],
    ...(waits === null ? [] : [toolTextInRun(waits)]),
    ...(items === null ? [] : [`items: ${countsText(items)}`]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(recovered ? ['by its fallback'] : []),
    ...(settled === null || settled === 'idempotent'
      ? []
      : [settled === 'person' ? 'a person said so' : 'its verification said so']),
    ...(skipped_because === null ? [] : [whySkipped(skipped_because)]),
    ...(error === null || state === 'succeeded' ? [] : [toolTextInRun(error.message)]),
  ];
  const name = step.title === null ? '' : `  ${toolTextInRun(step.title)}`;
  const tool = step.tool === null ? '' : ` (${legible(step.tool)})`;
  return [stepSymbol(state, colors), ` ${legible(step.step)}${tool}${name}: ${notes.join('; ')}`];
}

const SKIPPED: Readonly<Record<string, string>> = {
  on_error: 'it failed, and the plan goes on without it',
  precondition: 'its precondition did not hold',
  dependency: 'what it needs did not succeed',
  person: 'a person said so',
};

/** @param because a cause, with the step that it is about after a colon */
function whySkipped(because: string): string {
  const [cause = '', of] = because.split(': ', 2);
  return of === undefined ? (SKIPPED[cause] ?? legible(cause)) : `it needs ${legible(of)}`;
}

/** What steps brought, each on a line. */
function outputLines({ outputs }: Shown): Lines {
  if (outputs === undefined) return [];
  const lines = Object.entries(outputs).map(([step, value]) => [`  ${legible(step)}: ${outputText(value)}`]);
  return [['What its steps brought:'], ...(lines.length === 0 ? [['  nothing yet']] : lines)];
}

/** An output for people: as JSON, its end left out where it is long. */
function outputText(value: unknown): string {
  return truncate(legibleJson(isJsonValue(value) ? textOfJson(value) : JSON.stringify(value)), MOST_OUTPUT);
}

/** Columns of an output. */
const MOST_OUTPUT = 2000;

/** What is asked of a person, and about which call. */
function waitingLines({ waiting, unknown }: Shown, colors: Colors): Lines {
  const asked = waiting.filter(({ step }) => unknown.every((one) => one.step !== step));
  if (asked.length === 0) return [];
  return [
    [{ text: 'It waits for a person:', paint: colors.yellow }],
    ...asked.flatMap(({ summary, args }) => [
      [`  - ${toolTextInRun(summary)}`],
      ...callLine('would be', args ?? null),
    ]),
  ];
}

function callLine(verb: string, args: Readonly<Record<string, unknown>> | null): Lines {
  return args === null ? [] : [[`    It ${verb} called with ${argumentsInRun(args)}`]];
}

/** What nobody knows: what acts once is for a person to find out, the rest is called again. */
function unknownLines({ unknown, ended_at }: Shown, colors: Colors): Lines {
  const acting = unknown.filter(({ effects }) => effects === 'once' || ended_at !== null);
  const again = unknown.filter((one) => !acting.includes(one));
  const advice =
    ended_at === null
      ? 'Check whether each took effect, then record it; nothing is repeated by itself.'
      : 'Check whether it took effect before you do it again.';
  return [
    ...(acting.length === 0
      ? []
      : [
          [{ text: 'Nobody knows whether these took effect:', paint: colors.yellow }],
          ...acting.flatMap((one) => [[unknownLine(one)], ...callLine('was', one.args)]),
          [`  ${advice}`],
        ]),
    ...(again.length === 0
      ? []
      : [
          ['These were interrupted, and can be repeated without harm:'],
          ...again.map((one) => [unknownLine(one)]),
        ]),
  ];
}

function unknownLine({ step, tool, started_at, error }: Shown['unknown'][number]): string {
  const when = started_at === null ? '' : ` was called at ${localTime(started_at, { seconds: true })}`;
  const why =
    error === null ? 'and the process that called it ended before it knew' : toolTextInRun(error.message);
  return `  - ${legible(step)} (${legible(tool ?? '')})${when}, ${why}`;
}

function listed(title: string, lines: readonly string[]): Lines {
  return lines.length === 0 ? [] : [[`${title}:`], ...lines.map((line) => [`  - ${line}`])];
}
