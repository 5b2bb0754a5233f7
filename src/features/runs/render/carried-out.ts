import { foldLine } from '../../../kernel/text/fold-lines.js';
import type { LinePart } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import { libraryOf } from '../../../operations/library.js';
import { runs } from '../registry.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import { canAsk } from '../../../cli/confirm.js';
import type { RendererOf, View } from '../../../cli/renderer.js';
import type { Colors } from '../../../cli/terminal.js';
import { renderCompletion } from '../../../cli/render/parts/completed-goals.js';
import { goalLine } from '../../../cli/render/parts/goal-lines.js';
import { typedGoal } from '../../../cli/render/parts/typed-goal.js';
import { watchRun } from './watch-run.js';
import { progressText } from './run-words.js';
import { runPart, toolTextInRun } from './run-colors.js';

/** Says what carrying out a run came to, and what is to be done where it is not over. */
export const carriedOut: RendererOf<OperationNamed<'run'>> = {
  async ask(input, { terminal, json }) {
    return canAsk(terminal, json) && input.workers !== true ? { ...input, inPlace: true } : input;
  },
  watch: watchRun,
  async render(report, { terminal: { colors, columns = Infinity }, context, workspace }) {
    const { run, status, parts, failed, reason, waiting, warnings, workers, completion } = report;
    if (workers) return leftToWorkers(report, context);
    const why = failed === null ? '' : ` at ${legible(failed)}`;
    const because = reason === null ? '' : `: ${toolTextInRun(reason)}`;
    const told: readonly (readonly LinePart[])[] = [
      [`${run} `, runPart(status, colors), `${why}${because} (${progressText(parts)})`],
      ...warnings.map((text) => ['  - ', { text: toolTextInRun(text), paint: colors.yellow }]),
      ...doneLines(report),
      ...waiting.flatMap(({ summary, commands, code }) => [
        [`Asked: ${toolTextInRun(summary)}`],
        ...(code === undefined ? [] : [[`  Code: ${code}`]]),
        ...commands.map((command) => [`  ${command}`]),
      ]),
    ];
    const lines = [
      ...told.flatMap((line) => foldLine(line, columns)),
      ...(waiting.length > 0 || status === 'interrupted' ? [`Then go on:  plan run ${run}`] : []),
      ...(status === 'failed' ? [`What happened:  plan runs show ${run}`] : []),
      ...(await goalLines(report, workspace, colors)),
    ];
    return `${lines.join('\n')}\n${completion === null ? '' : renderCompletion(completion, colors)}`;
  },
};

const DONE = { created: 'Created', changed: 'Changed', removed: 'Removed', ran: 'Ran' } as const;
/** As many names as anybody reads. */
const MOST_NAMED = 20;

/** What the run has done, as far as its plan wants it shown. */
function doneLines({ done, presented }: ResultOf<'run'>): readonly (readonly LinePart[])[] {
  return (['created', 'changed', 'removed', 'ran'] as const).flatMap((kind) => {
    const names = presented.has(kind) ? done[kind] : [];
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    const shown = names.slice(0, MOST_NAMED).map((name) => legible(name));
    return names.length === 0 ? [] : [[`  ${DONE[kind]}: ${shown.join(', ')}${more}`]];
  });
}

/** A run that is left to workers goes no further before one is there, and where its workspace is. */
async function leftToWorkers({ run, parts }: ResultOf<'run'>, context: View['context']): Promise<string> {
  const { workspace: root } = await libraryOf(context, runs.operations).runs.show({ run });
  return [
    `${run} is left to workers (${progressText(parts)})`,
    `They carry it out:  plan worker  in ${legible(root)}`,
    `How far it is:      plan runs show ${run}\n`,
  ].join('\n');
}

/** Says of the goal that the run carries out, where it is still open, why, and the command that completes it. */
async function goalLines(
  { status, goal: id, completion, goal_refused: refused }: ResultOf<'run'>,
  workspace: View['workspace'],
  colors: Colors,
): Promise<readonly string[]> {
  const why =
    refused === null
      ? []
      : [colors.yellow(`Only the goal is not completed: ${toolTextInRun(refused.message)}`)];
  if (id === null || status !== 'succeeded' || completion !== null) return why;
  const found = await workspace.show(id).catch(() => null);
  if (found === null) return why;
  const { goal } = found;
  if (goal.status !== 'atomic') return why;
  return [
    ...why,
    `Still to do:  ${goalLine(goal)}`,
    `Complete it:  plan complete ${await typedGoal(goal, workspace)} --summary "…"`,
  ];
}
