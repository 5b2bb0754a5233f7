import { PlanError } from '../../kernel/errors.js';

const BEGIN = '<!-- frctl:begin -->';
const END = '<!-- frctl:end -->';
const MARKER = /<!-- frctl:(?:begin|end) -->/g;

/**
 * A text with the part between the markers replaced, or added at its end where it has none.
 * @throws PlanError INVALID_INPUT for markers that are no pair, as what is between them may be somebody’s own
 */
export function withMarkedPart(text: string, part: string, file: string): string {
  const marked = `${BEGIN}\n${part.trim()}\n${END}`;
  const [first, second, ...more] = Array.from(text.matchAll(MARKER), ({ 0: marker, index }) => ({
    marker,
    index,
  }));
  if (first === undefined) {
    const before = text.trimEnd();
    return `${before === '' ? '' : `${before}\n\n`}${marked}\n`;
  }
  if (first.marker === END || second?.marker !== END || more.length > 0) {
    const isPair = first.marker !== END && second?.marker === END;
    const odd = isPair ? (more[0] ?? first) : first;
    throw noPair(file, odd.marker, text.slice(0, odd.index).split('\n').length);
  }
  return `${text.slice(0, first.index)}${marked}${text.slice(second.index + END.length)}`;
}

function noPair(file: string, marker: string, line: number): PlanError {
  return new PlanError(
    'INVALID_INPUT',
    `${file} has ${marker} at line ${line} without the other marker of the pair, or a second time; nothing was written`,
    {
      hint: [`Leave one ${BEGIN} and one ${END} below it, around nothing of your own, or neither.`],
      details: { file, line },
    },
  );
}
