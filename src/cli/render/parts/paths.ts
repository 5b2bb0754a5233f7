import { graphemesOf, truncate } from '../../../kernel/text/truncate.js';
import { widthToBreakAt } from '../../../kernel/text/break-line.js';

/** A path in so many columns: of a longer one the end is shown, by which files are told apart. */
export function shortenPath(path: string, columns: number): string {
  if (widthToBreakAt(path) <= columns) return path;
  const reversed = Array.from(graphemesOf(path), ({ segment }) => segment).toReversed();
  const kept = truncate(reversed.join(''), columns);
  return Array.from(graphemesOf(kept), ({ segment }) => segment)
    .toReversed()
    .join('');
}
