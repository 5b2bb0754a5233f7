import type { DigestContent, DigestSource } from './digest-source.js';
import { factsOf, readSentence } from './facts.js';
import type { Fact, ReadSentence } from './facts.js';
import type { Negation } from './negations.js';
import { artifactKey, baseName, isPath, isWordPart } from './names.js';
import { swappedRoles } from './roles.js';
import { sentencesOf } from './sentences.js';
import { contentStems } from '../../kernel/text/content-stems.js';
import { shareOf } from './words.js';

/** Where a digest counts as saying enough of its source. */
export const ENOUGH_FIDELITY = 0.95;

/** How much of a source's facts a digest holds. */
export interface Fidelity {
  /** Found over all; 1 for a source without facts. From 0 to 1, not rounded. */
  readonly score: number;
  readonly facts: number;
  /** What was not found again, in the order of the source. */
  readonly missing: readonly Fact[];
}

/** The share of a decision's or negation's words that a digest must have in one sentence. */
const SHARED = 0.6;
/** The share of what is negated that a sentence must have to be about the same, and how many words of it there must be. */
const TURNED = 0.75;
const LEAST_TURNED = 2;
/** "Most have none" negates something that an earlier sentence named. */
const ELLIPTIC = /\b(?:none|nothing|nobody|neither|not)$/iu;

/**
 * Looks for every fact of a source in a digest of it. A fact counts as found where the digest says it in the same sense:
 * one that the source asserts is not found where the digest negates it, nor the other way round.
 */
export function measureFidelity(source: DigestSource, digest: DigestContent): Fidelity {
  return measureFacts(factsOf(source), digest);
}

/** Measures the fidelity of a digest to facts at hand. */
export function measureFacts(facts: readonly Fact[], digest: DigestContent): Fidelity {
  const read = readDigest(digest);
  const ambiguous = ambiguousNames(facts);
  const missing = facts.filter((fact) => !isFound(fact, read, ambiguous));
  const score = facts.length === 0 ? 1 : (facts.length - missing.length) / facts.length;
  return { score, facts: facts.length, missing };
}

/** Whether a digest tells all of a source. */
export function tells(digest: DigestContent, source: DigestSource): boolean {
  return measureFidelity(source, digest).score === 1;
}

/**
 * What a digest has made up: artifacts, identifiers, names and numbers in digits that it has and its source does not. Numbers and
 * identifiers are looked for in the whole source, whatever is said of them.
 */
export function inventedFacts(source: DigestSource, digest: DigestContent): readonly Fact[] {
  const asSource = { text: digest.summary, decisions: digest.key_decisions, artifacts: digest.artifacts };
  const claimed = factsOf(asSource).filter(
    ({ kind, text }) =>
      ['artifact', 'identifier', 'name'].includes(kind) || (kind === 'number' && /^\D{0,2}\d/.test(text)),
  );
  const read = readDigest(asDigest(source));
  const values = new Set(read.sentences.flatMap(({ numbers }) => numbers.map(({ value }) => String(value))));
  const isHeld = (fact: Fact) =>
    isFound({ ...fact, polarity: 'both', stems: ofText(fact) }, read, new Set()) ||
    // "6 retries" and "tried again up to 6 times" count the same.
    (fact.kind === 'number' && values.has(fact.key.split(' ')[0] ?? ''));
  return claimed.filter((fact) => !isHeld(fact));
}

function asDigest({ text, decisions, artifacts }: DigestSource): DigestContent {
  return { summary: text, key_decisions: [...decisions], artifacts: [...artifacts] };
}

/** The sentences of a digest that assert what its source negates, or negate what it asserts, in the words of the digest. */
export function turnedNegations(source: DigestSource, digest: DigestContent): readonly string[] {
  const [told, said] = [readDigest(asDigest(source)).sentences, readDigest(digest).sentences];
  const asserted = told
    .flatMap(({ negations }) => negations)
    .flatMap((negation) => turnedBy(negation, said).map(({ text }) => text));
  const negated = said
    .flatMap(({ negations }) => negations)
    .filter((negation) => turnedBy(negation, told).length > 0)
    .map(({ text }) => text);
  return [...new Set([...asserted, ...negated])];
}

/** Sentences that say without any negation what is negated, if none of them negates it. */
function turnedBy(
  { text, object, twice }: Negation,
  sentences: readonly ReadSentence[],
): readonly ReadSentence[] {
  if (twice || object.length < LEAST_TURNED || ELLIPTIC.test(text)) return [];
  const about = sentences.filter(({ stems }) => shareOf(object, stems) >= TURNED);
  return about.some(({ negations }) => negations.length > 0) ? [] : about;
}

/** Returns the sentences of a digest that exchange parties of what its source says. */
export function exchangedRoles(source: DigestSource, digest: DigestContent): readonly string[] {
  return swappedRoles(textsOf(asDigest(source)), textsOf(digest));
}

