import { afterEach, describe, expect, it } from 'vitest';

import { startModelServer, type ModelServer, type ModelServerOptions } from '../support/model-server.js';
import { expansionQuestion, testModel, type TestModel } from '../support/model.js';

const servers: ModelServer[] = [];

async function serve(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

// Sixteen questions at once; the kinds of their answers, sorted.
async function askSixteen({ expand }: TestModel): Promise<readonly string[]> {
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => expand(`Goal ${index}`)));
  return answers.map((answer) => (answer.kind === 'budget' ? answer.limit : answer.kind)).sort();
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a budget', () => {
  it('of calls is never exceeded by one, retries included', async () => {
    const server = await serve({
      faults: ({ number }) => (number % 3 === 0 ? { kind: 'status', status: 500 } : undefined),
    });
    const kinds = await askSixteen(
      await testModel(server.baseUrl, { budget: { calls: 10 }, concurrency: 16 }),
    );
    expect(server.count).toBe(10);
    expect(kinds.filter((kind) => kind === 'reply')).toHaveLength(7);
    expect(kinds).toContain('calls');
  });

  it('of calls holds over former runs', async () => {
    const server = await serve();
    const spent = { calls: 9, input_tokens: 1, output_tokens: 1, cost_usd: null };
    const { expand } = await testModel(server.baseUrl, { budget: { calls: 10 }, spent });
    expect((await expand('One')).kind).toBe('reply');
    expect(await expand('Two')).toEqual({
      kind: 'budget',
      limit: 'calls',
      usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    });
    expect(server.count).toBe(1);
  });

  it.each([
    ['a quarter of the characters', undefined],
    ['one token a character', 1],
    ['always two thousand', 0],
  ])('of tokens is never exceeded when the server counts %s', async (_name, factor) => {
    const server = await serve({
      delay: 2,
      ...(factor === undefined
        ? {}
        : {
            usage: ({ system, user }, content) => ({
              prompt_tokens: factor === 0 ? 1000 : system.length + user.length,
              completion_tokens: factor === 0 ? 1000 : content.length,
            }),
          }),
    });
    const tokens = 12_000;
    const model = await testModel(server.baseUrl, {
      budget: { tokens },
      concurrency: 16,
      maxOutputTokens: 1000,
    });
    const kinds = await askSixteen(model);
    expect(kinds).toContain('reply');
    expect(server.reportedTokens).toBeLessThanOrEqual(tokens);
    expect(kinds.includes('tokens')).toBe(factor === 0);
  });

  it('that leaves room for a short reply only asks for a short reply', async () => {
    const server = await serve();
    const { expand } = await testModel(server.baseUrl, { budget: { tokens: 1500 } });
    expect((await expand('Build it')).kind).toBe('reply');
    expect(server.requests[0]?.body['max_tokens']).toBeLessThan(1500);
  });

  it('of dollars is never exceeded', async () => {
    const server = await serve({
      usage: ({ body }) => ({ prompt_tokens: 400, completion_tokens: body['max_tokens'] }),
    });
    const model = await testModel(server.baseUrl, {
      budget: { usd: 0.05 },
      prices: { own: { 'test-model': { input: 1, output: 10 } } },
      maxOutputTokens: 1000,
      concurrency: 16,
    });
    expect(await askSixteen(model)).toContain('usd');
    const asked = server.requests.map(({ body }) => Number(body['max_tokens']));
    expect(asked.slice(0, 4)).toEqual([1000, 1000, 1000, 1000]);
    expect(asked.reduce((usd, output) => usd + (400 + output * 10) / 1e6, 0)).toBeLessThanOrEqual(0.05);
  });

  it('of dollars holds where thoughts are reported in the total alone', async () => {
    const server = await serve({
      usage: ({ body }) => ({
        prompt_tokens: 400,
        completion_tokens: 20,
        total_tokens: 400 + Number(body['max_tokens']),
      }),
    });
    const model = await testModel(server.baseUrl, {
      budget: { usd: 0.05 },
      prices: { own: { 'test-model': { input: 1, output: 10 } } },
      maxOutputTokens: 1000,
    });
    expect(await askSixteen(model)).toContain('usd');
    const asked = server.requests.map(({ body }) => Number(body['max_tokens']));
    expect(asked.reduce((usd, output) => usd + (400 + output * 10) / 1e6, 0)).toBeLessThanOrEqual(0.05);
  });

  it('of dollars needs the price of every model', async () => {
    const prices = { own: { 'test-model': { input: 1, output: 1 } } };
    const options = { budget: { usd: 1 }, prices, fallbackModels: ['other'] };
    await expect(testModel('http://127.0.0.1:9/v1', options)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('other'),
      hint: expect.stringContaining('prices'),
    });
  });

  it('of seconds lets the request under way finish and begins no other', async () => {
    const server = await serve({ delay: 1500 });
    const spent = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, seconds: 59 };
    const { expand } = await testModel(server.baseUrl, { budget: { seconds: 60 }, spent });
    expect(await expand('One')).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
    expect(await expand('Two')).toMatchObject({ kind: 'budget', limit: 'seconds', usage: { calls: 0 } });
    expect(server.count).toBe(1);
  });

  it('of seconds begins no retry when the request under way has failed', async () => {
    const server = await serve({ faults: () => ({ kind: 'stall' }) });
    const spent = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, seconds: 59 };
    const { expand } = await testModel(server.baseUrl, { budget: { seconds: 60 }, spent, timeoutMs: 1500 });
    expect(await expand('Build it')).toMatchObject({ kind: 'budget', limit: 'seconds', usage: { calls: 1 } });
    expect(server.count).toBe(1);
  });
});

