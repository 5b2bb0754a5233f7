import { oneLine } from '../../../kernel/text/safe-text.js';
import { truncate } from '../../../kernel/text/truncate.js';
import type { OperationNamed, ResultOf } from '../../../operations/registry.js';
import type { RendererOf } from '../../renderer.js';
import type { Colors } from '../../terminal.js';
import { leadingName } from '../parts/leading-name.js';
import { groupedNumber, quantityOf } from '../../../kernel/text/quantity-of.js';

const SHOWN = 100;

/** Shows which lines of a document no goal covers and which goals no line asked for. */
export const coverage: RendererOf<OperationNamed<'coverage'>> = {
  render: (report, { terminal }) => renderCoverage(report, terminal.colors),
};

function renderCoverage(
  { file, lines, covered, uncovered, unasked }: ResultOf<'coverage'>,
  colors: Colors,
): string {
  const location = leadingName(file);
  const open = uncovered.flatMap(({ line, text, number, description, score }) => [
    `${colors.red(`${location}:${line}`)} ${shortened(text)}`,
    colors.dim(`    nearest: ${goalText(number, description)}${shareText(score, 'line')}`),
  ]);
  const extra = unasked.flatMap(({ number, description, below, line, text, score }) => [
    `${colors.yellow(number)} ${shortened(description)}${below === 0 ? '' : colors.dim(` and ${quantityOf(below, 'goal')} below`)}`,
    colors.dim(
      `    nearest: ${line === null ? 'no line' : `${location}:${line} ${shortened(text ?? '')}`}${shareText(score, 'goal')}`,
    ),
  ]);
  const all = [
    ...(open.length === 0 ? [] : [colors.bold('No goal covers'), ...open, '']),
    ...(extra.length === 0 ? [] : [colors.bold('No line asked for'), ...extra, '']),
    `${groupedNumber(covered)} of ${quantityOf(lines, 'line')} that ${lines === 1 ? 'needs' : 'need'} a goal ${covered === 1 ? 'is' : 'are'} covered.`,
    colors.dim(WHAT_COUNTS),
  ];
  return `${all.join('\n')}\n`;
}

/** Which lines need a goal, and when one is covered; the numbers are those of docs/commands.md. */
const WHAT_COUNTS =
  'List items, table rows and paragraphs need a goal. A goal covers a line if it has 60 % of the line’s words, or 40 % if it was made from that line.';

/** How many of the words of a line the nearest goal has, or of those of a goal the nearest line. */
function shareText(score: number, of: 'line' | 'goal'): string {
  return score === 0 ? ' (no word in common)' : ` (has ${Math.round(score * 100)} % of the ${of}’s words)`;
}

function goalText(number: string | null, description: string | null): string {
  if (description === null) return 'no goal';
  return `${number === '' ? 'root' : (number ?? '')} ${shortened(description)}`;
}

function shortened(text: string): string {
  return truncate(oneLine(text), SHOWN);
}
