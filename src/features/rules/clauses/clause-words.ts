import { leadInLength, normalPhrase, plainVerb } from './goal-words.js';
import type { Pattern } from '../methods.js';
import { slicePhrase, trimmedPhrase, type Phrase } from '../../../planning/documents/english/phrase.js';
import { HIDDEN } from '../../../planning/documents/english/protect.js';

/** A word of a clause, or a stretch of it that is hidden from splitting, such as a quotation. */
export interface ClauseWord {
  /** As `normalPhrase` has it; empty for what is hidden and for punctuation. */
  readonly normal: string;
  readonly start: number;
  readonly end: number;
}

/** Where a pattern stands in a clause. */
export interface PatternMatch {
  /** How many words the verb has. */
  readonly verb: number;
  /** Numbers of the words that the pattern's other groups take. */
  readonly words: ReadonlySet<number>;
}

const WORD = new RegExp(String.raw`${HIDDEN}+|[\p{L}\p{N}][\p{L}\p{N}+#]*(?:['’]\p{L}+)?|[^\s]`, 'gu');

/** A clause without "please", "then" and the like before it. */
export function plainClause(phrase: Phrase): Phrase {
  const bare = trimmedPhrase(phrase);
  return slicePhrase(bare, leadInLength(bare.text));
}

/** The words of a clause in order, the first of them as a plain verb. */
export function clauseWords({ mask }: Phrase): readonly ClauseWord[] {
  return Array.from(mask.matchAll(WORD), ({ 0: raw, index }, number) => {
    const [normal = ''] = normalPhrase(raw);
    return { normal: number === 0 ? plainVerb(normal) : normal, start: index, end: index + raw.length };
  });
}

/** Where the phrase stands from word `from` on; -1 for nowhere. */
export function findWords(phrase: readonly string[], words: readonly ClauseWord[], from = 0): number {
  if (phrase.length === 0) return -1;
  for (let at = from; at + phrase.length <= words.length; at += 1)
    if (phrase.every((word, index) => words[at + index]?.normal === word)) return at;
  return -1;
}

/**
 * Where a pattern stands in a clause: its verb first, one phrase of each of its groups behind it. Null when it does not
 * fit. What is hidden is never looked at.
 */
export function matchPattern(pattern: Pattern, words: readonly ClauseWord[]): PatternMatch | null {
  const fitting = pattern.verbs.filter((one) => startsWith(one, words));
  const verb = fitting.reduce((longest, { length }) => Math.max(longest, length), 0);
  if (verb === 0 || pattern.none.some((phrase) => findWords(phrase, words) >= 0)) return null;
  const taken = new Set<number>();
  for (const group of [...pattern.object, ...pattern.anywhere]) {
    const longestFirst = group.toSorted((first, second) => second.length - first.length);
    const phrase = longestFirst.find((one) => findWords(one, words, verb) >= 0);
    if (phrase === undefined) return null;
    const at = findWords(phrase, words, verb);
    for (let index = 0; index < phrase.length; index += 1) taken.add(at + index);
  }
  return { verb, words: taken };
}

function startsWith(phrase: readonly string[], words: readonly ClauseWord[]): boolean {
  return phrase.length > 0 && phrase.every((word, index) => words[index]?.normal === word);
}
