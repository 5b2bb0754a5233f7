import type { PlanError } from '../../kernel/errors.js';
import { digestReplySchema } from './digest-reply.js';
import type { DigestReply } from './digest-reply.js';
import { sourceText } from './digest-source.js';
import type { DigestContent, DigestSource } from './digest-source.js';
import { ENOUGH_TOKENS, MOST_ITEMS, MOST_RATIO, ratedDigest, SUMMARY_WORDS } from './extract-digest.js';
import type { MeasuredDigest } from './extract-digest.js';
import { exchangedRoles, inventedFacts, measureFidelity, tells, turnedNegations } from './fidelity.js';
import { countWords } from './words.js';
import type { ChatModel, Question } from '../../llm/chat-model.js';
import { renderPrompt } from '../../llm/prompts.js';
import type { Prompts } from '../../llm/prompts.js';
import { tagged } from '../../llm/quote.js';
import { countTokens } from '../../llm/spend/tokens.js';
import type { Usage } from '../../plan/schema.js';
import { cutToTokens, estimateTokens } from '../../llm/text/cut-to-tokens.js';
import { truncate } from '../../kernel/text/truncate.js';

export interface ModelDigesterOptions {
  readonly model: ChatModel;
  readonly prompts: Prompts;
  /** Tokens that the user message may have. */
  readonly promptTokens: number;
}

/** What came of asking for a digest; every kind says what it cost. */
export type DigestOutcome =
  | {
      readonly kind: 'digest';
      readonly made: MeasuredDigest;
      readonly usage: Usage;
      readonly warnings: readonly { readonly code: string; readonly message: string }[];
    }
  | { readonly kind: 'rejected'; readonly code: string; readonly reason: string; readonly usage: Usage }
  | { readonly kind: 'budget'; readonly limit: string; readonly usage: Usage }
  | { readonly kind: 'unavailable'; readonly error: PlanError; readonly usage: Usage }
  | { readonly kind: 'aborted'; readonly usage: Usage };

const LONGEST_NAMED = 160;
/** Facts of a source of which a digest has to tell one. */
const LEAST_FACTS = 3;
/** Words that a digest of a short source may have altogether. */
const LEAST_WORDS = 200;

/**
 * Asks a model for the digest of what was submitted with a goal, and measures the reply. A reply that says what was not submitted, or
 * turns what was, is asked for once more and then rejected; what it leaves out of the submitted decisions and artifacts is added. Must
 * not throw. `stop` ends waits and asks nothing further; `signal` drops the call in flight.
 */
export async function digestByModel(
  { model, prompts, promptTokens }: ModelDigesterOptions,
  goal: string,
  source: DigestSource,
  { signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortSignal },
): Promise<DigestOutcome> {
  const { slots, cut } = await sourceSlots(goal, source, promptTokens);
  const answer = await model.ask(questionAbout(source, slots, prompts), signal, stop);
  if (answer.kind !== 'reply') return answer;
  const warnings = cut
    ? [{ code: 'context_cut', message: 'the model was shown only the beginning of what was submitted' }]
    : [];
  const digest = await withSubmitted(source, answer.value);
  const made = await ratedDigest(source, digest, measureFidelity(source, digest), countTokens);
  return { kind: 'digest', made, usage: answer.usage, warnings };
}

/** A reply, and what of the submitted decisions and artifacts it does not tell, as long as it stays short. */
async function withSubmitted(source: DigestSource, reply: DigestReply): Promise<DigestContent> {
  let whole: DigestContent = reply;
  for (const [list, texts] of [
    ['key_decisions', source.decisions],
    ['artifacts', source.artifacts],
  ] as const)
    for (const text of texts) {
      if (tells(whole, { text: '', decisions: [], artifacts: [], [SUBMITTED[list]]: [text] })) continue;
      const longer: DigestContent = { ...whole, [list]: [...whole[list], text] };
      if ((await countTokens(sourceText(longer))) > ENOUGH_TOKENS) return whole;
      whole = longer;
    }
  return whole;
}

const SUBMITTED = { key_decisions: 'decisions', artifacts: 'artifacts' } as const;

async function sourceSlots(goal: string, { text, decisions, artifacts }: DigestSource, limit: number) {
  const lists = [decisions, artifacts].map((each) => each.join('\n'));
  // What was named outright goes first; of a long account the beginning has to do.
  const kept: string[] = [];
  let room = limit - Math.ceil(goal.length / 3);
  for (const part of [...lists, text]) {
    const fitting = await cutToTokens(part, Math.max(0, room));
    room -= Math.ceil(fitting.length / 3);
    kept.push(fitting);
  }
  const [decided = '', made = '', result = ''] = kept;
  return {
    slots: {
      goal: tagged('goal', goal),
      result: tagged('result', result),
      decisions: tagged('decisions', decided),
      artifacts: tagged('artifacts', made),
    },
    cut: kept.join('') !== [...lists, text].join(''),
  };
}

function questionAbout(
  source: DigestSource,
  slots: Readonly<Record<string, string>>,
  prompts: Prompts,
): Question<DigestReply> {
  const words = countWords([source.text, ...source.decisions, ...source.artifacts].join(' '));
  const limits = { max_words: String(Math.max(LEAST_WORDS, Math.floor(words * MOST_RATIO))) };
  return {
    name: 'digest',
    schema: digestReplySchema,
    system: renderPrompt(prompts['digest.system.md'], limits),
    user: renderPrompt(prompts['digest.user.md'], slots),
    shorter: renderPrompt(prompts['digest.shorter.md'], limits),
    check: (reply) => faultsOf(source, reply),
  };
}

/** What is wrong with a reply: too long, empty, saying what was not submitted or the opposite of what was. */
function faultsOf(source: DigestSource, reply: DigestReply): readonly string[] {
  const words = countWords(reply.summary);
  const most = { key_decisions: source.decisions.length, artifacts: source.artifacts.length };
  const isShort = estimateTokens(sourceText(reply)) <= ENOUGH_TOKENS;
  const tooMany = (['key_decisions', 'artifacts'] as const)
    .filter((list) => !isShort && reply[list].length > Math.max(MOST_ITEMS, most[list]))
    .map(
      (list) =>
        `$.${list}: has ${reply[list].length} items, and must have at most ${Math.max(MOST_ITEMS, most[list])}`,
    );
  const faults = [...tooMany];
  if (words === 0) faults.push('$.summary: must not be empty');
  if (words > SUMMARY_WORDS)
    faults.push(`$.summary: has ${words} words, and must have at most ${SUMMARY_WORDS}`);
  // What is too long is not compared word by word.
  if (faults.length > 0) return faults;
  const { score, facts } = measureFidelity(source, reply);
  if (score === 0 && facts >= LEAST_FACTS) faults.push('$.summary: tells nothing of what was submitted');
  for (const { kind, text } of inventedFacts(source, reply))
    faults.push(`the ${kind} "${text}" was not submitted; say nothing that was not`);
  for (const text of turnedNegations(source, reply))
    faults.push(`"${truncate(text, LONGEST_NAMED)}" says the opposite of what was submitted`);
  for (const text of exchangedRoles(source, reply))
    faults.push(`"${truncate(text, LONGEST_NAMED)}" exchanges who does what to whom in what was submitted`);
  return faults;
}
