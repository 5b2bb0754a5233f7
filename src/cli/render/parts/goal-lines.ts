import { oneLine } from '../../../kernel/text/safe-text.js';
import type { GoalWithNumber } from '../../../operations/shared/numbered-goals.js';
import type { Colors } from '../../terminal.js';

/** A goal on a line: its number, or the end of the root's id, and what it says. */
export function goalLine({
  number,
  id,
  description,
}: Pick<GoalWithNumber, 'number' | 'id' | 'description'>): string {
  return `${number === '' ? id.slice(id.indexOf('-') + 1) : number} ${oneLine(description)}`;
}

/** Lists goals below a heading, a line each; nothing when there are none. */
export function goalList(heading: string, goals: readonly GoalWithNumber[], colors: Colors): string {
  if (goals.length === 0) return '';
  return `${colors.bold(heading)}\n${goals.map((goal) => `  ${goalLine(goal)}\n`).join('')}`;
}
