import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { ClaimReport } from '../../../../operations/work/claim-schemas.js';
import type { Colors } from '../../terminal.js';
import { goalLine } from './goal-lines.js';
import { endText } from './times.js';

/** Renders a claimed goal as its holder must know it: the only place where a person sees a token. */
export function renderClaim(verb: string, { goal, claimed }: ClaimReport, colors: Colors): string {
  const rows = [
    ['By', oneLine(claimed.by)],
    ['Until', endText(claimed.expires_at)],
    ['Token', claimed.token],
  ];
  const lines = rows.map(([name = '', value = '']) => `${colors.dim(name.padEnd(6))} ${value}\n`);
  return `${colors.bold(`${verb} ${goalLine(goal)}`)}\n${lines.join('')}`;
}
