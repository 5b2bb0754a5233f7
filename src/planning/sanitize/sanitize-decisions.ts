import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import { matterKey } from '../../plan/decisions.js';
import type { ProposedDecision } from '../../plan/expansion.js';
import type { Warn } from './sanitize-texts.js';

/** A decision as it may enter a plan. */
export interface SanitizedDecision {
  readonly what: string;
  /** null while it is open. */
  readonly choice: string | null;
  /** The number of the proposed sub-goal that makes the choice, counted from 1; null where none does. */
  readonly decidedBy: number | null;
}

/** The most decisions of one goal that are kept of a reply, and the longest texts of one, in columns. */
const MOST_DECISIONS = 7;
const LONGEST_MATTER = 80;
const LONGEST_CHOICE = 300;

/**
 * Returns the decisions of a reply within their bounds, each matter once and on one line. One without a matter is left
 * out; a choice that was made outweighs a sub-goal that would make it.
 */
export function sanitizeDecisions(
  proposed: readonly ProposedDecision[],
  warn: Warn,
): readonly SanitizedDecision[] {
  const found = new Map<string, SanitizedDecision>();
  for (const { what, choice, decided_by } of proposed) {
    const matter = truncate(oneLine(what), LONGEST_MATTER);
    if (matter === '' || found.has(matterKey(matter))) continue;
    const chosen = truncate(oneLine(choice ?? ''), LONGEST_CHOICE);
    const open = chosen === '';
    found.set(matterKey(matter), {
      what: matter,
      choice: open ? null : chosen,
      decidedBy: open ? decided_by : null,
    });
  }
  if (found.size > MOST_DECISIONS)
    warn(
      'too_many_decisions',
      `${found.size} decisions were proposed; the first ${MOST_DECISIONS} were kept`,
    );
  return [...found.values()].slice(0, MOST_DECISIONS);
}
