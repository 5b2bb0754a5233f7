import { accountFor } from '../text/line-account.js';
import type { LineAccount } from '../text/line-account.js';
import { lineOfValue, linesOfValue } from './lines-of-value.js';

/** A value of a JSON text by the keys and places that lead to it. */
interface Placed {
  readonly at: readonly PropertyKey[];
}

/**
 * Accounts for the lines of a JSON file: those of values that are kept as text are detail, and those of values that are in no
 * goal are left out: by their lines, where they stand on lines of their own.
 */
export function accountForJson(
  { name, text }: { readonly name: string; readonly text: string },
  unread: readonly Placed[],
  detail: readonly Placed[] = [],
): LineAccount {
  const lines = linesOfValue(text);
  const leftOut = unread.flatMap(({ at }) => lines(at));
  const gone = new Set(leftOut);
  const kept = detail.flatMap(({ at }) => lines(at)).filter((line) => !gone.has(line));
  const { files, left_out } = accountFor([{ file: name, text, leftOut, detail: kept }]);
  const lineOf = lineOfValue(text);
  // What shares its lines with others is told by its place in the JSON.
  const others = unread
    .filter(({ at }) => lines(at).length === 0)
    .map(({ at }) => ({ file: name, first_line: lineOf(at), last_line: lineOf(at), text: pathOf(at) }));
  return { files, left_out: [...left_out, ...others] };
}

/** Returns where a value stands, as people write it: `master.tasks[1].title`. */
function pathOf(keys: readonly PropertyKey[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
