import {
  clauseWords,
  findWords,
  matchPattern,
  type ClauseWord,
  type PatternMatch,
} from './clauses/clause-words.js';
import { normalPhrase } from './clauses/goal-words.js';
import type { Method } from './methods.js';
import type { SlotFile } from './method-schema.js';
import type { Phrase } from '../../planning/documents/english/phrase.js';
import { readSlotValue } from './requests/read-slot-value.js';
import type { SlotValues } from './slot-value.js';
import type { Json } from './step-schema.js';

/**
 * What a method makes of a clause: its slots, why it cannot be read, or null when it does not fit at all. The more
 * words of the clause a method names, the higher the score.
 */
export type SlotReading =
  Read | { readonly kind: 'problem'; readonly message: string; readonly score: number } | null;

interface Read {
  readonly kind: 'read';
  readonly slots: SlotValues;
  readonly score: number;
  /** Numbers of the words that the method accounts for. */
  readonly covered: ReadonlySet<number>;
}

/** Where the text of a slot stands, in words of the clause. */
interface Stretch {
  readonly slot: string;
  readonly file: SlotFile;
  /** Its marker, such as "into"; the text begins at `from`. */
  readonly marker: number;
  readonly from: number;
}

const FILLER = new Set(
  'the a an please now page browser window screen this that of for to on until about just'.split(' '),
);

/**
 * Reads a clause of a browser request by a method. Every word must be accounted for: by the verb, the pattern, a slot or a
 * word that adds nothing; so no part of a request is passed over in silence.
 */
export function readSlots(clause: Phrase, words: readonly ClauseWord[], method: Method): SlotReading {
  const matches = method.patterns.flatMap((pattern) => matchPattern(pattern, words) ?? []);
  const readings = matches.map((match) => {
    const reading = readAfter(match, clause, words, method);
    return reading?.kind === 'read' ? (unaccounted(reading, clause, words) ?? reading) : reading;
  });
  return readings.find((reading) => reading?.kind === 'read') ?? readings[0] ?? null;
}

/** Reads the slots of a method from a goal that it fits; what else the goal says is not asked. */
export function readGoalSlots(goal: Phrase, method: Method): NonNullable<SlotReading> {
  const words = clauseWords(goal);
  const match = method.patterns
    .map((pattern) => matchPattern(pattern, words))
    .find((found) => found !== null);
  const reading = readAfter(match ?? { verb: 1, words: new Set() }, goal, words, method);
  return reading ?? { kind: 'problem', message: 'its words do not end as the method asks', score: 0 };
}

function readAfter(
  match: PatternMatch,
  clause: Phrase,
  words: readonly ClauseWord[],
  method: Method,
): SlotReading {
  const stretches = stretchesOf(method, match, words);
  const covered = new Set([...Array(match.verb).keys(), ...match.words]);
  const slots = new Map<string, { readonly value: Json; readonly shown: string }>();
  const score = match.verb + match.words.size;
  const fail = (message: string): SlotReading => ({ kind: 'problem', message, score });
  for (const [index, stretch] of stretches.entries()) {
    const end = endOf(stretch, stretches[index + 1]?.marker ?? words.length, words, match);
    if (end === null) return null;
    for (let word = stretch.marker; word < end.covered; word += 1) covered.add(word);
    const text = textOf(clause, words, stretch.from, end.text);
    if (text.text === '') continue;
    const value = readSlotValue(text, stretch.file);
    if ('problem' in value) return fail(value.problem);
    slots.set(stretch.slot, value);
  }
  const missing = requiredSlots(method).find((slot) => !slots.has(slot));
  if (missing !== undefined) return fail(`it does not say the ${missing.replaceAll('_', ' ')}`);
  return { kind: 'read', slots, score, covered };
}

/** A problem when words are left over. */
function unaccounted({ covered, score }: Read, clause: Phrase, words: readonly ClauseWord[]): SlotReading {
  const rest = words.flatMap((word, index) =>
    covered.has(index) || FILLER.has(word.normal) || isPunctuation(word, clause)
      ? []
      : [clause.text.slice(word.start, word.end)],
  );
  return rest.length === 0
    ? null
    : { kind: 'problem', message: `what “${rest.join(' ')}” means there is not known`, score };
}

/** Slots that have no default and that a step needs. */
function requiredSlots({ slots, steps }: Method): readonly string[] {
  const optional = new Set(steps?.flatMap((step) => step.if ?? []) ?? []);
  return Object.entries(slots).flatMap(([slot, file]) =>
    file.default === undefined && !optional.has(slot) ? [slot] : [],
  );
}

/** The slots whose text the clause has, in order. */
function stretchesOf(method: Method, match: PatternMatch, words: readonly ClauseWord[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const [slot, file] of Object.entries(method.slots)) {
    const marked = markerOf(file, match, words);
    if (marked !== null) found.push({ slot, file, ...marked });
    else if (file.object) found.push({ slot, file, marker: match.verb, from: match.verb });
  }
  return found.toSorted((first, second) => first.marker - second.marker || first.from - second.from);
}

/** The first of a slot's words that the clause has; what the pattern took is none. An object begins at its own. */
function markerOf(
  { after, object }: SlotFile,
  match: PatternMatch,
  words: readonly ClauseWord[],
): { readonly marker: number; readonly from: number } | null {
  for (const phrase of after.map(normalPhrase)) {
    const at = findWords(phrase, words, match.verb);
    if (at < 0 || match.words.has(at) || (object && at > match.verb)) continue;
    return { marker: at, from: at + phrase.length };
  }
  return null;
}

/** Where a slot's text ends, and how far it is covered; null when words that must follow it do not. */
function endOf(
  { file, from }: Stretch,
  limit: number,
  words: readonly ClauseWord[],
  match: PatternMatch,
): { readonly text: number; readonly covered: number } | null {
  let end = limit;
  while (end > from && match.words.has(end - 1)) end -= 1;
  if (file.before.length === 0) return { text: end, covered: end };
  for (const phrase of file.before.map(normalPhrase)) {
    const at = end - phrase.length;
    if (at >= from && findWords(phrase, words, at) === at) return { text: at, covered: end };
  }
  return null;
}

function textOf(clause: Phrase, words: readonly ClauseWord[], from: number, to: number): Phrase {
  const start = words[from]?.start ?? clause.text.length;
  const end = to > from ? (words[to - 1]?.end ?? start) : start;
  return { text: clause.text.slice(start, end), mask: clause.mask.slice(start, end) };
}

function isPunctuation({ normal, start, end }: ClauseWord, { mask }: Phrase): boolean {
  return normal === '' && /^[,.:!]$/.test(mask.slice(start, end));
}
