import { printable } from '../../../kernel/text/safe-text.js';
import type { PlanError } from '../../../kernel/errors.js';
import type { Colors } from '../../terminal.js';
import { withLocalTimes } from './times.js';

/** What stopped planning without anything being wrong. */
const PAUSES: ReadonlySet<string> = new Set(['INTERRUPTED', 'BUDGET_REACHED']);

/** An error as people read it: what was wrong, the first particulars, and what to do next. */
export function renderError({ code, message, hint, details }: PlanError, colors: Colors): string {
  const problems = Array.isArray(details.problems) ? details.problems.slice(0, 10) : [];
  const told = problems.map(problemMessage);
  // The only one is told by the message, as a rule.
  const listed = told.length === 1 && message.includes(told[0] ?? '') ? [] : problems;
  const lines = [
    `${labelOf(code, details, colors)} ${printable(withLocalTimes(message))}`,
    ...listed.map((problem) => `  ${colors.dim('-')} ${printable(problemText(problem))}`),
    ...(hint === undefined ? [] : [`${colors.cyan('hint:')} ${printable(hint)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whoever leaves a question has paused nothing, and nothing is wrong. */
function labelOf(code: PlanError['code'], details: PlanError['details'], colors: Colors): string {
  if (!PAUSES.has(code)) return colors.red('error:');
  return colors.yellow(details.asked === undefined ? 'paused:' : 'interrupted:');
}

function problemMessage(problem: unknown): string {
  return textOf(problem, 'message') ?? String(problem);
}

function problemText(problem: unknown): string {
  if (typeof problem !== 'object' || problem === null) return String(problem);
  return ['path', 'message'].flatMap((name) => textOf(problem, name) ?? []).join(' ');
}

/** The text of a member of a problem; undefined where it has none. */
function textOf(problem: unknown, name: string): string | undefined {
  if (typeof problem !== 'object' || problem === null) return undefined;
  const found: unknown = Object.entries(problem).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}