function textsOf(content: DigestContent): readonly string[] {
  return readDigest(content).sentences.map(({ text }) => text);
}

interface ReadDigest {
  readonly sentences: readonly ReadSentence[];
  readonly folded: readonly string[];
  readonly artifacts: readonly { readonly key: string; readonly stems: ReadonlySet<string> }[];
}

// What a number counts may be said in other words without being made up.
function ofText({ kind, stems }: Fact): readonly string[] {
  return kind === 'number' ? [] : stems;
}

function readDigest({ summary, key_decisions, artifacts }: DigestContent): ReadDigest {
  const decisions = key_decisions.map((text) => ({ text, heading: false }));
  const sentences = [...sentencesOf(summary), ...decisions].map(readSentence);
  return {
    sentences,
    folded: sentences.map(({ text }) => fold(text)),
    artifacts: artifacts.map((text) => ({ key: artifactKey(text), stems: new Set(contentStems(text)) })),
  };
}

function isFound(fact: Fact, digest: ReadDigest, ambiguous: ReadonlySet<string>): boolean {
  switch (fact.kind) {
    case 'decision':
      return digest.sentences.some((sentence) => tellsDecision(fact, sentence));
    case 'negation':
      return digest.sentences.some(({ negations }) =>
        negations.some(
          ({ twice, stems }) =>
            twice === (fact.polarity === 'asserted') && shareOf(fact.stems, stems) >= SHARED,
        ),
      );
    case 'number':
      return digest.sentences.some((sentence) => tellsNumber(fact, sentence));
    case 'artifact':
      return namesArtifact(fact, digest, ambiguous);
    case 'identifier':
    case 'name':
      return digest.artifacts.some(({ key }) => holds(key, fact.key)) || isMentioned(fact.key, fact, digest);
  }
}

function tellsDecision(fact: Fact, { stems, negations }: ReadSentence): boolean {
  const negated = negations.some(({ twice }) => !twice);
  return negated === (fact.polarity === 'negated') && shareOf(fact.stems, stems) >= SHARED;
}

function tellsNumber(fact: Fact, sentence: ReadSentence): boolean {
  const wanted = fact.key.split(' ')[0];
  return sentence.numbers.some(
    ({ value, unit, start }) =>
      `${value}${unit}` === wanted &&
      agrees(fact, sentence, start) &&
      (fact.stems.length === 0 || fact.stems.some((stem) => sentence.stems.has(stem))),
  );
}

// By its path or, unless several artifacts of the source share it, by the last part of it.
function namesArtifact(fact: Fact, digest: ReadDigest, ambiguous: ReadonlySet<string>): boolean {
  const base = baseName(fact.key);
  const keys = ambiguous.has(base) || base.length < 3 ? [fact.key] : [fact.key, base];
  if (digest.artifacts.some(({ key }) => keys.some((wanted) => key === wanted || holds(key, wanted))))
    return true;
  if (keys.some((key) => isMentioned(key, fact, digest))) return true;
  if (fact.stems.length === 0) return false;
  const said = [...digest.artifacts, ...digest.sentences].map(({ stems }) => stems);
  return said.some((stems) => shareOf(fact.stems, stems) === 1);
}

function isMentioned(key: string, fact: Fact, { sentences, folded }: ReadDigest): boolean {
  return sentences.some((sentence, index) =>
    positionsOf(folded[index] ?? '', key).some((position) => agrees(fact, sentence, position)),
  );
}

function agrees({ polarity }: Fact, { negations }: ReadSentence, position: number): boolean {
  if (polarity === 'both') return true;
  const negated = negations.some(({ start, end, twice }) => !twice && position >= start && position < end);
  return negated === (polarity === 'negated');
}

function holds(text: string, key: string): boolean {
  return positionsOf(text, key).length > 0;
}

/** Where `key` is in `text` as a word of its own. */
function positionsOf(text: string, key: string): readonly number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    const before = text.slice(Math.max(0, at - 1), at);
    const after = text.slice(at + key.length, at + key.length + 1);
    const opens = !isWordPart(key.slice(0, 1)) || !isWordPart(before) || (before === 'v' && /^\d/.test(key));
    if (opens && (!isWordPart(key.slice(-1)) || !isWordPart(after))) positions.push(at);
  }
  return positions;
}

// As long as the text, so that a place in one is a place in the other.
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return text.replaceAll(/./gu, (one) => {
    const small = one.toLowerCase();
    return small.length === one.length ? small : one;
  });
}

function ambiguousNames(facts: readonly Fact[]): ReadonlySet<string> {
  const paths = facts.filter(({ kind, text }) => kind === 'artifact' && isPath(text));
  const owner = new Map<string, string>();
  const shared = new Set<string>();
  for (const { key } of paths) {
    const base = baseName(key);
    if ((owner.get(base) ?? key) !== key) shared.add(base);
    owner.set(base, key);
  }
  return shared;
}
