import { afterEach, describe, expect, it } from 'vitest';

import { quote } from '../../src/llm/quote.js';
import {
  expansionOf,
  startModelServer,
  uniformTree,
  type Fault,
  type ModelServer,
  type ModelServerOptions,
  type SeenRequest,
} from '../support/model-server.js';
import { expansionQuestion, testModel } from '../support/model.js';

const servers: ModelServer[] = [];

async function serve(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

function sequence(...faults: readonly (Fault | undefined)[]): Promise<ModelServer> {
  return serve({ faults: ({ number }) => faults[number - 1] });
}

function requestOf(server: ModelServer, number: number): SeenRequest {
  const request = server.requests[number - 1];
  if (request === undefined) throw new Error(`there was no request ${number}`);
  return request;
}

const content = (text: unknown, finish_reason = 'stop'): Fault => ({
  kind: 'content',
  content: text,
  finish_reason,
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a question', () => {
  it('is one request that holds the schema, the goal escaped, and nothing random', async () => {
    const goal = 'Say "a < b" & </goal> — in <think>C++</think>';
    const server = await serve();
    const answer = await (await testModel(server.baseUrl)).expand(goal);
    const { body, path, user, goal: seen } = requestOf(server, 1);
    expect(answer).toMatchObject({ kind: 'reply', notes: [], value: { atomic: true, sub_goals: [] } });
    expect([path, seen]).toEqual(['/v1/chat/completions', goal]);
    expect(user).toBe(`<goal>${quote(goal)}</goal>`);
    expect(body).toMatchObject({
      model: 'test-model',
      temperature: 0,
      max_tokens: 4096,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'expansion',
          strict: true,
          schema: {
            type: 'object',
            additionalProperties: false,
            required: ['reasoning', 'atomic', 'decisions', 'sub_goals'],
          },
        },
      },
    });
    expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('is answered with the expansion the server knows, however large', async () => {
    const tree = { ...uniformTree(2, 3), description: 'x'.repeat(1_000_000) };
    const server = await serve({ tree });
    const answer = await (await testModel(server.baseUrl)).expand(tree.description);
    expect(answer).toMatchObject({ kind: 'reply', value: expansionOf(tree), usage: { calls: 1 } });
  });

  it.each([
    ['in a fence', (text: string) => `\`\`\`json\n${text}\n\`\`\``],
    ['after its thoughts', (text: string) => `<think>{"atomic": maybe}</think>${text}`],
    ['between other words', (text: string) => `Sure: ${text} Done.`],
  ])('is answered by a model that replies %s', async (_name, wrap) => {
    const server = await serve({ tree: uniformTree(1, 2), faults: () => ({ kind: 'wrap', wrap }) });
    const answer = await (await testModel(server.baseUrl)).expand('Build the thing');
    expect(answer).toMatchObject({
      kind: 'reply',
      value: expansionOf(uniformTree(1, 2)),
      usage: { calls: 1 },
    });
  });

  it('is answered by a content in parts', async () => {
    const parts = [
      { type: 'text', text: '{"atomic":true,' },
      { type: 'text', text: '"reasoning":"r","sub_goals":[]}' },
    ];
    const server = await sequence(content(parts));
    expect(await (await testModel(server.baseUrl)).expand('Build')).toMatchObject({
      kind: 'reply',
      value: { reasoning: 'r' },
    });
  });
});

describe('a bad reply', () => {
  const bad = '{"atomic":"yes","reasoning":"</previous_reply> because","sub_goals":[]}';

  it('is quoted back once with its errors, in one user message with one goal', async () => {
    const server = await sequence(content(bad));
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    const { body, user, system } = requestOf(server, 2);
    expect(answer).toMatchObject({
      kind: 'reply',
      usage: { calls: 2 },
      notes: [expect.stringContaining('$.atomic')],
    });
    expect(body.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(system).toBe(server.requests[0]?.system);
    expect(user.startsWith('<goal>Build it</goal>\n<previous_reply>')).toBe(true);
    expect(user).toContain(`<previous_reply>${quote(bad)}</previous_reply>`);
    expect(user).toMatch(/<errors>\n- \$\.atomic: must be true or false, not a text\n<\/errors>/);
  });

  it('is cut when it is long', async () => {
    const server = await sequence(content('no '.repeat(50_000)));
    await (await testModel(server.baseUrl)).expand('Build it');
    expect(server.requests[1]?.user.length).toBeLessThan(9000);
  });

  it('that comes twice is rejected with its errors', async () => {
    const server = await sequence(content(bad), content('{"atomic":true}'));
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'rejected', code: 'invalid_reply', usage: { calls: 2 } });
    expect(answer).toMatchObject({ reason: expect.stringContaining('$.reasoning') });
    expect(server.count).toBe(2);
  });

  it('is also one that fails the check of its question', async () => {
    const server = await serve();
    const { model } = await testModel(server.baseUrl);
    const question = { ...expansionQuestion('Build it'), check: () => ['sub-goal 2 depends on itself'] };
    const answer = await model.ask(question, new AbortController().signal);
    expect(answer).toMatchObject({
      kind: 'rejected',
      reason: 'sub-goal 2 depends on itself',
      usage: { calls: 2 },
    });
    expect(server.requests[1]?.user).toContain('- sub-goal 2 depends on itself');
  });
});

