import * as z from 'zod';

import { wellFormed } from '../../../kernel/text/well-formed.js';
import { sha256 } from '../../../kernel/sha256.js';
import type { PaneRules } from './rules.js';
import type { PaneScreen } from './terminal.js';

/** Lines above the cursor by which the place of a sending is found again. */
const MARK_LINES = 20;
/** Characters of a sent text that are known again as its echo. */
const MOST_ECHO = 4096;

/** Where a text was sent: what stands below it came after it. Of what a pane showed it keeps hashes alone. */
export const markSchema = z.strictObject({
  /** The number of its first line, of those that were looked at. */
  index: z.int(),
  /** How many lines it has. */
  lines: z.int(),
  sha256: z.string(),
  /** The hash of its last line. */
  last: z.string(),
  /** The hash of the first line that was looked at. */
  first: z.string(),
  /** How often each rule matched then. */
  counts: z.record(z.string(), z.int()),
  /** The beginning of what was sent. */
  text: z.string(),
});

export type Mark = z.output<typeof markSchema>;

/** Returns all lines of a screen, in order. */
export function linesOf({ above, line, below }: PaneScreen): readonly string[] {
  return [...above, line, ...below];
}

/** Returns what of a sent text is known again as its echo. */
export function echoOf(text: string): string {
  return wellFormed(text.substring(0, MOST_ECHO));
}

/** Marks where a text is about to be sent. */
export function markOf(screen: PaneScreen, rules: PaneRules, text: string): Mark {
  const lines = screen.above.slice(-MARK_LINES);
  const whole = linesOf(screen);
  return {
    index: screen.above.length - lines.length,
    lines: lines.length,
    sha256: sha256(lines.join('\n')),
    last: sha256(lines.at(-1) ?? ''),
    first: sha256(whole[0] ?? ''),
    counts: rules.countsIn(whole.join('\n')),
    text: echoOf(text),
  };
}

/** Whether a rule matches in what came after a text was sent. */
export function matchesAfter(screen: PaneScreen, mark: Mark, rule: string, rules: PaneRules): string | null {
  const lines = linesOf(screen);
  const from = placeOf(lines, mark);
  if (from !== null) return rules.matchIn(withoutEcho(lines.slice(from), mark.text), rule);
  // A screen that was cleared, or went out of what is kept, shows only what is new.
  if (sha256(lines[0] ?? '') !== mark.first) return rules.matchIn(withoutEcho(lines, mark.text), rule);
  const whole = lines.join('\n');
  return (rules.countsIn(whole)[rule] ?? 0) > (mark.counts[rule] ?? 0) ? rules.matchIn(whole, rule) : null;
}

/**
 * Returns the number of the first line below a mark; null where it is not found. Lines only move up, out of what is kept, so
 * that the lowest place counts which is not below that of then.
 */
function placeOf(lines: readonly string[], mark: Mark): number | null {
  if (mark.lines === 0) return 0;
  for (let at = Math.min(mark.index, lines.length - mark.lines); at >= 0; at -= 1) {
    if (sha256(lines[at + mark.lines - 1] ?? '') !== mark.last) continue;
    if (sha256(lines.slice(at, at + mark.lines).join('\n')) === mark.sha256) return at + mark.lines;
  }
  return null;
}

/** Returns the text of lines without what a terminal shows of a text because it was typed. */
function withoutEcho(lines: readonly string[], sent: string): string {
  let text = lines.join('\n');
  let from = 0;
  for (const part of sent.split(/\r?\n/).map((one) => one.trim())) {
    const at = part === '' ? -1 : text.indexOf(part, from);
    if (at < 0) continue;
    text = text.substring(0, at) + text.substring(at + part.length);
    from = at;
  }
  return text;
}
