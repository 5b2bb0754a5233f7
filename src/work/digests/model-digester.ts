import type { PlanError } from '../../kernel/errors.js';
import { digestReplySchema } from './digest-reply.js';
import type { DigestReply } from './digest-reply.js';
import type { DigestSource } from './digest-source.js';
import { MOST_ITEMS, MOST_RATIO, ratedDigest, SUMMARY_WORDS } from './extract-digest.js';
import type { MeasuredDigest } from './extract-digest.js';
import type { Fact } from './facts.js';
import { ENOUGH_FIDELITY, inventedFacts, measureFidelity } from './fidelity.js';
import { countWords } from './words.js';
import type { Answer, ChatModel, Question } from '../../llm/chat-model.js';
import { renderPrompt } from '../../llm/prompts.js';
import type { Prompts } from '../../llm/prompts.js';
import { tagged } from '../../llm/quote.js';
import { countTokens } from '../../llm/spend/tokens.js';
import { addUsage } from '../../plan/plan.js';
import type { Usage } from '../../plan/schema.js';
import { cutToTokens } from '../../llm/text/cut-to-tokens.js';
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

/** Facts that are named when a digest is asked for again. */
const MOST_NAMED = 60;
const LONGEST_NAMED = 160;
/** Words that a digest of a short source may have altogether. */
const LEAST_WORDS = 60;

/**
 * Asks a model for the digest of what was submitted with a goal, and measures the reply. Below a fidelity of 0.95
 * it is asked once more, with the missing facts named, and the better reply is kept. Must not throw. `stop` ends waits and
 * asks nothing further; `signal` drops the call in flight.
 */
export async function digestByModel(
  { model, prompts, promptTokens }: ModelDigesterOptions,
  goal: string,
  source: DigestSource,
  { signal, stop }: { readonly signal: AbortSignal; readonly stop: AbortSignal },
): Promise<DigestOutcome> {
  const { slots, cut } = await sourceSlots(goal, source, promptTokens);
  const ask = (more: { readonly digest: string; readonly missing: string }): Promise<Answer<DigestReply>> =>
    model.ask(questionAbout(source, { ...slots, ...more }, prompts), signal, stop);
  const first = await ask({ digest: '', missing: '' });
  if (first.kind !== 'reply') return first;
  const warnings = cut
    ? [{ code: 'context_cut', message: 'the model was shown only the beginning of what was submitted' }]
    : [];
  const made = await measured(source, first.value);
  if (made.fidelity.score >= ENOUGH_FIDELITY) return { kind: 'digest', made, usage: first.usage, warnings };
  const second = await ask({
    digest: tagged('digest', JSON.stringify(first.value)),
    missing: tagged('missing', made.fidelity.missing.slice(0, MOST_NAMED).map(named).join('\n')),
  });
  const usage = addUsage(first.usage, second.usage);
  if (second.kind !== 'reply') return { kind: 'digest', made, usage, warnings };
  const again = await measured(source, second.value);
  const better = again.fidelity.score > made.fidelity.score ? again : made;
  return { kind: 'digest', made: better, usage, warnings };
}

async function measured(source: DigestSource, reply: DigestReply): Promise<MeasuredDigest> {
  return ratedDigest(source, reply, measureFidelity(source, reply), countTokens);
}

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

/** What is wrong with a reply: too long, empty, or saying what was not submitted. */
function faultsOf(source: DigestSource, reply: DigestReply): readonly string[] {
  const words = countWords(reply.summary);
  const faults: string[] = [];
  if (words === 0) faults.push('$.summary: must not be empty');
  if (words >= SUMMARY_WORDS)
    faults.push(`$.summary: has ${words} words, and must have fewer than ${SUMMARY_WORDS}`);
  for (const list of ['key_decisions', 'artifacts'] as const) {
    const count = reply[list].length;
    if (count > MOST_ITEMS) faults.push(`$.${list}: has ${count} items, and must have at most ${MOST_ITEMS}`);
  }
  for (const { kind, text } of inventedFacts(source, reply))
    faults.push(`the ${kind} "${text}" was not submitted; say nothing that was not`);
  return faults;
}

function named({ kind, text }: Fact): string {
  return `${kind}: ${truncate(text, LONGEST_NAMED)}`;
}
