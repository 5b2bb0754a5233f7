import type { Digest } from '../../plan/schema.js';
import { candidatesOf, closed } from './candidates.js';
import type { Candidate, CountTokens } from './candidates.js';
import type { DigestContent, DigestSource } from './digest-source.js';
import { sourceText } from './digest-source.js';
import { factsOf } from './facts.js';
import type { Fact } from './facts.js';
import { ENOUGH_FIDELITY, measureFacts } from './fidelity.js';
import type { Fidelity } from './fidelity.js';
import { sentencesOf } from './sentences.js';
import { countWords } from './words.js';

/** A digest with what was measured of it. */
export interface MeasuredDigest {
  readonly digest: Digest;
  readonly fidelity: Fidelity;
}

/** Most words of a summary. */
export const SUMMARY_WORDS = 100;
/** A digest of so many tokens is short, whatever its source has. */
export const ENOUGH_TOKENS = 300;
/** The most of its source that a digest may be, in tokens. */
export const MOST_RATIO = 0.2;
/** A source with fewer words is not held to that ratio. */
const SHORT_SOURCE_WORDS = 200;
/** Decisions and artifacts that a digest has at most where it has more tokens than are enough. */
export const MOST_ITEMS = 20;
/**
 * A digest made of the source's own sentences, without a model: those that carry the most facts for their length, in
 * the order of the source, decisions and artifacts in lists of their own. The summary has at most 100 words, and of
 * a source of 200 words or more the whole has 300 tokens or a fifth of its tokens at most, whichever is more. When facts are missing it is made again
 * with more weight on those, and the better of the two is kept. The same source gives the same digest, always.
 */
export async function extractDigest(source: DigestSource, countTokens: CountTokens): Promise<MeasuredDigest> {
  const facts = factsOf(source);
  const whole = wholeOf(source);
  if (whole !== null) return ratedDigest(source, whole, measureFacts(facts, whole), countTokens);
  const choice = {
    facts,
    candidates: await candidatesOf(source, facts, countTokens),
    room: await roomOf(source, countTokens),
  };
  const first = await bestOf(choice, countTokens, () => 1);
  if (first.fidelity.score >= ENOUGH_FIDELITY)
    return ratedDigest(source, first.content, first.fidelity, countTokens);
  const lost = new Set(first.fidelity.missing);
  const second = await bestOf(choice, countTokens, (fact) => (lost.has(fact) ? 2 : 1));
  const better = second.fidelity.score > first.fidelity.score ? second : first;
  return ratedDigest(source, better.content, better.fidelity, countTokens);
}

/** A digest with its ratio in tokens and its fidelity, both as measured. */
export async function ratedDigest(
  source: DigestSource,
  { summary, key_decisions, artifacts }: DigestContent,
  fidelity: Fidelity,
  countTokens: CountTokens,
): Promise<MeasuredDigest> {
  const content = { summary, key_decisions, artifacts };
  const size = await countTokens(sourceText(content));
  const ratio = size / Math.max(1, await countTokens(sourceText(source)));
  return {
    digest: {
      ...content,
      compression_ratio: Math.ceil(ratio * 1000) / 1000,
      fidelity_score: Math.floor(fidelity.score * 1000) / 1000,
    },
    fidelity,
  };
}

/** What is left to be filled. */
interface Room {
  readonly tokens: number;
  readonly words: number;
}

async function roomOf(source: DigestSource, countTokens: CountTokens): Promise<Room> {
  const text = sourceText(source);
  const tokens = await countTokens(text);
  const short = countWords(text) < SHORT_SOURCE_WORDS;
  return {
    tokens: short ? tokens : Math.max(ENOUGH_TOKENS, Math.floor(tokens * MOST_RATIO)),
    words: SUMMARY_WORDS,
  };
}

interface Choice {
  readonly facts: readonly Fact[];
  readonly candidates: readonly Candidate[];
  readonly room: Room;
}

interface Attempt {
  readonly content: DigestContent;
  readonly fidelity: Fidelity;
}

/** What makes a candidate dear: its tokens, or the share it takes of what is scarcest. */
const COSTS: readonly ((candidate: Candidate, room: Room) => number)[] = [
  ({ tokens }) => tokens,
  ({ slot, tokens, words }, room) => {
    const share = tokens / Math.max(1, room.tokens);
    return slot === 'summary' ? Math.max(share, words / room.words) : share;
  },
];

