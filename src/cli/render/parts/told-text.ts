import { CONTINUED, foldLine, foldLines } from '../../../kernel/text/fold-lines.js';

/** What paints a text for a terminal, or leaves it. */
type Colors = Readonly<Record<'red' | 'yellow' | 'cyan' | 'dim', (text: string) => string>>;

/** What a line on standard error begins with that is no news. */
export type Label =
  'error' | 'warning' | 'hint' | 'note' | 'refused' | 'contradiction' | 'repaired' | 'paused' | 'interrupted';

const PAINTS: Readonly<Record<Label, (colors: Colors) => (text: string) => string>> = {
  error: ({ red }) => red,
  refused: ({ red }) => red,
  warning: ({ yellow }) => yellow,
  contradiction: ({ yellow }) => yellow,
  paused: ({ yellow }) => yellow,
  interrupted: ({ yellow }) => yellow,
  repaired: ({ dim }) => dim,
  hint: ({ cyan }) => cyan,
  note: ({ dim }) => dim,
};

export interface Telling {
  readonly label?: Label | undefined;
  readonly isDim?: boolean | undefined;
}

/** What could be taken for a label of ours is not where a line begins. */
function withoutLabel(text: string): string {
  const word = /^[a-z]+(?=:)/.exec(text)?.[0];
  return word !== undefined && Object.hasOwn(PAINTS, word) ? `${CONTINUED}${text}` : text;
}

const LINE_END = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;
/** Words have at least so much room beside a label. */
const LEAST_ROOM = 16;

/**
 * What is said on standard error: a label, and words that may hold whatever somebody else has written. Only the label is
 * in the first column: what does not fit goes on below it, indented, and what comes after a line end begins with a bar.
 * @param columns of the terminal; undefined or 0 where lines are not broken
 */
export function toldText(
  text: string,
  { label, isDim = false }: Telling,
  colors: Colors,
  columns: number | undefined,
): string {
  const width = columns === undefined || columns <= 0 ? Infinity : columns;
  const [first = '', ...others] = text.trimEnd().split(LINE_END);
  const lead = label === undefined ? '' : `${label}:`;
  const aligned = lead.length + 1;
  const mark = ' '.repeat(label !== undefined && width - aligned >= LEAST_ROOM ? aligned : 2);
  const words = label === undefined ? withoutLabel(first) : ` ${first}`;
  const lines = [
    ...foldLine(
      [
        label === undefined ? lead : { text: lead, paint: PAINTS[label](colors) },
        isDim ? { text: words, paint: colors.dim } : words,
      ],
      width,
      mark,
    ),
    ...foldLines(
      others.map((line) => `${CONTINUED}${line}`),
      width,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
