import { firstOf } from '../../../kernel/text/first-of.js';
import { legible, legibleLine } from '../../../kernel/text/legible.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import type { RendererOf } from '../../../cli/renderer.js';
import { goalShown } from '../operations/goal-number.js';
import type { OperationNamed, ResultOf } from '../registry.js';

const GONE = 'its goal is gone from the plan';

/** Lists attempts, and the commands that decide about those that wait. */
export const attemptsList: RendererOf<OperationNamed<'attempts list'>> = {
  render: async ({ attempts, lost }) => {
    const none = attempts.length === 0 ? 'No attempt is under way or waits.\n' : '';
    const left = lost.map(
      ({ goal, ref }) =>
        `${goal}  lost: its record cannot be read${ref === null ? '' : `; what was made is kept as ${ref}`} (\`plan doctor\`)\n`,
    );
    return Promise.resolve([none, ...attempts.map(lines), ...left].join(''));
  },
};

/** Says what became of what was accepted. */
export const attemptsAccept: RendererOf<OperationNamed<'attempts accept'>> = {
  render: async (decided) => Promise.resolve(decidedText(decided)),
};

/** Says that something was given up. */
export const attemptsReject: RendererOf<OperationNamed<'attempts reject'>> = {
  render: async (decided) => Promise.resolve(decidedText(decided)),
};

/** Shows an attempt: what is known of it, the end of its output, and its patch. */
export const attemptsShow: RendererOf<OperationNamed<'attempts show'>> = {
  render: async (attempt) => {
    const { step, failures, summary, log, diff, is_whole: isWhole, cost_usd: cost, seconds } = attempt;
    const spent = `${Math.round(seconds)} s, ${cost === null ? 'cost unknown' : `$${cost.toFixed(2)}`}`;
    const parts = [
      `${lines(attempt)}  Step:    ${step} (${spent})\n  Tree:    ${legible(attempt.tree)}\n`,
      ...(summary === null ? [] : [`The agent says:\n${block(summary)}`]),
      ...failures.map((failure, index) => `Failure ${index + 1}:\n${block(failure)}`),
      ...(log === '' ? [] : [`The end of its output:\n${block(log)}`]),
      ...(diff === null
        ? []
        : [`${block(diff)}${isWhole ? '' : 'The patch goes on; `git show` shows all of it.\n'}`]),
    ];
    return Promise.resolve(parts.join('\n'));
  },
};

/** Says what is still finished. */
export const attemptsPause: RendererOf<OperationNamed<'attempts pause'>> = {
  render: async ({ running }) =>
    Promise.resolve(
      running.length === 0
        ? 'No agent is at work.\n'
        : `Nothing more is begun; at work until they are done: ${running.join(', ')}\n`,
    ),
};

/** Says what was removed. */
export const attemptsClean: RendererOf<OperationNamed<'attempts clean'>> = {
  render: async ({ cleaned }) => {
    const removed = cleaned.map(
      ({ goal, number, removed: what, commit }) =>
        `${goalShown({ goal, number })}  ${what === 'trees' ? 'waits on, its files removed' : 'given up'}${commit === null ? '' : `; its commit is ${commit.slice(0, 10)}`}\n`,
    );
    const none = 'There is nothing to remove. `plan attempts clean GOAL` gives an interrupted attempt up.\n';
    return Promise.resolve(removed.length === 0 ? none : removed.join(''));
  },
};

/** Lines of others, each as it can be read. */
function block(text: string): string {
  return `${text.trimEnd().split('\n').map(legibleLine).join('\n')}\n`;
}

function lines(attempt: ResultOf<'attempts list'>['attempts'][number]): string {
  const { goal, number, agent, state, try: tryNumber, reason, commit, files } = attempt;
  const reasons = [
    ...(number === null ? [GONE] : []),
    ...(reason === null ? [] : [legible(oneLine(reason))]),
  ];
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  const head = `${goalShown(attempt)}  ${state}  (${agent}, try ${tryNumber})${why}\n`;
  if (state !== 'waiting' || commit === null) return head;
  const shown = commit.slice(0, 10);
  // By their ids: a number may stand for another goal when the command is given.
  const land = number === null ? '' : `  Land:    plan attempts accept ${goal} --commit ${shown}\n`;
  return `${head}  Files:   ${legible(firstOf(files))}\n  Look:    plan attempts show ${goal}\n${land}  Give up: plan attempts reject ${goal}\n`;
}

function decidedText({
  goal,
  number,
  outcome,
  commit,
  reason,
}: ResultOf<'attempts accept' | 'attempts reject'>): string {
  const what = commit === null ? '' : ` ${commit.slice(0, 10)}`;
  return `${goalShown({ goal, number })}  ${outcome}${what}${reason === null ? '' : `: ${legible(oneLine(reason))}`}\n`;
}
