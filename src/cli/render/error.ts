import { printable } from '../../app/front-end.js';
import type { PlanError } from '../../errors.js';
import type { Colors } from '../terminal.js';

/** An error as people read it: what was wrong, the first particulars, and what to do next. */
export function renderError({ message, hint, details }: PlanError, colors: Colors): string {
  const problems = Array.isArray(details.problems) ? details.problems.slice(0, 10) : [];
  const lines = [
    `${colors.red('error:')} ${printable(message)}`,
    ...problems.map((problem) => `  ${colors.dim('-')} ${printable(problemText(problem))}`),
    ...(hint === undefined ? [] : [`${colors.cyan('hint:')} ${printable(hint)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function problemText(problem: unknown): string {
  if (typeof problem !== 'object' || problem === null) return String(problem);
  const { path, message } = problem as { readonly path?: unknown; readonly message?: unknown };
  return `${String(path ?? '')} ${String(message ?? '')}`.trim();
}
