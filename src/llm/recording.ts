import * as z from 'zod';

import { messageOf, PlanError } from '../kernel/errors.js';
import { sha256 } from '../kernel/sha256.js';
import { NO_USAGE } from '../plan/plan.js';
import { usageSchema } from '../plan/schema.js';
import type { Answer, ChatModel, Question } from './chat-model.js';
import { shorten } from './error-text.js';
import { unquote } from './quote.js';
import { IN_OUR_WORDS } from '../kernel/word-issue.js';

const recordedSchema = z.looseObject({
  hash: z.string(),
  name: z.string(),
  system: z.string(),
  user: z.string(),
  answer: z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('reply'),
      value: z.unknown(),
      notes: z.array(z.string()),
      usage: usageSchema,
    }),
    z.looseObject({
      kind: z.literal('rejected'),
      code: z.enum(['refused', 'invalid_reply', 'cut_off']),
      reason: z.string(),
      usage: usageSchema,
    }),
  ]),
});

type Recorded = z.infer<typeof recordedSchema> & { readonly line: number };
type Asked = Pick<Recorded, 'name' | 'system' | 'user'>;

/**
 * A model that passes every question on to `inner` and appends a JSON line with question and answer before it
 * answers. Only what a model said is recorded: replies and rejections. An answer that cannot be recorded was paid for and
 * is given all the same; no question is asked after it: each is `unavailable` with STORAGE_FAILED.
 */
export function recordingModel(inner: ChatModel, append: (line: string) => Promise<void>): ChatModel {
  let failed: PlanError | undefined;
  return {
    get concurrency() {
      return inner.concurrency;
    },
    async ask(question, signal, stop) {
      if (failed !== undefined) return { kind: 'unavailable', error: failed, usage: NO_USAGE };
      const answer = await inner.ask(question, signal, stop);
      if (answer.kind !== 'reply' && answer.kind !== 'rejected') return answer;
      const { name, system, user } = question;
      try {
        await append(`${JSON.stringify({ hash: hashOf(question), name, system, user, answer })}\n`);
        return answer;
      } catch (thrown) {
        failed ??= notRecorded(thrown);
        return answer.kind === 'reply' ? { ...answer, notes: [...answer.notes, failed.message] } : answer;
      }
    },
  };
}

/**
 * A model that answers from a recording (the text of `file`), with no network and at no cost. A question recorded
 * several times is answered in the order of the lines, the last answer for ever. Throws INVALID_INPUT for a
 * damaged line, naming file and line.
 */
export function replayModel(text: string, file: string): ChatModel {
  const recorded = parseRecording(text, file);
  const answers = new Map<string, Recorded[]>();
  for (const line of recorded) answers.set(line.hash, [...(answers.get(line.hash) ?? []), line]);
  return {
    concurrency: Number.MAX_SAFE_INTEGER,
    async ask(question, signal, stop = signal) {
      if (signal.aborted || stop.aborted) return { kind: 'aborted', usage: NO_USAGE };
      const lines = answers.get(hashOf(question)) ?? [];
      const next = lines.length > 1 ? lines.shift() : lines[0];
      return next === undefined
        ? { kind: 'unavailable', error: missing(question, recorded, file), usage: NO_USAGE }
        : replayed(next, question, file);
    },
  };
}

/** The key of a question in a recording: the same for every model and server. */
export function hashOf({ name, system, user }: Asked): string {
  return sha256(JSON.stringify({ name, system, user }));
}

function replayed<T>({ answer, line }: Recorded, { schema }: Question<T>, file: string): Answer<T> {
  if (answer.kind === 'rejected')
    return { kind: 'rejected', code: answer.code, reason: answer.reason, usage: NO_USAGE };
  const parsed = schema.safeParse(answer.value, IN_OUR_WORDS);
  if (parsed.success) return { kind: 'reply', value: parsed.data, notes: answer.notes, usage: NO_USAGE };
  return {
    kind: 'unavailable',
    error: damaged(file, line, z.prettifyError(parsed.error)),
    usage: NO_USAGE,
  };
}

function parseRecording(text: string, file: string): readonly Recorded[] {
  const lines = text.split('\n').map((content, index) => ({ content, line: index + 1 }));
  return lines
    .filter(({ content }) => content.trim() !== '')
    .map(({ content, line }) => {
      try {
        return { ...recordedSchema.parse(JSON.parse(content), IN_OUR_WORDS), line };
      } catch (thrown) {
        // What the parser of JSON says quotes the file, which a plan from elsewhere can have named.
        const problem = thrown instanceof z.ZodError ? z.prettifyError(thrown) : 'it is not JSON';
        throw damaged(file, line, problem);
      }
    });
}

function missing(question: Asked, recorded: readonly Recorded[], file: string): PlanError {
  const goal = sections(question.user).get('goal') ?? '';
  const same = recorded.findLast(
    ({ name, user }) => name === question.name && sections(user).get('goal') === goal,
  );
  const difference =
    same === undefined
      ? 'this goal was never recorded'
      : `this goal was recorded (line ${same.line}) with ${differences(question, same).join(' and ')}`;
  return new PlanError(
    'REPLAY_MISSING',
    `${file} holds no answer for the goal “${shorten(unquote(goal))}”: ${difference}`,
    {
      hint: {
        commandLine:
          'replay with the settings, prompts and context of the recording, or record again with --record',
      },
      details: { file, name: question.name },
    },
  );
}

function differences(question: Asked, recorded: Asked): readonly string[] {
  const now = sections(question.user);
  const then = sections(recorded.user);
  const tags = [...new Set([...now.keys(), ...then.keys()])].filter((tag) => now.get(tag) !== then.get(tag));
  const found = tags.map((tag) =>
    !then.has(tag) ? `no <${tag}>` : now.has(tag) ? `another <${tag}>` : `a <${tag}> that is missing now`,
  );
  if (question.system !== recorded.system) found.push('another system prompt');
  return found.length === 0 ? ['other text around the tags'] : found;
}

function sections(user: string): ReadonlyMap<string, string> {
  const found = user.matchAll(/<([a-z_]+)>([^<]*)<\/\1>/g);
  return new Map(Array.from(found, ([, tag = '', text = '']) => [tag, text]));
}

function damaged(file: string, line: number, problem: string): PlanError {
  return new PlanError('INVALID_INPUT', `${file}:${line}: not a recorded answer: ${shorten(problem)}`, {
    details: { file, line },
  });
}

function notRecorded(thrown: unknown): PlanError {
  return new PlanError('STORAGE_FAILED', `the recording could not be written: ${messageOf(thrown)}`, {
    cause: thrown,
  });
}
