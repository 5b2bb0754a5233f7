import { oneLine } from '../../../kernel/text/safe-text.js';
import type { ResultOf } from '../../../operations/registry.js';
import type { Colors } from '../../terminal.js';
import { counted } from './numbers.js';

/** Returns how many findings of each kind a plan or goal has, and the first few in words; empty where there is none. */
export function renderFindings(findings: ResultOf<'status'>['findings'], colors: Colors): string {
  if (findings === undefined || findings.first.length === 0) return '';
  // What no goal makes is told with what comparing all leaves came to.
  const { MISSING_RESULT: _told, ...codes } = findings.codes;
  const total = Object.values(codes).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(codes)
    .map(([code, count]) => `${count} ${code}`)
    .join(' · ');
  const lines = findings.first.map(({ message }) => `  - ${oneLine(message)}\n`);
  return `\n${colors.bold(counted(total, 'finding'))} ${kinds}${colors.dim(' (`plan check` says what to do)')}\n${lines.join('')}`;
}
