import { cutToTokens, fitsTokens } from './cut-to-tokens.js';
import { countTokens } from '../spend/tokens.js';

/** A line of a list, and how much it matters: the least rank is kept longest. */
export interface RankedLine {
  readonly text: string;
  readonly rank: number;
}

/** A list as there was room for it. */
export interface FittedLines {
  readonly text: string;
  /** Whether anything is missing. */
  readonly cut: boolean;
  /** The places of the lines that are missing. */
  readonly missing: readonly number[];
}

/** No line is shorter than this, so no more of them need be looked at. */
const LEAST_LINE = 3;
const GAP = '…';

/**
 * The lines in their order, as many as fit: those that matter most, with a mark where others are missing.
 * @param most tokens of the whole, which are never exceeded
 * @param longestLine tokens that a line is shortened to where the list as a whole does not fit
 */
export async function fitLines(
  lines: readonly RankedLine[],
  most: number,
  longestLine: number,
): Promise<FittedLines> {
  const whole = lines.map(({ text }) => text).join('\n');
  if (await fitsTokens(whole, most)) return { text: whole, cut: false, missing: [] };
  const ranked = lines
    .map((line, position) => ({ ...line, position }))
    .toSorted((a, b) => a.rank - b.rank || a.position - b.position)
    .slice(0, Math.ceil(most / LEAST_LINE));
  const kept = new Map<number, string>();
  let room = most;
  for (const { text, position } of ranked) {
    const line = await cutToTokens(text, longestLine);
    // The line's end, and the mark of a gap beside it.
    const tokens = (await countTokens(line)) + 4;
    if (tokens > room) break;
    room -= tokens;
    kept.set(position, line);
  }
  const text = withGaps(kept, lines.length);
  if (kept.size === 0) kept.set(ranked[0]?.position ?? 0, '');
  const missing = [...lines.keys()].filter((position) => !kept.has(position));
  return { text: text === GAP ? await cutToTokens(ranked[0]?.text ?? '', most) : text, cut: true, missing };
}

function withGaps(kept: ReadonlyMap<number, string>, total: number): string {
  const shown: string[] = [];
  let next = 0;
  for (const [position, line] of [...kept].toSorted(([a], [b]) => a - b)) {
    if (position > next) shown.push(GAP);
    shown.push(line);
    next = position + 1;
  }
  if (next < total) shown.push(GAP);
  return shown.join('\n');
}
