import type { DigestSource } from './digest-source.js';
import { readSourceFacts, tellsChoice } from './facts.js';
import type { Fact } from './facts.js';
import { measureFacts } from './fidelity.js';
import { countWords } from './words.js';

/** Tokens of a text. */
export type CountTokens = (text: string) => Promise<number>;

/** Sentences of a source that are looked at. */
const MOST_SENTENCES = 4000;

/** Something that a digest may hold. */
export interface Candidate {
  readonly slot: 'summary' | 'key_decisions' | 'artifacts';
  readonly text: string;
  /** Its place in the source. */
  readonly position: number;
  readonly words: number;
  readonly tokens: number;
  /** Which facts it carries, as indices. */
  readonly facts: ReadonlySet<number>;
  /** The first statement of the source. */
  readonly lead: boolean;
}

/**
 * What of a source a digest may be chosen from: every sentence, also without its asides where it has some; every
 * decision; every artifact.
 */
export async function candidatesOf(
  source: DigestSource,
  facts: readonly Fact[],
  countTokens: CountTokens,
): Promise<readonly Candidate[]> {
  const sentences = readSourceFacts(source).slice(0, MOST_SENTENCES);
  const firstDecision = sentences.length - source.decisions.length;
  const lead = sentences.findIndex(({ heading }) => !heading);
  const inSentence = new Map<number, Set<number>>();
  for (const [index, { sentences: positions }] of facts.entries()) {
    for (const position of positions)
      inSentence.set(position, (inSentence.get(position) ?? new Set()).add(index));
  }
  const candidates: Candidate[] = [];
  for (const [position, sentence] of sentences.entries()) {
    if (sentence.heading) continue;
    const decided = position >= firstDecision || tellsChoice(sentence);
    const slot = decided ? 'key_decisions' : 'summary';
    const held = inSentence.get(position) ?? new Set<number>();
    const shared = { slot, position, lead: position === lead } as const;
    candidates.push({ ...shared, ...(await sized(sentence.text, slot, countTokens)), facts: held });
    const main = mainClause(sentence.text);
    if (main === null) continue;
    const kept = [...held].filter((index) => isKept(facts[index], main));
    candidates.push({ ...shared, ...(await sized(main, slot, countTokens)), facts: new Set(kept) });
  }
  for (const [index, { kind, text }] of facts.entries()) {
    if (kind !== 'artifact') continue;
    const tokens = await countTokens(`\n${text}`);
    const position = sentences.length + index;
    candidates.push({
      slot: 'artifacts',
      text,
      position,
      words: 0,
      tokens,
      facts: new Set([index]),
      lead: false,
    });
  }
  return candidates;
}

async function sized(sentence: string, slot: Candidate['slot'], countTokens: CountTokens) {
  const text = slot === 'summary' ? closed(sentence) : sentence;
  return {
    text,
    words: countWords(text),
    tokens: await countTokens(slot === 'summary' ? ` ${text}` : `\n${text}`),
  };
}

function isKept(fact: Fact | undefined, text: string): boolean {
  if (fact === undefined) return false;
  return measureFacts([fact], { summary: text, key_decisions: [], artifacts: [] }).score === 1;
}

/** Returns a sentence without asides and reasons, where what is left says the same by itself; null where nothing goes. */
export function mainClause(sentence: string): string | null {
  const said = sentence.replaceAll(/\s\([^()]*\)/g, '');
  // A reason within code is none.
  const plainFrom = said.lastIndexOf('`') + 1;
  const reason = said.slice(plainFrom).search(/;|,\s(?:because|since|so|so that|which|as|thanks to)\b/);
  const main = (reason < 0 ? said : said.slice(0, plainFrom + reason)).trim();
  return main.length < sentence.length - 2 && countWords(main) >= 4 ? main : null;
}

/** Ends a sentence that is a candidate for a digest as a sentence ends, with a full stop. */
export function closed(sentence: string): string {
  return /[.!?…:;]["'”’)\]]*$/.test(sentence) ? sentence : `${sentence}.`;
}
