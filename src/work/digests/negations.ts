import { contentStems } from '../../kernel/text/content-stems.js';

/** A clause that negates something. */
export interface Negation {
  /** What is negated, in words. */
  readonly text: string;
  /** The stems nearest to what negates, each once. */
  readonly object: readonly string[];
  /** The stems of all that is negated. */
  readonly stems: ReadonlySet<string>;
  /** Negated twice, and so not at all: "did not remove". */
  readonly twice: boolean;
  /** The stretch of the sentence that is negated. */
  readonly start: number;
  readonly end: number;
}

const CLAUSE_END =
  /[;:()]|,(?=\s)|\s[–—-]+\s|[.!?](?=\s+\p{Lu})|\b(?:but|while|whereas|although|because|since|so that|which)\b|(?<=\b(?:none|nothing|nobody)\s)and\b/giu;

/**
 * Words that negate, and verbs that say something is gone. "Dropped from 30 to 20" is a fall, "no. 5" a number;
 * "over" negates after a choice only.
 */
const CUE = new RegExp(
  [
    `(?<!\\p{L})\\p{L}+n['’]t\\b`,
    String.raw`\bno longer\b|\bno(?!\.\s?\d)\b|\b(?:not|never|none|neither|nor|without|cannot|nothing|nobody|lacks?|lacking|except|excluding|unsupported)\b`,
    String.raw`\b(?:instead of|rather than)\b`,
    String.raw`\bover\b(?<=\b(?:choose|chose|chosen|choosing|pick|picked|prefer|prefers|preferred|favou?red|selected)\b.{1,80}over)`,
    String.raw`\b(?:remov(?:e|es|ed|ing|al)|delet(?:e|es|ed|ing|ion)|disabl(?:e|es|ed|ing)|abandon(?:s|ed|ing)?|reject(?:s|ed|ing|ion)?|revert(?:s|ed|ing)?|discontinu(?:e|es|ed)|retir(?:e|es|ed|ing)|refus(?:e|es|ed|ing)|forbid(?:s|den)?|prohibit(?:s|ed)?|stopp(?:ed|ing)|ceas(?:e|es|ed)|fail(?:s|ed)? to)\b`,
    String.raw`\bdrop(?:s|ped|ping)?\b(?!\s+(?:from|to|by|below|in|under)\b)`,
  ].join('|'),
  'giu',
);
const PASSIVE = /\b(?:is|are|was|were|be|been|being|gets?|got)\s+(?:\p{L}+ly\s+)?$/iu;
/** Words of what is negated that count, behind the cue and before it. */
const MOST_STEMS = 6;

/** The negations of a sentence, one for each clause that holds any. */
export function negationsOf(sentence: string): readonly Negation[] {
  return clausesOf(sentence).flatMap(({ start, end }) => {
    const clause = sentence.slice(start, end);
    const cues = [...clause.matchAll(CUE)];
    const [first] = cues;
    if (first === undefined) return [];
    const before = clause.slice(0, first.index);
    const after = clause.slice(first.index + first[0].length).replaceAll(CUE, ' ');
    const following = contentStems(after).slice(0, MOST_STEMS);
    const whole = PASSIVE.test(before) || following.length === 0;
    const negated = whole ? clause : clause.slice(first.index);
    const object = [...(whole ? contentStems(before).slice(-MOST_STEMS) : []), ...following];
    if (object.length === 0) return [];
    return [
      {
        text: negated.trim().replace(/[.!?]$/, ''),
        object: [...new Set(object)],
        stems: new Set(contentStems(negated.replaceAll(CUE, ' '))),
        twice: cues.length % 2 === 0,
        start: whole ? start : start + first.index,
        end,
      },
    ];
  });
}

/** Whether a place of a sentence stands within one of its negations. */
export function isNegatedAt(negations: readonly Negation[], position: number): boolean {
  return negations.some(({ start, end, twice }) => !twice && position >= start && position < end);
}

/** The stretches of a sentence between what ends a clause. */
export function clausesOf(sentence: string): readonly { readonly start: number; readonly end: number }[] {
  const clauses: { start: number; end: number }[] = [];
  let start = 0;
  const code = sentence.replaceAll(/`[^`]*`/g, (span) => span.replaceAll(/[^\w`]/g, '_'));
  for (const match of code.matchAll(CLAUSE_END)) {
    clauses.push({ start, end: match.index });
    start = match.index + match[0].length;
  }
  return [...clauses, { start, end: sentence.length }];
}