async function bestOf(
  { facts, candidates, room }: Choice,
  countTokens: CountTokens,
  weigh: (fact: Fact) => number,
): Promise<Attempt> {
  const weights = facts.map(weigh);
  let best: Attempt | undefined;
  for (const costOf of COSTS) {
    const chosen = choose(
      candidates,
      room,
      (one, covered) => gainOf(one, covered, weights) / costOf(one, room),
    );
    // Joined they may have more tokens than by themselves.
    while (chosen.length > 1 && (await countTokens(sourceText(contentOf(chosen)))) > room.tokens)
      chosen.pop();
    const content = chosen.length === 0 ? beginning(candidates, room) : contentOf(chosen);
    const fidelity = measureFacts(facts, content);
    if (best === undefined || fidelity.score > best.fidelity.score) best = { content, fidelity };
  }
  if (best === undefined) throw new TypeError('there is no way to choose');
  return best;
}

function gainOf(one: Candidate, covered: ReadonlySet<number>, weights: readonly number[]): number {
  let sum = 0;
  for (const fact of one.facts) if (!covered.has(fact)) sum += weights[fact] ?? 0;
  return sum;
}

/** A source that is no longer than a digest may be is its own. */
function wholeOf(source: DigestSource): DigestContent | null {
  const { text, decisions, artifacts } = source;
  if (countWords(text) > SUMMARY_WORDS || countWords(sourceText(source)) >= SHORT_SOURCE_WORDS) return null;
  const sentences = sentencesOf(text).filter(({ heading }) => !heading);
  const several = sentences.length > 1;
  const summary = sentences.map((one) => (several ? closed(one.text) : one.text)).join(' ');
  return { summary, key_decisions: [...decisions], artifacts: [...artifacts] };
}

/** Takes what is worth most for its cost, again and again, until nothing fits or adds a fact. */
function choose(
  candidates: readonly Candidate[],
  room: Room,
  worth: (candidate: Candidate, covered: ReadonlySet<number>) => number,
): Candidate[] {
  const open = new Set(candidates);
  const covered = new Set<number>();
  const chosen: Candidate[] = [];
  let { tokens, words } = room;
  const items = { key_decisions: 0, artifacts: 0 };
  const fits = (one: Candidate): boolean =>
    one.tokens <= tokens &&
    (one.slot === 'summary'
      ? one.words <= words
      : items[one.slot] < MOST_ITEMS || room.tokens - tokens + one.tokens <= ENOUGH_TOKENS);
  const take = (one: Candidate): void => {
    chosen.push(one);
    // A sentence is taken whole or without its asides, not twice.
    for (const other of open) if (other.position === one.position) open.delete(other);
    tokens -= one.tokens;
    if (one.slot === 'summary') words -= one.words;
    else items[one.slot] += 1;
    for (const fact of one.facts) covered.add(fact);
  };
  // What the text begins with says what it is about.
  const lead = candidates.findLast((one) => one.lead && fits(one) && one.tokens <= room.tokens / 2);
  if (lead !== undefined) take(lead);
  for (;;) {
    let best: Candidate | undefined;
    let most = 0;
    for (const one of open) {
      const value = fits(one) ? worth(one, covered) : 0;
      if (value > most) [best, most] = [one, value];
    }
    if (best === undefined) return chosen;
    take(best);
  }
}

function contentOf(chosen: readonly Candidate[]): DigestContent {
  const inOrder = [...chosen].sort((a, b) => a.position - b.position);
  const texts = (slot: Candidate['slot']): string[] =>
    inOrder.filter((one) => one.slot === slot).map(({ text }) => text);
  return {
    summary: texts('summary').join(' '),
    key_decisions: texts('key_decisions'),
    artifacts: texts('artifacts'),
  };
}

/** Where nothing fits whole, as much of the beginning as does. */
function beginning(candidates: readonly Candidate[], { tokens, words }: Room): DigestContent {
  const first = candidates.find(({ slot }) => slot !== 'artifacts')?.text ?? '';
  const kept = first.split(/\s+/).slice(0, Math.max(1, Math.min(words, Math.floor(tokens / 3))));
  const summary = kept.join(' ');
  return {
    summary: summary.length < first.length ? `${summary.slice(0, 1000)}…` : summary,
    key_decisions: [],
    artifacts: [],
  };
}
