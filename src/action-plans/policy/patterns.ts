import { RE2JS } from 're2js';
import { analyse } from 'scslre';

import { messageOf } from '../../kernel/errors.js';
import { isAmbiguous } from './ambiguity.js';

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
export function compilePattern(source: string): CompiledPattern {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const outcome = compile(source);
  if (compiled.size >= MOST_KEPT) compiled.clear();
  compiled.set(source, outcome);
  return outcome;
}

type CompiledPattern = { readonly pattern: TokenPattern } | { readonly refused: string };

/** Compiles a pattern whatever it matches, as other tools take it, or says why it is none. */
export function compileAnyPattern(source: string): CompiledPattern {
  try {
    const expression = RE2JS.compile(source);
    return { pattern: { source, find: (text) => firstMatch(expression, text) } };
  } catch (thrown) {
    return { refused: refusalOf(source, messageOf(thrown)) };
  }
}

/** A library that checks plan after plan compiles the patterns of its policy once. */
const compiled = new Map<string, CompiledPattern>();
const MOST_KEPT = 200;

function compile(source: string): CompiledPattern {
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(source);
  } catch (thrown) {
    return { refused: refusalOf(source, messageOf(thrown)) };
  }
  if (PROBES.some((probe) => matchesNothing(expression, probe)))
    return { refused: 'matches the empty text, and so every plan there is' };
  const loop = exponentialPart(source);
  if (loop !== null) {
    return {
      refused: `repeats what can be matched in several ways at ${JSON.stringify(loop)}, which takes engines that backtrack exponential time; write it so that there is one way`,
    };
  }
  return { pattern: { source, find: (text) => firstMatch(expression, text) } };
}

function firstMatch(
  expression: RE2JS,
  text: string,
): { readonly start: number; readonly end: number } | null {
  // The yes or no of `test` is many times as fast as a match with its place.
  if (!expression.test(text)) return null;
  const matcher = expression.matcher(text);
  return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null;
}

function matchesNothing(expression: RE2JS, text: string): boolean {
  const matcher = expression.matcher(text);
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
    if (found === undefined) return isAmbiguous(rest, flags?.[1] ?? '') ? source : null;
    return 'quant' in found ? found.quant.raw : found.startQuant.raw;
  } catch {
    return null;
  }
}
