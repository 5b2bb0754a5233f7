import type { Dialect, DialectName } from './dialect.js';
import { frctl } from '../dialects/frctl.js';
import { obsidian } from '../dialects/obsidian.js';
import { planLint } from '../dialects/plan-lint.js';
import { soulBrowser } from '../dialects/soulbrowser.js';
import { wa } from '../dialects/wa.js';

/** In the order in which a document is tried for them, those that say the most of themselves first. */
export const DIALECTS: readonly Dialect[] = [frctl, wa, obsidian, soulBrowser, planLint];

/** The dialect of a name. */
export function dialectOf(name: DialectName): Dialect {
  const found = DIALECTS.find((dialect) => dialect.name === name);
  if (found === undefined) throw new RangeError(`there is no dialect ${name}`);
  return found;
}
