import { legible } from '../../../kernel/text/legible.js';
import { oneLine } from '../../../kernel/text/safe-text.js';
import type { RendererOf } from '../../../cli/renderer.js';
import type { OperationNamed, ResultOf } from '../registry.js';

/** Lists attempts, and the commands that decide about those that wait. */
export const attemptsList: RendererOf<OperationNamed<'attempts list'>> = {
  render: async ({ attempts }) =>
    Promise.resolve(
      attempts.length === 0 ? 'No attempt is under way or waits.\n' : attempts.map(lines).join(''),
    ),
};

/** Says what became of what was accepted. */
export const attemptsAccept: RendererOf<OperationNamed<'attempts accept'>> = {
  render: async (decided) => Promise.resolve(decidedText(decided)),
};

/** Says that something was given up. */
export const attemptsReject: RendererOf<OperationNamed<'attempts reject'>> = {
  render: async (decided) => Promise.resolve(decidedText(decided)),
};

function lines(attempt: ResultOf<'attempts list'>['attempts'][number]): string {
  const { number, agent, state, try: tryNumber, reason, commit, files } = attempt;
  const why = reason === null ? '' : `: ${legible(oneLine(reason))}`;
  const head = `${number}  ${state}  (${agent}, try ${tryNumber})${why}\n`;
  if (state !== 'waiting' || commit === null) return head;
  const shown = commit.slice(0, 10);
  return `${head}  Files:   ${legible(files.slice(0, 10).join(', '))}\n  Look:    git show ${shown}\n  Land:    plan attempts accept ${number} --commit ${shown}\n  Give up: plan attempts reject ${number}\n`;
}

function decidedText({
  number,
  outcome,
  commit,
  reason,
}: ResultOf<'attempts accept' | 'attempts reject'>): string {
  const what = commit === null ? '' : ` ${commit.slice(0, 10)}`;
  return `${number}  ${outcome}${what}${reason === null ? '' : `: ${legible(oneLine(reason))}`}\n`;
}
