import type { DigestSource } from './digest-source.js';
import { artifactKey, isPath, mentionsOf } from './names.js';
import type { Mention } from './names.js';
import { isNegatedAt, negationsOf } from './negations.js';
import type { Negation } from './negations.js';
import { numbersOf } from './numbers.js';
import type { TextNumber } from './numbers.js';
import { sentencesOf } from './sentences.js';
import type { Sentence } from './sentences.js';
import { contentStems } from '../../kernel/text/content-stems.js';

export type FactKind = 'decision' | 'artifact' | 'identifier' | 'number' | 'negation' | 'name';

/** Something that a text says and that a digest of it either says too or has lost. */
export interface Fact {
  readonly kind: FactKind;
  /** As the text has it. */
  readonly text: string;
  /** In a form that is the same for every spelling of it. */
  readonly key: string;
  /** What has to be found again: stems of a decision or negation, stems of what a number counts. */
  readonly stems: readonly string[];
  /** Whether the text asserts it, negates it, or does both in different places. */
  readonly polarity: 'asserted' | 'negated' | 'both';
  /** Numbers of the sentences it is in; -1 for what was named outright. */
  readonly sentences: readonly number[];
}

/** A sentence with all that the measuring looks at. */
export interface ReadSentence extends Sentence {
  readonly mentions: readonly Mention[];
  readonly numbers: readonly TextNumber[];
  readonly negations: readonly Negation[];
  readonly stems: ReadonlySet<string>;
}

/** A sentence that tells of a choice. */
const CHOICE =
  /\b(?:decid(?:e|ed|ing)|decision|chose|chosen|choose|chooses|opted|picked|settled on|went with|adopt(?:ed|s)?|agreed|standardi[sz]ed on|switched (?:from|to)|replaced|in favou?r of|instead of|rather than|deferred|postponed|trade-?off)\b/i;
/** The words behind a number that may be what it counts. */
const COUNTED = /^(?:\s+\p{L}[\p{L}'’-]*){0,3}/u;

/** Reads the facts of a sentence once for all that is asked of it: what it mentions, its numbers and negations. */
export function readSentence(sentence: Sentence): ReadSentence {
  const all = mentionsOf(sentence.text);
  const numbers = numbersOf(sentence.text).filter(
    (number) => !all.some((mention) => mention.kind !== 'name' && overlap(number, mention)),
  );
  return {
    ...sentence,
    // The MB of "95 MB" is no name.
    mentions: all.filter(
      (mention) => mention.kind !== 'name' || !numbers.some((one) => overlap(one, mention)),
    ),
    numbers,
    negations: negationsOf(sentence.text),
    stems: new Set(contentStems(sentence.text)),
  };
}

type Span = Pick<Mention, 'start' | 'end'>;

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && a.end > b.start;
}

/** Reads the sentences of a source for their facts, and after them its decisions, one each. */
export function readSourceFacts({ text, decisions }: DigestSource): readonly ReadSentence[] {
  const named = decisions.map((decision) => ({ text: decision, heading: false }));
  return [...sentencesOf(text), ...named].map(readSentence);
}

/** Whether a sentence tells of a choice, which is a fact: a decision. */
export function tellsChoice({ heading, text }: Sentence): boolean {
  return !heading && CHOICE.test(text);
}

/**
 * The facts of a source, each once: decisions (those named, and sentences that tell of a choice), artifacts (those
 * named, files, addresses), identifiers, numbers, negations and proper names. What a fact is, and what is none, is told
 * in docs/digests.md.
 */
export function factsOf(source: DigestSource): readonly Fact[] {
  const sentences = readSourceFacts(source);
  const firstDecision = sentences.length - source.decisions.length;
  const found = sentences.flatMap((sentence, index) => {
    const position = [index];
    return [
      ...(index >= firstDecision || tellsChoice(sentence) ? [decisionFact(sentence, position)] : []),
      ...(sentence.heading ? [] : sentence.negations.map((negation) => negationFact(negation, position))),
      ...sentence.mentions
        .filter(({ kind }) => !sentence.heading || kind !== 'name')
        .map((mention) => mentionFact(mention, sentence, position)),
      ...sentence.numbers.map((number) => numberFact(number, sentence, position)),
    ];
  });
  const named = source.artifacts.map((artifact): Fact => {
    const stems = isPath(artifact) ? [] : contentStems(artifact);
    return {
      ...ASSERTED,
      kind: 'artifact',
      text: artifact,
      key: artifactKey(artifact),
      stems,
      sentences: [-1],
    };
  });
  return merged([...named, ...found]);
}

const ASSERTED = { stems: [], polarity: 'asserted' } as const;

function decisionFact(sentence: ReadSentence, sentences: readonly number[]): Fact {
  const stems = [...sentence.stems];
  const negated = sentence.negations.some(({ twice }) => !twice);
  const polarity = negated ? 'negated' : 'asserted';
  return { kind: 'decision', text: sentence.text, key: stems.join(' '), stems, polarity, sentences };
}

function negationFact({ text, object, twice }: Negation, sentences: readonly number[]): Fact {
  const key = `${twice ? 'not not' : 'not'} ${object.toSorted().join(' ')}`;
  return { kind: 'negation', text, key, stems: object, polarity: twice ? 'asserted' : 'negated', sentences };
}

function mentionFact(
  { kind, text, key, start }: Mention,
  sentence: ReadSentence,
  sentences: readonly number[],
): Fact {
  return { kind, text, key, stems: [], polarity: polarityAt(sentence, start), sentences };
}

function numberFact(number: TextNumber, sentence: ReadSentence, sentences: readonly number[]): Fact {
  const counted = COUNTED.exec(sentence.text.slice(number.end))?.[0] ?? '';
  const stems = number.unit === '' ? contentStems(counted) : [];
  const key = `${number.value}${number.unit} ${stems[0] ?? ''}`.trim();
  const text = stems.length === 0 ? number.text : `${number.text}${counted}`.trimEnd();
  return { kind: 'number', text, key, stems, polarity: polarityAt(sentence, number.start), sentences };
}

function polarityAt({ negations }: ReadSentence, position: number): Fact['polarity'] {
  return isNegatedAt(negations, position) ? 'negated' : 'asserted';
}

function merged(facts: readonly Fact[]): readonly Fact[] {
  const byKey = new Map<string, Fact>();
  for (const fact of facts) {
    if (fact.key === '') continue;
    const id = `${fact.kind} ${fact.key}`;
    const before = byKey.get(id);
    byKey.set(id, before === undefined ? fact : together(before, fact));
  }
  return [...byKey.values()];
}

function together(first: Fact, second: Fact): Fact {
  const polarity = first.polarity === second.polarity ? first.polarity : 'both';
  return { ...first, polarity, sentences: [...new Set([...first.sentences, ...second.sentences])] };
}
