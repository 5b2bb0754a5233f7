import { widthToBreakAt } from '../../../kernel/text/break-line.js';
import { foldLine } from '../../../kernel/text/fold-lines.js';
import { legible } from '../../../kernel/text/legible.js';
import type { OperationNamed, ResultOf } from '../registry.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { Terminal } from '../../../cli/terminal.js';
import { pathFrom } from '../../../cli/shared/path-from.js';
import { shortenPath } from '../../../cli/render/parts/paths.js';
import { warnOfProblems } from '../../../cli/render/parts/problems.js';
import { localTime, relativeTime } from '../../../cli/render/parts/times.js';
import { progressText, runWord, STATE_WORDS } from './run-words.js';
import { stepSymbol, runText, toolTextInRun } from './run-colors.js';

/** Shows every run, a line each. */
export const runsList: RendererOf<OperationNamed<'runs list'>> = {
  remark({ problems }, { terminal }) {
    warnOfProblems(
      problems.map(({ run, message }) => `${run}: ${message}`),
      terminal,
    );
  },
  render({ runs }, { terminal, folder }) {
    if (runs.length === 0) terminal.tell('No runs. `plan prepare <action-plan>` makes one.');
    return runs.map((run) => `${runLine(run, terminal, folder)}\n`).join('');
  },
};

/** A line that is not broken where nobody says how wide it may be. */
const COLUMNS = 80;
/** The plan has a line of its own rather than less room than this. */
const LEAST_ROOM = 20;

/** What a run is and how far, and the end of the path of its plan, as there is room. */
function runLine(
  {
    run,
    status,
    source,
    counts,
    parts,
    prepared_at,
    requires_approval,
    workers,
  }: ResultOf<'runs list'>['runs'][number],
  { colors, columns = COLUMNS }: Terminal,
  folder: string,
): string {
  const began = Object.keys(counts).length > 0;
  const left = workers && status !== 'running' ? ['left to workers'] : [];
  const plain = [run, runWord(status, requires_approval), ...left, ...(began ? [progressText(parts)] : [])];
  const when = relativeTime(prepared_at);
  const used = widthToBreakAt([...plain, when].join('  ')) + 2;
  const room = columns - used >= LEAST_ROOM ? columns - used : Math.max(LEAST_ROOM, columns - run.length - 2);
  const path = shortenPath(legible(source === null ? 'standard input' : pathFrom(folder, source)), room);
  return [run, runText(status, colors, requires_approval), ...plain.slice(2), colors.dim(when), path].join(
    '  ',
  );
}

/** Shows every event of a run, a line each. */
export const runsLog: RendererOf<OperationNamed<'runs log'>> = {
  remark({ damage }, { terminal }) {
    for (const one of damage) terminal.tell(`cannot be read: ${one}`, { label: 'warning' });
  },
  render({ events }, { terminal: { colors, columns = Infinity } }) {
    return events
      .flatMap(({ at, by, text, refused }) => {
        const trouble = refused === null ? '' : `  refused: ${toolTextInRun(refused)}`;
        const time = { text: localTime(at, { seconds: true }), paint: colors.dim };
        const words = `  ${legible(by)}  ${toolTextInRun(text)}`;
        return foldLine([time, words, { text: trouble, paint: colors.red }], columns);
      })
      .map((line) => `${line}\n`)
      .join('');
  },
};

/** Says what an outcome counts as now. */
export const runsSettle: RendererOf<OperationNamed<'runs settle'>> = {
  render: ({ step, next }, { terminal: { colors, columns = Infinity } }) =>
    [
      ...foldLine(
        [stepSymbol(step.state, colors), ` ${legible(step.step)}: ${STATE_WORDS[step.state]}`],
        columns,
      ),
      ...foldLine([`Go on:  ${next}`], columns),
      '',
    ].join('\n'),
};

/** Says what becomes of a run that is to be paused. */
export const runsPause: RendererOf<OperationNamed<'runs pause'>> = {
  render({ run, status }) {
    const under = status === 'running' ? ' What is under way ends.' : '';
    return `Nothing more of ${run} is begun.${under}\nGo on:  plan run ${run}\n`;
  },
};

/** Says that a run was given a signal. */
export const runsSignal: RendererOf<OperationNamed<'runs signal'>> = {
  render({ run, key, given, awaited }) {
    const said = `${run} ${given ? 'was given' : 'has had'} the signal ${legible(key)}${given ? '' : ' before'}.\n`;
    return awaited ? said : `${said}No step of its plan waits for it by this key.\n`;
  },
};

/** Says which runs were removed. */
export const runsPrune: RendererOf<OperationNamed<'runs prune'>> = {
  render({ removed, kept }, { input }) {
    const verb = input.dryRun === true ? 'Would remove' : 'Removed';
    const age = legible(input.olderThan ?? '30 days');
    const why =
      kept === 0 || (input.runs ?? []).length > 0
        ? ''
        : ` Only runs that are over, and have been for ${age}, are removed; \`plan runs prune RUN\` removes one at once.`;
    return `${removed.map((run) => `${verb} ${run}\n`).join('')}${verb} ${removed.length}, kept ${kept}.${why}\n`;
  },
};

/** Says that a run is over, and what nobody knows of it. */
export const aborted: RendererOf<OperationNamed<'abort'>> = {
  render({ run, status, unknown, parts }, { terminal: { colors } }) {
    const lines = [
      `${run} ${runText(status, colors)} (${progressText(parts)})`,
      ...unknown.map((step) => colors.yellow(`  nobody knows whether ${legible(step)} took effect`)),
    ];
    return `${lines.join('\n')}\n`;
  },
};
