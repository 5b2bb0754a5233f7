import { oneLine } from '../../../../kernel/text/safe-text.js';
import type { ClaimReport } from '../../../../operations/work/claim-schemas.js';
import type { GoalWithNumber } from '../../../../operations/shared/numbered-goals.js';
import type { Colors } from '../../terminal.js';
import { endText } from './times.js';

/** A goal on a line: its number, or the end of the root's id, and what it says. */
export function goalLine({ number, id, description }: GoalWithNumber): string {
  return `${number === '' ? id.slice(id.indexOf('-') + 1) : number} ${oneLine(description)}`;
}

/** Goals below a heading; nothing when there are none. */
export function goalList(heading: string, goals: readonly GoalWithNumber[], colors: Colors): string {
  if (goals.length === 0) return '';
  return `${colors.bold(heading)}\n${goals.map((goal) => `  ${goalLine(goal)}\n`).join('')}`;
}

/** A claim as its holder must know it: the only place where a person sees a token. */
export function renderClaim(verb: string, { goal, claimed }: ClaimReport, colors: Colors): string {
  const rows = [
    ['By', oneLine(claimed.by)],
    ['Until', endText(claimed.expires_at)],
    ['Token', claimed.token],
  ];
  const lines = rows.map(([name = '', value = '']) => `${colors.dim(name.padEnd(6))} ${value}\n`);
  return `${colors.bold(`${verb} ${goalLine(goal)}`)}\n${lines.join('')}`;
}