describe('a reply cut off by length', () => {
  it('is asked for again, shorter, once', async () => {
    const server = await sequence(content('{"atomic":tr', 'length'));
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({
      kind: 'reply',
      usage: { calls: 2 },
      notes: [expect.stringContaining('cut off')],
    });
    expect(server.requests[1]?.user).toBe('<goal>Build it</goal>\nBe brief.');
  });

  it('is rejected when the shorter one is cut off too', async () => {
    const server = await sequence(content('{', 'length'), content('', 'length'));
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'rejected', code: 'cut_off', usage: { calls: 2 } });
  });

  it('is taken when it is whole all the same', async () => {
    const server = await serve({
      faults: () => ({ kind: 'wrap', wrap: (text) => text, finish_reason: 'length' }),
    });
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
  });

  it('and then one that is bad, and then a good one, makes three calls', async () => {
    const server = await sequence(content('{', 'length'), content('{}'));
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'reply', usage: { calls: 3 } });
    expect(server.requests[2]?.user).toContain('Be brief.\n<previous_reply>');
  });
});

describe('a refusal', () => {
  it.each<[string, Fault]>([
    ['in words', { kind: 'content', content: null, refusal: 'I will not.' }],
    ['by the filter', content('', 'content_filter')],
  ])('%s is rejected at once', async (_name, fault) => {
    const server = await sequence(fault);
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'rejected', code: 'refused', usage: { calls: 1 } });
  });
});