describe('the context window', () => {
  it('shortens the reply asked for', async () => {
    const server = await serve();
    const { expand } = await testModel(server.baseUrl, { contextTokens: 3000 });
    expect((await expand('Build it')).kind).toBe('reply');
    expect(server.requests[0]?.body['max_tokens']).toBeLessThan(3000);
  });

  it('rejects a prompt that leaves no room for a reply, without a call', async () => {
    const server = await serve();
    const { expand } = await testModel(server.baseUrl, { contextTokens: 3000 });
    expect(await expand('word '.repeat(5000))).toMatchObject({
      kind: 'rejected',
      code: 'cut_off',
      usage: { calls: 0 },
    });
    expect(server.count).toBe(0);
  });
});

describe('the concurrency', () => {
  it('is never exceeded', async () => {
    const server = await serve({ delay: 150 });
    await askSixteen(await testModel(server.baseUrl, { concurrency: 5 }));
    expect(server.mostAtOnce).toBe(5);
  });

  it('halves at a 429 and recovers one by one', async () => {
    const server = await serve({
      faults: ({ number }) =>
        number === 1 ? { kind: 'status', status: 429, headers: { 'retry-after': '2' } } : undefined,
    });
    const model = await testModel(server.baseUrl, { concurrency: 8 });
    const seen: number[] = [];
    for (let call = 0; call < 30; call += 1) {
      await model.expand(`Goal ${call}`);
      seen.push(model.model.concurrency);
    }
    expect(model.events.find(({ kind }) => kind === 'throttled')).toMatchObject({
      concurrency: 4,
      wait_ms: 2000,
    });
    expect([seen[0], seen[3], seen[8], seen[29]]).toEqual([4, 5, 6, 8]);
  });

  it('halves once when calls in flight are refused together, and all wait', async () => {
    const server = await serve({
      faults: ({ number }) =>
        number <= 8 ? { kind: 'status', status: 429, headers: { 'retry-after': '9' } } : undefined,
    });
    const gate = new AbortController();
    const slept = new Promise<void>((resolve) => gate.signal.addEventListener('abort', () => resolve()));
    const model = await testModel(server.baseUrl, { concurrency: 8, sleep: () => slept });
    const done = askSixteen(model);
    while (model.events.filter(({ kind }) => kind === 'throttled').length < 8)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(model.model.concurrency).toBe(4);
    expect(server.count).toBe(8);
    gate.abort();
    expect(new Set(await done)).toEqual(new Set(['reply']));
    expect(server.count).toBe(24);
  });
});

describe('an aborted question', () => {
  it('gives its place to the others', async () => {
    const server = await serve({ delay: ({ goal }) => (goal === 'slow' ? 60_000 : 0) });
    const { model, expand } = await testModel(server.baseUrl, { concurrency: 1 });
    const controller = new AbortController();
    const slow = model.ask(expansionQuestion('slow'), controller.signal);
    const quick = expand('quick');
    while (server.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect((await slow).kind).toBe('aborted');
    expect((await quick).kind).toBe('reply');
  });
});
