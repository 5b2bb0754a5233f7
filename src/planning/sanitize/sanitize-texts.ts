import { oneLine } from '../../kernel/text/safe-text.js';
import { saysSomething } from '../../kernel/text/says-something.js';
import { truncate } from '../../kernel/text/truncate.js';
import type { Size, SubGoal } from '../../plan/expansion.js';
import { readTouch } from '../../plan/readiness/touches.js';

/** The longest description that is kept, in columns. */
const MAX_DESCRIPTION = 2000;
/** The longest reasoning that is kept, in columns. */
export const MAX_REASONING = 2000;
/** The longest criterion that is kept, in columns, and the most of one sub-goal. */
const MAX_CRITERION = 500;
const MAX_CRITERIA = 3;
/** The most that one sub-goal is said to change. */
const MAX_TOUCHES = 8;

/** Is told what was left out, and why. */
export type Warn = (code: string, message: string) => void;

/** What a sub-goal says, as it may enter a plan. */
export interface SanitizedTexts {
  readonly description: string;
  readonly atomic: boolean;
  readonly reasoning: string;
  /** What shows that it is done, a line each; empty when nothing was said. */
  readonly acceptance: readonly string[];
  readonly size: Size | null;
  /** Paths below the repository, globs and areas; empty when nothing was said. */
  readonly touches: readonly string[];
}

/** The texts of a sub-goal within their bounds, a description and criteria on one line each. */
export function sanitizeTexts(subGoal: SubGoal, warn: Warn): SanitizedTexts {
  const whole = oneLine(subGoal.description);
  const description = truncate(whole, MAX_DESCRIPTION);
  if (description !== whole)
    warn(
      'long_description',
      `a description of ${whole.length} characters was cut to ${MAX_DESCRIPTION} columns`,
    );
  return {
    description,
    atomic: subGoal.atomic,
    reasoning: truncate(subGoal.reasoning.trim(), MAX_REASONING),
    acceptance: guardedAcceptance(subGoal.acceptance ?? [], warn),
    size: subGoal.size ?? null,
    touches: guardedTouches(subGoal.touches ?? [], warn),
  };
}

function guardedTouches(touches: readonly string[], warn: Warn): readonly string[] {
  const read = [...new Set(touches.flatMap((text) => readTouch(text) ?? []))];
  if (read.length > MAX_TOUCHES)
    warn(
      'too_many_touches',
      `a sub-goal came with ${read.length} places that it touches; the first ${MAX_TOUCHES} were kept`,
    );
  return read.slice(0, MAX_TOUCHES);
}

function guardedAcceptance(criteria: readonly string[], warn: Warn): readonly string[] {
  const whole = criteria.map(oneLine);
  const lines = [...new Set(whole.map((text) => truncate(text, MAX_CRITERION)))];
  const longest = whole.find((text) => truncate(text, MAX_CRITERION) !== text);
  if (longest !== undefined)
    warn('long_criterion', `a criterion of ${longest.length} characters was cut to ${MAX_CRITERION} columns`);
  const said = lines.filter(saysSomething);
  if (said.length > MAX_CRITERIA)
    warn(
      'too_many_criteria',
      `a sub-goal came with ${said.length} criteria; the first ${MAX_CRITERIA} were kept`,
    );
  return said.slice(0, MAX_CRITERIA);
}
