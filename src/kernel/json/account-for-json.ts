import { accountFor } from '../text/line-account.js';
import type { LineAccount } from '../text/line-account.js';
import { linesOfValue } from './lines-of-value.js';

/** A value of a JSON text by the keys and places that lead to it. */
interface Placed {
  readonly at: readonly PropertyKey[];
}

/**
 * Accounts for the lines of a JSON file: those of values that are kept as text are detail, and those of values that are in no
 * goal are left out, where they stand on lines of their own.
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
  return accountFor([{ file: name, text, leftOut, detail: kept }]);
}
