import { PlanError } from '../../kernel/errors.js';
import { oneLine } from '../../kernel/text/safe-text.js';
import { truncate } from '../../kernel/text/truncate.js';
import { addUsage, NO_USAGE } from '../../plan/plan.js';
import type { Usage } from '../../plan/schema.js';
import { ALL_CAPABILITIES } from '../capabilities.js';
import type { Answer, ChatModel, Question } from '../chat-model.js';
import { createLimiter } from '../limiter.js';
import type { Limiter } from '../limiter.js';
import { inShort, readReply } from '../reply/read-reply.js';
import { FIRST_TURN, requestBody } from '../request.js';
import type { Turn } from '../request.js';
import { usageOfCall } from '../spend/meter.js';
import type { Meter, Reservation } from '../spend/meter.js';
import { countTokens, mostTokens } from '../spend/tokens.js';
import { scrub, scrubReply } from '../text/scrub.js';
import { runModelCommand } from './run-model-command.js';
import type { CommandCall, CommandEnd } from './run-model-command.js';

/** Agents are heavy, and share the limits of one account. */
const AT_ONCE = 2;
const OUTPUT_TOKENS = 4096;
const LONGEST_REASON = 300;
const LONGEST_LAST = 200;

export interface CommandModelOptions extends Pick<
  CommandCall,
  'argv' | 'folder' | 'variables' | 'timeoutMs'
