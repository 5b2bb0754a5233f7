import { RE2JS } from 're2js';
import { analyse } from 'scslre';

import { messageOf } from '../../errors.js';

/** A pattern of a policy, matched in time linear in the text, whatever the pattern. */
export interface TokenPattern {
  readonly source: string;
  /** The first place where it matches, or null. Offsets in UTF-16 units. */
  readonly find: (text: string) => { readonly start: number; readonly end: number } | null;
}

/** Texts on which a pattern that matches nothing but emptiness shows itself. */
const PROBES = ['', 'a', ' a b ', '\n', '{"a":1}', '0-0'];

/**
 * Compiles a pattern in the syntax of RE2, or says why it is refused: it is no such pattern, it matches the
 * empty text and so everything, or it is one on which a backtracking engine takes exponential time. The last
 * would do no harm here; a policy is refused all the same, because other tools read it too and such a pattern
 * always has a plain equivalent. What is certain to be harmless is never refused; some that are not slip through.
 */
export function compilePattern(
  source: string,
): { readonly pattern: TokenPattern } | { readonly refused: string } {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source);
  } catch (thrown) {
    return { refused: refusalOf(source, messageOf(thrown)) };
  }
  if (PROBES.some((probe) => matchesNothing(compiled, probe)))
    return { refused: 'matches the empty text, and so every plan there is' };
  const loop = exponentialPart(source);
  if (loop !== null) {
    return {
      refused: `repeats a repetition at ${JSON.stringify(loop)}, which takes engines that backtrack exponential time; write it with one repetition`,
    };
  }
  return { pattern: { source, find: (text) => firstMatch(compiled, text) } };
}

function firstMatch(compiled: RE2JS, text: string): { readonly start: number; readonly end: number } | null {
  // The yes or no of `test` is many times as fast as a match with its place.
  if (!compiled.test(text)) return null;
  const matcher = compiled.matcher(text);
  return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
}

function matchesNothing(compiled: RE2JS, text: string): boolean {
  const matcher = compiled.matcher(text);
  return matcher.find() && matcher.start() === matcher.end();
}

function refusalOf(source: string, message: string): string {
  const reason = message.replace(/^error parsing regexp: /, '');
  if (/\(\?[=!]/.test(source))
    return `looks ahead, which no pattern can that is matched in linear time (${reason})`;
  if (/\\[1-9]/.test(source))
    return `refers back to a group, which no pattern can that is matched in linear time (${reason})`;
  return `is no pattern in the syntax of RE2: ${reason}`;
}

/** The part of a pattern on which backtracking is exponential; null also where it cannot be told. */
function exponentialPart(source: string): string | null {
  // What RE2 writes in another way than JavaScript; anything else that differs is not analysed.
  const flags = /^\(\?([ims]+)\)/.exec(source);
  const rest = source.slice(flags?.[0].length ?? 0).replaceAll('(?P<', '(?<');
  try {
    const { reports } = analyse(
      { source: rest, flags: flags?.[1] ?? '' },
      { reportTypes: { Move: false, Self: true, Trade: true } },
    );
    const found = reports.find(({ exponential }) => exponential);
    if (found === undefined) return null;
    return 'quant' in found ? found.quant.raw : found.startQuant.raw;
  } catch {
    return null;
  }
}
