import { oneLine, printable } from '../../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { counted } from '../parts/numbers.js';

type Questions = Pick<ResultOf<'answer'>, 'questions' | 'left'> & { readonly held?: number | undefined };

/** Shows questions as text that an agent can read: how to answer once, then a message for each goal. */
export const ask: RendererOf<OperationNamed<'ask'>> = {
  render: (report, { terminal }) => renderQuestions(report, terminal.colors, true),
};

/** Says what was stored and what was not, and shows the next questions; how to answer is known by then. */
export const answer: RendererOf<OperationNamed<'answer'>> = {
  render({ stored, refused, warnings, ...next }, { terminal }) {
    const { colors, errorColors } = terminal;
    for (const { goal, code, message } of refused)
      terminal.error(
        `${errorColors.red('refused:')} ${oneLine(goal ?? 'an answer without a goal')} (${code}): ${oneLine(message)}\n`,
      );
    for (const { message } of warnings)
      terminal.error(`${errorColors.yellow('warning:')} ${oneLine(message)}\n`);
    return `${colors.bold(`Stored ${counted(stored.length, 'answer')}.`)}\n${renderQuestions(next, colors, false)}`;
  },
};

function renderQuestions(
  { questions, left, held = 0 }: Questions,
  colors: Colors,
  explained: boolean,
): string {
  if (left === 0) return 'Nothing is left to answer.\n';
  const [first] = questions;
  if (first === undefined)
    return held === 0
      ? `${counted(left, 'question')} left; \`plan ask\` shows them.\n`
      : `${counted(left, 'question')} left, and others have them just now; ask again in a minute.\n`;
  const [how] = first.messages;
  const asked = questions.map(
    ({ goal, number, messages }) =>
      `${colors.bold(`Goal ${goal}`)}${number === '' ? '' : ` (${number})`}\n${printable(messages.at(-1)?.content ?? '').trim()}\n`,
  );
  return [
    ...(explained ? [`${printable(how?.content ?? '').trim()}\n`] : []),
    ...asked,
    `${counted(left, 'question')} left. Answer with \`plan answer --from -\`: ${FORM}\n`,
  ].join('\n');
}

const FORM =
  '{"answers":[{"goal":"…","reasoning":"…","atomic":false,"sub_goals":[{"description":"…","atomic":true,"depends_on":[1]}]}]}';