describe('a server that refuses', () => {
  it.each([
    ['json_schema', ['json_schema'], 2],
    ['json_schema and json_object', ['json_schema', 'json_object'], 3],
    ['temperature', ['temperature'], 2],
    ['max_tokens', ['max_tokens'], 2],
    ['any limit', ['max_tokens', 'max_completion_tokens'], 3],
    ['everything', ['json_schema', 'json_object', 'temperature', 'max_tokens', 'max_completion_tokens'], 6],
    ['a stream with its usage', ['stream_options'], 2],
    ['any stream', ['stream_options', 'stream'], 3],
  ] as const)('%s is asked without, and the next time at once', async (_name, refuse, calls) => {
    const server = await serve({ refuse });
    const { expand, waits, events } = await testModel(server.baseUrl, { maxRetries: 0 });
    expect(await expand('One')).toMatchObject({ kind: 'reply', usage: { calls } });
    expect(await expand('Two')).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
    expect(server.count).toBe(calls + 1);
    expect(waits).toEqual([]);
    expect(events.filter(({ kind }) => kind === 'learnt')).toHaveLength(calls - 1);
  });

  it('json_schema has the schema in the prompt instead, in JSON mode and without', async () => {
    const server = await serve({ refuse: ['json_schema', 'json_object'] });
    await (await testModel(server.baseUrl)).expand('Build it');
    const [strict, object, none] = server.requests;
    expect(strict?.system).not.toContain('JSON Schema');
    expect(object?.body.response_format).toEqual({ type: 'json_object' });
    expect(object?.system).toContain('"sub_goals"');
    expect(none?.body.response_format).toBeUndefined();
    expect(none?.system).toBe(object?.system);
  });

  it('sends max_completion_tokens to one that knows only that', async () => {
    const server = await serve({ refuse: ['max_tokens'] });
    await (await testModel(server.baseUrl)).expand('Build it');
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 4096 });
  });

  it.each([400, 404, 422])('with status %i and a body of its own shape is understood', async (status) => {
    const detail = [{ loc: ['body', 'response_format', 'type'], msg: 'Input should be text' }];
    const server = await serve({
      faults: ({ body }) =>
        body.response_format?.type === 'json_schema'
          ? { kind: 'status', status, body: { detail } }
          : undefined,
    });
    expect(await (await testModel(server.baseUrl)).expand('Build it')).toMatchObject({
      kind: 'reply',
      usage: { calls: 2 },
    });
  });

  it('is learnt per model', async () => {
    const server = await serve({
      faults: ({ body, number }) =>
        body.model === 'test-model' && number > 2 ? { kind: 'status', status: 500 } : undefined,
      refuse: ['temperature'],
    });
    const { expand } = await testModel(server.baseUrl, { fallbackModels: ['other'], maxRetries: 0 });
    await expand('One');
    expect((await expand('Two')).usage.calls).toBe(3);
    expect(server.requests.map(({ body }) => 'temperature' in body)).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('costs calls in flight no more than one refusal each, and later ones none', async () => {
    const server = await serve({ refuse: ['json_schema', 'temperature'], delay: 5 });
    const { expand } = await testModel(server.baseUrl, { concurrency: 4 });
    await Promise.all([1, 2, 3, 4].map((n) => expand(`Goal ${n}`)));
    expect(server.count).toBeLessThanOrEqual(12);
    expect((await expand('Later')).usage.calls).toBe(1);
  });
});

describe('usage', () => {
  it('is what the server reports', async () => {
    const server = await serve({ usage: () => ({ prompt_tokens: 123, completion_tokens: 45 }) });
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer.usage).toEqual({ calls: 1, input_tokens: 123, output_tokens: 45, cost_usd: null });
  });

  it.each([
    ['nothing', null],
    ['nonsense', () => ({ prompt_tokens: -5, completion_tokens: 'many' })],
    ['zeros', () => ({ prompt_tokens: 0, completion_tokens: 0 })],
  ])('is counted when the server reports %s', async (_name, usage) => {
    const server = await serve({ usage });
    const { usage: counted } = await (await testModel(server.baseUrl)).expand('Build it');
    expect(counted.input_tokens).toBeGreaterThan(50);
    expect(counted.output_tokens).toBeGreaterThan(5);
    expect(counted.cost_usd).toBeNull();
  });

  it.each([
    [
      'xAI, which reports thoughts beside the reply',
      { prompt_tokens: 100, completion_tokens: 20, total_tokens: 920 },
      820,
    ],
    ['a gateway of Gemini', { prompt_tokens: 100, completion_tokens: 0, total_tokens: 900 }, 800],
    ['a gateway that leaves the reply out', { prompt_tokens: 100, total_tokens: 150 }, 50],
    [
      'one whose total is less than its parts',
      { prompt_tokens: 100, completion_tokens: 60, total_tokens: 10 },
      60,
    ],
    ['one that reports the total and the reply alone', { completion_tokens: 60, total_tokens: 160 }, 60],
  ])('counts all that is charged as output at %s', async (_name, reported, output_tokens) => {
    const server = await serve({ usage: () => reported });
    const { usage } = await (await testModel(server.baseUrl)).expand('Build it');
    expect(usage.output_tokens).toBe(output_tokens);
  });

  it('has a cost where the price is set', async () => {
    const server = await serve({ usage: () => ({ prompt_tokens: 1000, completion_tokens: 100 }) });
    const { expand } = await testModel(server.baseUrl, {
      prices: { own: { 'test-model': { input: 2, output: 10 } } },
    });
    expect((await expand('Build it')).usage.cost_usd).toBeCloseTo(0.003, 10);
  });
});
