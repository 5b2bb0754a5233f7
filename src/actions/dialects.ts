import type { Dialect, DialectName } from './dialect.js';
import { frctl } from './dialects/frctl.js';

/** In the order in which a document is tried for them. */
export const DIALECTS: readonly Dialect[] = [frctl];

/** The dialect of a name. */
export function dialectOf(name: DialectName): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found === undefined) throw new RangeError(`there is no dialect ${name}`);
  return found;
}
