import { RE2JS } from 're2js';

import { messageOf } from '../../../kernel/errors.js';

/** A pattern of a policy, matched in time linear in the text, whatever the pattern. */
export interface TokenPattern {
  readonly source: string;
  /** The first place where it matches, or null. Offsets in UTF-16 units. */
  readonly find: (text: string) => { readonly start: number; readonly end: number } | null;
}

/** Texts on which a pattern that matches nothing but emptiness shows itself. */
const PROBES = ['', 'a', ' a b ', '\n', '{"a":1}', '0-0'];

/**
 * Compiles a pattern in the syntax of RE2, or says why it is refused: it is no such pattern, or it matches the empty
 * text and so everything. A pattern on which an engine that backtracks takes exponential time does no harm here.
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
    return { refused: 'matches empty text, and so every plan' };
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
  if (/\(\?[=!]/.test(source)) return `uses lookahead, which RE2 patterns cannot (${reason})`;
  if (/\\[1-9]/.test(source)) return `uses a backreference, which RE2 patterns cannot (${reason})`;
  return `is not a pattern in the syntax of RE2: ${reason}`;
}
