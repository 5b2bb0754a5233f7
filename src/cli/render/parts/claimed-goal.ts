import { oneLine } from '../../../kernel/text/safe-text.js';
import { shellWord } from '../../../kernel/text/shell-word.js';
import type { ClaimReport } from '../../../operations/work/claim-schemas.js';
import type { Colors } from '../../terminal.js';
import { goalLine } from './goal-lines.js';
import { endText } from './times.js';

/** How a claim was asked for, which the commands after it repeat. */
export interface ClaimOptions {
  readonly by?: string | undefined;
  readonly plan?: string | undefined;
}

/**
 * Renders a claimed goal as its holder must know it: the only place where a person sees a token.
 * @param next how it was asked for, where the commands that lead on are to be told
 */
export function renderClaim(
  verb: string,
  { goal, claimed }: ClaimReport,
  colors: Colors,
  next: ClaimOptions | null = null,
): string {
  const rows = [
    ['By', oneLine(claimed.by)],
    ['Until', endText(claimed.expires_at)],
    ['Token', claimed.token],
    ...(next === null ? [] : [['Next', nextOf(goal, claimed, next)]]),
  ];
  const lines = rows.map(([name = '', value = '']) => `${colors.dim(name.padEnd(6))} ${value}\n`);
  return `${colors.bold(`${verb} ${goalLine(goal)}`)}\n${lines.join('')}`;
}

/** What to do with a goal that was just taken: what must be known to do it, and how to end it. */
function nextOf(
  goal: ClaimReport['goal'],
  { token }: ClaimReport['claimed'],
  { by, plan }: ClaimOptions,
): string {
  const name = goal.number === '' ? 'root' : goal.number;
  const inPlan = plan === undefined ? '' : ` --plan ${shellWord(plan)}`;
  // Whoever took another name is that one only by the token.
  const proof = by === undefined ? '' : ` --token ${token}`;
  return `\`plan context ${name}${inPlan}\`, then \`plan complete ${name}${inPlan}${proof} --summary "…"\``;
}
