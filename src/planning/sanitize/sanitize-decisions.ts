import { oneLine } from '../../kernel/text/safe-text.js';
import { saysSomething } from '../../kernel/text/says-something.js';
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

/** The most decisions of one goal that are kept of a reply, and the longest texts of one, in UTF-16 units. */
const MOST_DECISIONS = 7;
const LONGEST_MATTER = 300;
const LONGEST_CHOICE = 2000;
/** Columns of a matter that a warning quotes. */
const MAX_QUOTED = 80;

/**
 * Returns the decisions of a reply within their bounds, each matter once and on one line, and no text cut: one without a
 * matter is left out, as is one that is too long. A choice that was made outweighs a sub-goal that would make it.
 */
export function sanitizeDecisions(
  proposed: readonly ProposedDecision[],
  warn: Warn,
): readonly SanitizedDecision[] {
  const found = new Map<string, SanitizedDecision>();
  let nameless = 0;
  for (const { what, choice, decided_by } of proposed) {
    const matter = oneLine(what);
    const isNamed = saysSomething(matter);
    if (!isNamed) nameless += 1;
    if (!isNamed || found.has(matterKey(matter))) continue;
    const chosen = oneLine(choice ?? '');
    if (matter.length > LONGEST_MATTER || chosen.length > LONGEST_CHOICE) {
      const most = `${LONGEST_MATTER} for what is decided and ${LONGEST_CHOICE} for the choice`;
      const size = `${matter.length} and ${chosen.length} characters, and at most ${most} are kept`;
      warn('long_decision', `the decision “${truncate(matter, MAX_QUOTED)}” was left out: it has ${size}`);
      continue;
    }
    const open = chosen === '';
    found.set(matterKey(matter), {
      what: matter,
      choice: open ? null : chosen,
      decidedBy: open ? decided_by : null,
    });
  }
  if (nameless > 0)
    warn(
      'empty_decision',
      `${nameless} of ${proposed.length} decisions say not what is decided, or not in a list of that and the choice`,
    );
  if (found.size > MOST_DECISIONS)
    warn(
      'too_many_decisions',
      `${found.size} decisions were proposed; the first ${MOST_DECISIONS} were kept`,
    );
  return [...found.values()].slice(0, MOST_DECISIONS);
}
