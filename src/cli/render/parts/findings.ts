import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Colors } from '../../terminal.js';
import { counted } from './numbers.js';

/** As many findings are told in words. */
const TOLD = 3;

/** Returns how many findings of each kind a check has, and the first few in words; empty where there is none. */
export function renderFindingCounts(
  { findings }: Pick<ResultOf<'check'>, 'findings'>,
  colors: Colors,
): string {
  // What no goal makes is told with what comparing all leaves came to.
  const told = findings.filter(({ code }) => code !== 'MISSING_RESULT');
  if (told.length === 0) return '';
  const counts = new Map<string, number>();
  for (const { code } of told) counts.set(code, (counts.get(code) ?? 0) + 1);
  const kinds = Array.from(counts, ([code, count]) => `${count} ${code}`).join(' · ');
  const lines = told.slice(0, TOLD).map(({ message }) => `  - ${oneLine(message)}\n`);
  return `\n${colors.bold(counted(told.length, 'finding'))} ${kinds}${colors.dim(' (`plan check` says what to do)')}\n${lines.join('')}`;
}
