import { afterEach, describe, expect, it } from 'vitest';

import type { Answer, ChatModel } from '../../src/llm/chat-model.js';
import { hashOf, recordingModel, replayModel } from '../../src/llm/recording.js';
import type { Expansion } from '../../src/plan/expansion.js';
import { NO_USAGE } from '../../src/plan/plan.js';
import {
  startModelServer,
  uniformTree,
  type ModelServer,
  type ModelServerOptions,
} from '../support/model-server.js';
import { expansionQuestion, testModel } from '../support/model.js';

const KEY = 'sk-test-0123456789abcdef';
const live = new AbortController().signal;
const servers: ModelServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

// A recording of these goals' answers, with the answers.
async function record(
  goals: readonly string[],
  options: ModelServerOptions = { tree: uniformTree(2, 2) },
): Promise<{ text: string; answers: readonly Answer<Expansion>[] }> {
  const server = await startModelServer(options);
  servers.push(server);
  let text = '';
  const { model } = await testModel(server.baseUrl, { apiKey: KEY });
  const recording = recordingModel(model, async (line) => {
    text += line;
  });
  const answers: Answer<Expansion>[] = [];
  for (const goal of goals) answers.push(await recording.ask(expansionQuestion(goal), live));
  return { text, answers };
}

function ask(model: ChatModel, goal: string, user = ''): Promise<Answer<Expansion>> {
  return model.ask(expansionQuestion(goal, user), live);
}

async function missingFrom(text: string, goal: string, user = ''): Promise<string> {
  const answer = await ask(replayModel(text, 'replies.jsonl'), goal, user);
  if (answer.kind !== 'unavailable') throw new Error(`unexpected ${answer.kind}`);
  expect(answer.error.code).toBe('REPLAY_MISSING');
  return answer.error.message;
}

describe('a recording', () => {
  it('answers as the model did, at no cost', async () => {
    const goals = ['Build the thing', 'Build the thing / part 1', 'Say "a < b"'];
    const { text, answers } = await record(goals);
    const replay = replayModel(text, 'replies.jsonl');
    for (const [index, goal] of goals.entries())
      expect(await ask(replay, goal)).toEqual({ ...answers[index], usage: NO_USAGE });
  });

  it('holds a line for every answer of the model, with the hash of the question and without the key', async () => {
    const { text } = await record(['One', 'Two'], {
      faults: ({ goal, number }) =>
        goal === 'Two'
          ? { kind: 'content', content: `no, ${KEY}` }
          : number === 1
            ? { kind: 'status', status: 500 }
            : undefined,
    });
    const lines = text
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(text).not.toContain(KEY);
    expect(lines).toMatchObject([
      {
        hash: hashOf(expansionQuestion('One')),
        name: 'expansion',
        answer: { kind: 'reply', usage: { calls: 2 } },
      },
      { user: '<goal>Two</goal>', answer: { kind: 'rejected', code: 'invalid_reply', usage: { calls: 2 } } },
    ]);
    expect(await ask(replayModel(text, 'f'), 'Two')).toMatchObject({
      kind: 'rejected',
      code: 'invalid_reply',
    });
  });

  it('does not hold what is no answer of the model', async () => {
    const { text, answers } = await record(['One'], { faults: () => ({ kind: 'status', status: 401 }) });
    expect([text, answers[0]?.kind]).toEqual(['', 'unavailable']);
  });

  it('answers the same question in the order recorded, the last for ever', async () => {
    let number = 0;
    const respond = (): unknown => ({ atomic: true, reasoning: String((number += 1)), sub_goals: [] });
    const { text } = await record(['One', 'One'], { respond });
    const replay = replayModel(text, 'f');
    const reasons = [await ask(replay, 'One'), await ask(replay, 'One'), await ask(replay, 'One')].map(
      (answer) => answer.kind === 'reply' && answer.value.reasoning,
    );
    expect(reasons).toEqual(['1', '2', '2']);
  });

  it('says that a goal was never recorded', async () => {
    const { text } = await record(['One']);
    expect(await missingFrom(text, 'A < B')).toBe(
      'replies.jsonl holds no answer for the goal “A < B”: this goal was never recorded',
    );
  });

  it('says what differs when the goal was recorded with something else', async () => {
    const { text } = await record(['One']);
    expect(await missingFrom(text, 'One', '<siblings>x</siblings>')).toContain('(line 1) with no <siblings>');
    const other = text.replace('You plan work.', 'You plan.').replaceAll(/"hash":"\w+"/g, '"hash":"0"');
    expect(await missingFrom(other, 'One')).toContain('with another system prompt');
  });

  it.each([
    ['no JSON', '{"hash":'],
    ['another shape', '{"hash":"x"}'],
    ['an unknown kind of answer', '{"hash":"x","name":"n","system":"","user":"","answer":{"kind":"reply?"}}'],
  ])('that is damaged is refused with file and line: %s', async (_name, line) => {
    const { text } = await record(['One']);
    expect(() => replayModel(`${text}\n${line}\n`, 'replies.jsonl')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining('replies.jsonl:3') }),
    );
  });

  it('whose value does not fit the question is refused with file and line', async () => {
    const { text } = await record(['One']);
    const answer = await ask(
      replayModel(text.replace('"atomic":true', '"atomic":1'), 'replies.jsonl'),
      'One',
    );
    expect(answer).toMatchObject({ kind: 'unavailable', error: { code: 'INVALID_INPUT' } });
  });

  it('that cannot be written costs no answer that was paid for, and nothing is asked after it', async () => {
    const { text } = await record(['One', 'Two']);
    let asked = 0;
    const inner = replayModel(text, 'f');
    const counted: typeof inner = { ...inner, ask: (...given) => ((asked += 1), inner.ask(...given)) };
    const full = recordingModel(counted, () => Promise.reject(new Error('disk full')));
    expect(await ask(full, 'One')).toMatchObject({
      kind: 'reply',
      notes: [expect.stringContaining('disk full')],
    });
    expect(await ask(full, 'Two')).toMatchObject({ kind: 'unavailable', error: { code: 'STORAGE_FAILED' } });
    expect(asked).toBe(1);
  });
});
