import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Colors } from '../../terminal.js';
import { quantityOf } from '../../../kernel/text/quantity-of.js';

/** Returns how many findings a plan or goal has, and the first of each kind in words; empty where there is none. */
export function renderFindings(findings: ResultOf<'status'>['findings'], colors: Colors): string {
  if (findings === undefined || findings.first.length === 0) return '';
  // What no goal makes is told with what comparing all leaves came to.
  const { MISSING_RESULT: _told, ...codes } = findings.codes;
  const total = Object.values(codes).reduce((sum, count) => sum + count, 0);
  const lines = findings.first.map(({ code, message }) => {
    const others = (codes[code] ?? 1) - 1;
    return `  - ${oneLine(message)}${others === 0 ? '' : colors.dim(` (and ${others} more like it)`)}\n`;
  });
  return `\n${colors.bold(quantityOf(total, 'finding'))} ${colors.dim('(`plan check` shows all, with what to do)')}\n${lines.join('')}`;
}
