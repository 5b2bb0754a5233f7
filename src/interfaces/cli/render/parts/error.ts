import { printable } from '../../../../kernel/text/safe-text.js';
import type { PlanError } from '../../../../kernel/errors.js';
import type { Colors } from '../../terminal.js';
import { withLocalTimes } from './times.js';

/** What stopped planning without anything being wrong. */
const PAUSES: ReadonlySet<string> = new Set(['INTERRUPTED', 'BUDGET_REACHED']);

/** An error as people read it: what was wrong, the first particulars, and what to do next. */
export function renderError({ code, message, hint, details }: PlanError, colors: Colors): string {
  const problems = Array.isArray(details.problems) ? details.problems.slice(0, 10) : [];
  const lines = [
    `${PAUSES.has(code) ? colors.yellow('paused:') : colors.red('error:')} ${printable(withLocalTimes(message))}`,
    ...problems.map((problem) => `  ${colors.dim('-')} ${printable(problemText(problem))}`),
    ...(hint === undefined ? [] : [`${colors.cyan('hint:')} ${printable(hint)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function problemText(problem: unknown): string {
  if (typeof problem !== 'object' || problem === null) return String(problem);
  const parts = ['path', 'message'].map(
    (name) => Object.entries(problem).find(([key]) => key === name)?.[1] as unknown,
  );
  return parts.filter((part) => typeof part === 'string').join(' ');
}
