import { legible } from '../../../kernel/text/legible.js';
import { oneLine, printable } from '../../../kernel/text/safe-text.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import { prepareLine } from '../parts/prepare-line.js';
import { renderLinked } from './dependencies.js';
import { answerForm } from './answer-form.js';

interface Shown {
  /** What is asked about. */
  readonly plan?: string | undefined;
  readonly tools?: string | undefined;
  readonly by?: string | undefined;
}

type StoredDigest = NonNullable<ResultOf<'answer'>['digests']>[number];

type Questions = Pick<ResultOf<'answer'>, 'questions' | 'left'> & { readonly held?: number | undefined };

/** Shows questions as text that an agent can read: how to answer once, then a message for each goal. */
export const ask: RendererOf<OperationNamed<'ask'>> = {
  render: (report, { terminal, input }) =>
    renderQuestions(report, terminal.colors, { input, explained: true }),
};

/** Says what was stored and what was not, and shows the next questions; how to answer is known by then. */
export const answer: RendererOf<OperationNamed<'answer'>> = {
  render(
    { stored, refused, warnings, action_plans: kept = [], digests = [], links = [], ...next },
    { terminal, input },
  ) {
    const { colors } = terminal;
    for (const { goal, code, message } of refused)
      terminal.tell(`${goal ?? 'an answer without a goal'} (${code}): ${message}`, { label: 'refused' });
    for (const { message } of warnings) terminal.tell(message, { label: 'warning' });
    for (const stored of digests) terminal.tell(digestTold(stored));
    const changed = links.map((each) => renderLinked(each, colors)).join('');
    const done = `${colors.bold(`Stored ${quantityOf(stored.length, 'answer')}.`)}\n${changed}`;
    const plans = kept.map(({ id, file }) => keptLines(id, file, input.tools)).join('');
    if (kept.length > 0 && next.left === 0) return `${done}${plans}`;
    return `${done}${plans}${renderQuestions(next, colors, { input, explained: false })}`;
  },
};

/** The digest that is there, by whom it is, and why it is not what was sent. */
function digestTold({ goal, digest, made_by, reason }: StoredDigest): string {
  const whose = { answer: 'yours', extraction: 'sentences of what was submitted', before: 'as it was' };
  const why = reason === null ? '' : ` (${oneLine(reason)})`;
  return `The digest of ${goal} is ${whose[made_by]}${why}: ${oneLine(digest.summary)}`;
}

/** Where an action plan is kept, and the command that goes on with it. */
function keptLines(id: string, file: string | null, tools: string | undefined): string {
  return `Stored as ${id}${file === null ? '' : ` in ${legible(file)}`}.\n${prepareLine(id, tools)}`;
}

function renderQuestions(
  { questions, left, held = 0 }: Questions,
  colors: Colors,
  { input, explained }: { readonly input: Shown; readonly explained: boolean },
): string {
  if (left === 0) return 'Nothing is left to answer.\n';
  const [first] = questions;
  if (first === undefined)
    return held === 0
      ? `${quantityOf(left, 'question')} left; \`plan ask\` shows them.\n`
      : `${quantityOf(left, 'question')} left, and others have them just now; ask again in a minute.\n`;
  const [how] = first.messages;
  const asked = questions.map(
    ({ goal, number, messages, kind, schema }) =>
      `${colors.bold(`Goal ${goal}`)}${number === '' ? '' : ` (${number})`}\n${printable(messages.at(-1)?.content ?? '').trim()}\n${kind === 'expand' ? '' : `\nAnswer:\n${JSON.stringify(answerForm(schema), null, 2)}\n`}`,
  );
  const form = first.kind === 'expand' ? FORM : 'the object above, or {"answers":[…]} for several at once.';
  return [
    ...(explained ? [`${printable(how?.content ?? '').trim()}\n`] : []),
    ...asked,
    `${quantityOf(left, 'question')} left. Answer with \`${answerCommand(input)}\`: ${form}\n`,
  ].join('\n');
}

/** The command that stores answers to what was asked so. */
function answerCommand({ plan, tools, by }: Shown): string {
  return [
    'plan answer',
    ...(plan === undefined ? [] : [shellWord(plan)]),
    '--from -',
    ...(tools === undefined ? [] : [`--tools ${shellWord(tools)}`]),
    ...(by === undefined ? [] : [`--by ${shellWord(by)}`]),
  ].join(' ');
}

/** The object of the system prompt for each goal, with the goal beside it. */
const FORM =
  'the object for each goal, with "goal" beside it:\n{"answers":[{"goal":"…","reasoning":"…","atomic":false,"decisions":[{"what":"…","choice":"…"}],"sub_goals":[{"description":"…","reasoning":"…","atomic":true,"acceptance":["…"],"size":"S","touches":["…"],"depends_on":[1]}]}]}';
