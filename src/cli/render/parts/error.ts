import type { PlanError } from '../../../kernel/errors.js';
import type { Terminal } from '../../terminal.js';
import type { Label } from './told-text.js';
import { withLocalTimes } from './times.js';

/** What stopped planning without anything being wrong. */
const PAUSES: ReadonlySet<string> = new Set(['INTERRUPTED', 'BUDGET_REACHED']);

/** Tells an error as people read it: what was wrong, the first particulars, and what to do next. */
export function tellError(
  { code, message, hint, details }: PlanError,
  { tell }: Pick<Terminal, 'tell'>,
): void {
  const problems = Array.isArray(details.problems) ? details.problems.slice(0, 10) : [];
  const told = problems.map(problemMessage);
  // The only one is told by the message, as a rule.
  const listed = told.length === 1 && message.includes(told[0] ?? '') ? [] : problems;
  tell(withLocalTimes(message), { label: labelOf(code, details) });
  for (const problem of listed) tell(`  - ${problemText(problem)}`);
  if (hint !== undefined) tell(hint, { label: 'hint' });
}

/** Whoever leaves a question has paused nothing, and nothing is wrong. */
function labelOf(code: PlanError['code'], details: PlanError['details']): Label {
  if (!PAUSES.has(code)) return 'error';
  return details.asked === undefined ? 'paused' : 'interrupted';
}

function problemMessage(problem: unknown): string {
  return textOf(problem, 'message') ?? String(problem);
}

function problemText(problem: unknown): string {
  if (typeof problem !== 'object' || problem === null) return String(problem);
  const step = textOf(problem, 'step');
  const told = ['path', 'message'].flatMap((name) => textOf(problem, name) ?? []).join(' ');
  return step === undefined ? told : `${step}: ${told}`;
}

/** The text of a member of a problem; undefined where it has none. */
function textOf(problem: unknown, name: string): string | undefined {
  if (typeof problem !== 'object' || problem === null) return undefined;
  const found: unknown = Object.entries(problem).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}