> {
  /** How the user calls it: `exec:claude`. */
  readonly name: string;
  /** What nobody may see of what the command says. */
  readonly secrets: readonly string[];
  readonly meter: Meter;
  readonly concurrency: number;
  /** Who may ask when beside others, given who may in this process. */
  readonly limiter?: ((own: Limiter) => Limiter) | undefined;
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * A model that is a command of this machine: it reads the prompt on standard input, and its reply is what it writes. Replies
 * are read, checked and repaired as those of a server. What it costs is not known; its tokens are counted here.
 * @throws PlanError INVALID_CONFIG for a budget in dollars
 */
export function createCommandModel(options: CommandModelOptions): ChatModel {
  if (options.meter.limits('usd')) throw unknownPrice(options.name);
  const concurrency = Math.min(AT_ONCE, options.concurrency);
  const own = createLimiter({ concurrency, now: options.now, sleep: options.sleep });
  const limiter = options.limiter?.(own) ?? own;
  return {
    concurrency,
    async ask<T>(question: Question<T>, signal: AbortSignal, stop: AbortSignal = signal): Promise<Answer<T>> {
      const slot = await limiter.acquire(stop);
      if (slot === undefined) return { kind: 'aborted', usage: NO_USAGE };
      try {
        return await converse(question, options, { signal, stop });
      } finally {
        slot.release();
      }
    },
  };
}

interface Stops {
  readonly signal: AbortSignal;
  readonly stop: AbortSignal;
}

/** Asks once, and once more with the errors of a reply that is no good. */
async function converse<T>(
  question: Question<T>,
  options: CommandModelOptions,
  stops: Stops,
): Promise<Answer<T>> {
  const { check: _check, ...bare } = question;
  let usage: Usage = NO_USAGE;
  let turn: Turn = FIRST_TURN;
  for (;;) {
    const asked = await askOnce(promptText(bare, turn), options, stops);
    usage = addUsage(usage, asked.usage);
    if (asked.kind !== 'text') return { ...asked, usage };
    const reading = readReply(asked.text, question);
    const notes = turn.repair === undefined ? [] : ['a reply was not as asked and had to be repaired'];
    if (reading.kind === 'value') return { kind: 'reply', value: reading.value, usage, notes };
    if (turn.repair !== undefined || stops.stop.aborted)
      return { kind: 'rejected', code: 'invalid_reply', reason: inShort(reading.errors), usage };
    turn = { ...turn, repair: { reply: asked.text, errors: reading.errors } };
  }
}

/** What is on standard input: as for a server that knows neither roles nor formats. */
function promptText(question: Question<unknown>, turn: Turn): string {
  const { messages } = requestBody(question, turn, '', OUTPUT_TOKENS, {
    ...ALL_CAPABILITIES,
    format: 'none',
    system: false,
  });
  return messages.map(({ content }) => content).join('\n\n');
}

type Asked =
  | { readonly kind: 'text'; readonly text: string; readonly usage: Usage }
  | Exclude<Answer<never>, { kind: 'reply' | 'rejected' }>;

async function askOnce(input: string, options: CommandModelOptions, { signal, stop }: Stops): Promise<Asked> {
  const { meter } = options;
  const input_tokens = await countTokens(input);
  const leave = await meter.reserve(
    {
      input_tokens,
      most_input_tokens: mostTokens(input),
      max_output_tokens: OUTPUT_TOKENS,
      costOf: () => null,
    },
    stop,
  );
  if (leave.kind === 'limit') return { kind: 'budget', limit: leave.limit, usage: NO_USAGE };
  if (leave.kind === 'aborted') return { kind: 'aborted', usage: NO_USAGE };
  const end = scrubbed(await runModelCommand({ ...options, input, signal }), options.secrets);
  const usage = await chargedUsage(meter, leave, end, input_tokens);
  if (end.kind === 'aborted') return { kind: 'aborted', usage };
  const error = failureOf(end, options);
  if (error !== null) return { kind: 'unavailable', error, usage };
  return { kind: 'text', text: end.kind === 'ended' ? end.out : '', usage };
}

function unknownPrice(name: string): PlanError {
  return new PlanError(
    'INVALID_CONFIG',
    `a budget in US dollars cannot be kept: what ${name} costs is not known`,
    {
      hint: { commandLine: 'leave it out; budgets of calls, tokens and seconds can be kept' },
      details: { model: name },
    },
  );
}

function scrubbed(end: CommandEnd, secrets: readonly string[]): CommandEnd {
  switch (end.kind) {
    case 'ended':
      return {
        ...end,
        out: (end.status === 0 ? scrubReply : scrub)(end.out, secrets),
        said: scrub(end.said, secrets),
      };
    case 'timeout':
      return { ...end, last: scrub(end.last, secrets) };
    default:
      return end;
  }
}

async function chargedUsage(
  meter: Meter,
  leave: Reservation,
  end: CommandEnd,
  input_tokens: number,
): Promise<Usage> {
  const output_tokens = end.kind === 'ended' ? await countTokens(end.out) : 0;
  const wasRun = end.kind !== 'not_started';
  const usage: Usage = wasRun ? { calls: 1, input_tokens, output_tokens, cost_usd: null } : NO_USAGE;
  meter.settle(leave, usage, false);
  return usageOfCall(leave, usage);
}

/** Why a command gave no reply at all; null where it gave one. */
function failureOf(end: CommandEnd, { name, argv, timeoutMs }: CommandModelOptions): PlanError | null {
  const failed = (reason: string, hint: string): PlanError =>
    new PlanError('MODEL_FAILED', `${name} ${truncate(oneLine(reason), LONGEST_REASON)}`, {
      hint: { commandLine: hint },
      details: { model: name, command: argv[0] ?? '' },
    });
  switch (end.kind) {
    case 'ended':
      return end.status === 0
        ? null
        : failed(
            `ended with status ${end.status}: ${end.said === '' ? end.out : end.said}`,
            'Run the command by hand to see what it lacks; `plan resume` goes on.',
          );
    case 'timeout':
      return failed(
        `gave no reply within ${Math.round(timeoutMs / 1000)} s and was ended${end.last === '' ? '' : `; it had said last: ${oneLine(end.last).slice(-LONGEST_LAST)}`}`,
        end.last === ''
          ? '--timeout gives it longer; `plan resume` goes on.'
          : 'If it waits for a sign-in, run it by hand once. --timeout gives it longer; `plan resume` goes on.',
      );
    case 'too_much':
      return failed('wrote more than a reply may have', 'Is it a command that answers one prompt?');
    case 'not_started':
      return failed(`cannot be started: ${end.reason}`, `Is ${argv[0] ?? 'it'} installed, and on your PATH?`);
    default:
      return null;
  }
}
