import { shorten } from '../error-text.js';
import { requestReply, type ReplyRequest, type Outcome } from '../request-reply.js';
import type { Answer, Question } from '../chat-model.js';
import type { Completion } from './chat-completion.js';
import { outputTokens, type CallContext, type Endpoint } from '../endpoint.js';
import { FIRST_TURN, type Turn } from '../request.js';
import { inShort, readReply, type Reading } from './read-reply.js';

type Bare<T> = T extends unknown ? Omit<T, 'usage'> : never;
/** An answer before its usage is known. */
export type Result<T> = Bare<Answer<T>>;
/** What it takes to ask a question of one model after another. */
export type Asking<T> = Omit<ReplyRequest, 'question' | 'turn'> & { readonly question: Question<T> };
/** Why one model has no answer to a question. */
export type Failure = Extract<Outcome, { kind: 'failed' | 'unavailable' }>;

type Next<T> = { readonly kind: 'turn'; readonly turn: Turn; readonly note: string } | Result<T>;

/**
 * Asks one model a question, at most for three replies: the first, a shorter one, a repaired one.
 * @param notes is told what the model had to be helped with
 */
export async function converse<T>(
  context: CallContext,
  endpoint: Endpoint,
  { question, ...request }: Asking<T>,
  notes: string[],
): Promise<Exclude<Result<T>, { kind: 'unavailable' }> | Failure> {
  for (let turn: Turn = FIRST_TURN; ;) {
    const { room } = endpoint;
    const outcome = await requestReply(context, endpoint, {
      ...request,
      question: unchecked(question),
      turn,
    });
    if (outcome.kind !== 'completion' && outcome.kind !== 'bad_reply') return outcome;
    const next = judgeReply(outcome, { question, turn, notes, giveRoom: () => giveRoom(endpoint, room) });
    if (next.kind !== 'turn') return next;
    turn = next.turn;
    notes.push(next.note);
  }
}

const MOST_ROOM = 16;

/** Whether more room could be given than a reply had, which holds for the questions to come as well. */
function giveRoom(endpoint: Endpoint, had: number): boolean {
  if (endpoint.room > had) return true;
  const room = Math.min(had * 4, MOST_ROOM);
  if (outputTokens(endpoint, room) <= outputTokens(endpoint)) return false;
  endpoint.room = room;
  return true;
}

interface Judging<T> {
  readonly question: Question<T>;
  readonly turn: Turn;
  readonly notes: string[];
  readonly giveRoom: () => boolean;
}

function judgeReply<T>(
  outcome: Extract<Outcome, { kind: 'completion' | 'bad_reply' }>,
  { question, turn, notes, giveRoom }: Judging<T>,
): Exclude<Next<T>, { kind: 'unavailable' }> {
  const { texts, refusal, cut, thought } =
    outcome.kind === 'completion' ? outcome.completion : withheld(outcome.reply);
  if (refusal !== undefined) return { kind: 'rejected', code: 'refused', reason: shorten(refusal) };
  const reading = readAny(texts, question);
  if (reading.kind === 'value') {
    if (reading.lenient === true) notes.push('a reply was not JSON as asked and was read leniently');
    return { kind: 'reply', value: reading.value, notes };
  }
  // Asking for less would not help: it was not the reply that was too long.
  if (cut && thought)
    return giveRoom()
      ? {
          kind: 'turn',
          turn: { ...turn, ...tooFewIn(outcome) },
          note: 'a model spent its reply on thoughts; it was given more room',
        }
      : { kind: 'rejected', code: 'cut_off', reason: ALL_THOUGHT };
  if (cut) {
    if (turn.shortened) return { kind: 'rejected', code: 'cut_off', reason: STILL_CUT };
    const note = 'a reply was cut off by length; asked for a shorter one';
    return { kind: 'turn', turn: { ...turn, shortened: true }, note };
  }
  // What the server found wrong with a reply is said besides what is found here.
  const errors = [...(outcome.kind === 'bad_reply' ? [outcome.reason] : []), ...reading.errors];
  const told = inShort(errors);
  if (turn.repair !== undefined) return { kind: 'rejected', code: 'invalid_reply', reason: told };
  const note = `a reply was not as asked and had to be repaired: ${told}`;
  return { kind: 'turn', turn: { ...turn, repair: { reply: texts[0], errors } }, note };
}

function tooFewIn(outcome: Outcome): Pick<Turn, 'tooFew'> {
  return outcome.kind === 'completion' ? { tooFew: outcome.room } : {};
}

const ALL_THOUGHT =
  'the model spent its reply on thoughts, up to the longest that may be asked for; a larger max_output_tokens, or a lower reasoning effort, leaves room for the reply';
const STILL_CUT = 'the reply was cut off by length, and so was a shorter one';

// Of texts that cannot be read, the errors of the first are told, which is the one that is quoted back.
function readAny<T>([first, ...others]: Completion['texts'], question: Question<T>): Reading<T> {
  const reading = readReply(first, question);
  const [next, ...rest] = others;
  if (reading.kind === 'value' || next === undefined) return reading;
  const other = readAny([next, ...rest], question);
  return other.kind === 'value' ? other : reading;
}

/** A reply that a server would not pass on. */
function withheld(reply: string): Pick<Completion, 'texts' | 'refusal' | 'cut' | 'thought'> {
  return { texts: [reply], refusal: undefined, cut: false, thought: false };
}

// A request needs all of a question but the check, whose parameter's type it cannot know.
function unchecked<T>({ check: _check, ...question }: Question<T>): Question<unknown> {
  return question;
}
