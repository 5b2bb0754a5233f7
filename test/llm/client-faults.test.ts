import { afterEach, describe, expect, it } from 'vitest';

import type { Answer } from '../../src/llm/chat-model.js';
import {
  startModelServer,
  type Fault,
  type ModelServer,
  type ModelServerOptions,
} from '../support/model-server.js';
import { expansionQuestion, testModel } from '../support/model.js';

const servers: ModelServer[] = [];
const KEY = 'sk-test-0123456789abcdef';

async function serve(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

// A server with one fault for its first `times` requests.
function failing(fault: Fault, times = Infinity): Promise<ModelServer> {
  return serve({ faults: ({ number }) => (number <= times ? fault : undefined) });
}

function errorOf(answer: Answer<unknown>): { code: string; message: string; hint: string } {
  if (answer.kind !== 'unavailable') throw new Error(`unexpected ${answer.kind}`);
  const { code, message, hint = '' } = answer.error;
  return { code, message, hint };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a fault that passes', () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ['408', { kind: 'status', status: 408 }],
    ['409', { kind: 'status', status: 409 }],
    ['500', { kind: 'status', status: 500 }],
    ['503 with an empty body', { kind: 'body', status: 503, body: '' }],
    [
      '502 with HTML',
      { kind: 'body', status: 502, body: '<html>Bad gateway</html>', contentType: 'text/html' },
    ],
    ['200 with HTML', { kind: 'body', body: '<html>Sign in</html>', contentType: 'text/html' }],
    ['200 with broken JSON', { kind: 'body', body: '{"choices": [' }],
    ['200 with an empty body', { kind: 'body', body: '' }],
    ['200 with null', { kind: 'body', body: 'null' }],
    ['200 with an error in it', { kind: 'body', body: '{"error":{"message":"upstream","code":502}}' }],
    ['200 with bytes that are no UTF-8', { kind: 'body', body: new Uint8Array([0xff, 0xfe, 0x7b]) }],
    ['204', { kind: 'body', status: 204, body: '' }],
    ['an empty list of choices', { kind: 'body', body: '{"choices":[]}' }],
    ['an empty content', { kind: 'content', content: '' }],
    ['a content of null', { kind: 'content', content: null }],
    ['a connection dropped before the headers', { kind: 'drop', when: 'before_headers' }],
    ['a connection dropped after the headers', { kind: 'drop', when: 'after_headers' }],
    ['a connection dropped in the body', { kind: 'drop', when: 'mid_body' }],
  ];

  it.each(faults)('is retried: %s', async (_name, fault) => {
    const server = await failing(fault, 2);
    const { expand, waits } = await testModel(server.baseUrl);
    const answer = await expand('Build it');
    expect(answer.kind).toBe('reply');
    expect(server.count).toBe(3);
    expect(answer.usage.calls).toBe(3);
    expect(waits).toEqual([500, 1000]);
  });

  it.each(faults)('that does not pass ends as unavailable: %s', async (_name, fault) => {
    const server = await failing(fault);
    const { expand, waits } = await testModel(server.baseUrl, { maxRetries: 2 });
    const answer = await expand('Build it');
    const { code, message } = errorOf(answer);
    expect(code).toBe('MODEL_FAILED');
    expect(message).toContain('test-model');
    expect(message).toContain(server.baseUrl);
    expect(message).toContain('3 attempts');
    expect(server.count).toBe(3);
    expect(answer.usage.calls).toBe(3);
    expect(answer.usage.cost_usd).toBeNull();
    expect(waits).toHaveLength(2);
  });

  it.each(['before_headers', 'mid_body'] as const)('is retried when a server stalls %s', async (when) => {
    const server = await failing({ kind: 'stall', when }, 1);
    const { expand, events } = await testModel(server.baseUrl, { timeoutMs: 150 });
    const answer = await expand('Build it');
    expect(answer.kind).toBe('reply');
    expect(answer.usage.calls).toBe(server.count);
    expect(server.count).toBe(2);
    expect(events).toMatchObject([{ kind: 'retry', reason: expect.stringMatching(/timed out/i) }]);
  });

  it('waits at most 30 seconds between two attempts', async () => {
    const server = await failing({ kind: 'status', status: 500 });
    const { expand, waits } = await testModel(server.baseUrl, { maxRetries: 8 });
    await expand('Build it');
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('spreads the waits over the whole range by chance', async () => {
    const server = await failing({ kind: 'status', status: 500 });
    const { expand, waits } = await testModel(server.baseUrl, { maxRetries: 2, random: () => 0.1 });
    await expand('Build it');
    expect(waits).toEqual([50, 100]);
  });

  it('of a huge reply is retried once', async () => {
    const server = await failing({ kind: 'body', body: new Uint8Array(33 * 1024 * 1024) });
    const { expand } = await testModel(server.baseUrl);
    expect(errorOf(await expand('Build it')).message).toContain('larger than');
    expect(server.count).toBe(2);
  });

  it('counts no call when no connection came about', async () => {
    const server = await serve();
    await server.close();
    const { expand } = await testModel(server.baseUrl, { maxRetries: 1 });
    const answer = await expand('Build it');
    expect(errorOf(answer).message).toContain('ECONNREFUSED');
    expect(answer.usage).toEqual({ calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 });
  });
});

describe('Retry-After', () => {
  it.each([
    ['in seconds', 503, { 'retry-after': '7' }, [7000]],
    ['as an HTTP date', 503, { 'retry-after': 'Sun, 30 Nov 2025 10:00:09 GMT' }, [9000]],
    ['in milliseconds', 503, { 'retry-after-ms': '1500', 'retry-after': '2' }, [1500]],
    ['with a 429', 429, { 'retry-after': '3' }, [3000]],
    ['in the past', 503, { 'retry-after': 'Sun, 30 Nov 2025 09:00:00 GMT' }, []],
    ['that is nonsense', 503, { 'retry-after': 'soon' }, [500]],
  ])('%s is honoured', async (_name, status, headers, expected) => {
    const server = await failing({ kind: 'status', status, headers }, 1);
    const { expand, waits } = await testModel(server.baseUrl);
    expect((await expand('Build it')).kind).toBe('reply');
    expect(waits).toEqual(expected);
  });

  it('of more than a minute fails the model at once, and for as long', async () => {
    const server = await serve({
      faults: ({ body }) =>
        body.model === 'test-model'
          ? { kind: 'status', status: 429, headers: { 'retry-after': '61' } }
          : undefined,
    });
    const { expand, waits } = await testModel(server.baseUrl, { fallbackModels: ['other'] });
    expect((await expand('Build it')).kind).toBe('reply');
    expect((await expand('Build that')).kind).toBe('reply');
    expect(server.requests.map(({ body }) => body.model)).toEqual(['test-model', 'other', 'other']);
    expect(waits).toEqual([]);
  });
});

describe('fallback models', () => {
  it('are asked in order, each with all its retries', async () => {
    const server = await serve({
      faults: ({ body }) => (body.model === 'c' ? undefined : { kind: 'status', status: 500 }),
    });
    const { expand, events } = await testModel(server.baseUrl, {
      model: 'a',
      fallbackModels: ['b', 'c'],
      maxRetries: 1,
    });
    const answer = await expand('Build it');
    expect(server.requests.map(({ body }) => body.model)).toEqual(['a', 'a', 'b', 'b', 'c']);
    expect(answer.usage.calls).toBe(5);
    expect(answer).toMatchObject({
      kind: 'reply',
      notes: [expect.any(String), expect.any(String)],
    });
    expect(events.filter(({ kind }) => kind === 'fallback')).toMatchObject([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ]);
  });

  it('that fail too leave the last fault and the number of attempts in the error', async () => {
    const server = await failing({ kind: 'status', status: 503, body: { error: { message: 'overloaded' } } });
    const { expand } = await testModel(server.baseUrl, { fallbackModels: ['b'], maxRetries: 1 });
    const { message } = errorOf(await expand('Build it'));
    expect(message).toBe(`b at ${server.baseUrl} failed after 4 attempts: HTTP 503: overloaded`);
  });
});

describe('an error that no retry mends', () => {
  it.each([
    ['401', 401, { error: { message: `Incorrect API key provided: ${KEY}` } }, 'MODEL_UNAUTHORIZED'],
    ['401 in another shape', 401, { detail: `bad token Bearer ${KEY}` }, 'MODEL_UNAUTHORIZED'],
    ['403', 403, { error: `no access with ${KEY}` }, 'MODEL_UNAUTHORIZED'],
    ['404', 404, { error: { message: 'no such model', code: 'model_not_found' } }, 'MODEL_UNKNOWN'],
    ['405', 405, { detail: 'Method Not Allowed' }, 'MODEL_UNKNOWN'],
    [
      '200 with a text for an error',
      200,
      { error: 'Unexpected endpoint or method. (POST /chat/completions)' },
      'MODEL_UNKNOWN',
    ],
    ['200 with another', 200, { error: `Failed to read the request of ${KEY}` }, 'MODEL_FAILED'],
    ['400 for the model', 400, { error: { message: 'bad', code: 'model_not_found' } }, 'MODEL_UNKNOWN'],
    ['400', 400, { error: { message: `x`.repeat(5000) } }, 'MODEL_FAILED'],
    ['402', 402, { message: 'pay first' }, 'MODEL_FAILED'],
    [
      '429 for want of credit',
      429,
      { error: { message: 'quota', code: 'insufficient_quota' } },
      'MODEL_FAILED',
    ],
    ['307', 307, {}, 'MODEL_FAILED'],
  ])('ends at once, for each model: %s', async (_name, status, body, code) => {
    const headers = { location: 'https://elsewhere.example/v1' };
    const server = await failing({ kind: 'status', status, body, headers });
    const { expand, events } = await testModel(server.baseUrl, { apiKey: KEY, fallbackModels: ['b'] });
    const answer = await expand('Build it');
    const error = errorOf(answer);
    expect(error.code).toBe(code);
    expect(error.message.length).toBeLessThan(500);
    expect(JSON.stringify([error, answer, events])).not.toContain(KEY);
    expect(server.requests.map(({ body }) => body.model)).toEqual(['test-model', 'b']);
    expect(answer.usage.calls).toBe(status === 429 ? 0 : 2);
    expect(error.hint.includes('/v1')).toBe(code === 'MODEL_UNKNOWN');
    expect(error.hint.includes('OPENAI_API_KEY')).toBe(code === 'MODEL_UNAUTHORIZED');
    expect(error.message.includes('https://elsewhere.example,')).toBe(status === 307);
  });

  it.each([
    ['context_length_exceeded', 'cut_off'],
    ['content_filter', 'refused'],
  ])('concerns this goal only: 400 %s', async (errorCode, code) => {
    const server = await failing({
      kind: 'status',
      status: 400,
      body: { error: { message: 'no', code: errorCode } },
    });
    const { expand } = await testModel(server.baseUrl);
    expect(await expand('Build it')).toMatchObject({ kind: 'rejected', code, usage: { calls: 1 } });
  });
});

describe('an abort', () => {
  it('ends a request under way, a wait, and what has not begun', async () => {
    const server = await serve({ delay: 60_000 });
    const { model } = await testModel(server.baseUrl, { concurrency: 1 });
    const controller = new AbortController();
    const asked = [1, 2].map((n) => model.ask(expansionQuestion(`Goal ${n}`), controller.signal));
    while (server.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    expect((await Promise.all(asked)).map(({ kind, usage }) => [kind, usage.calls])).toEqual([
      ['aborted', 1],
      ['aborted', 0],
    ]);
    expect((await model.ask(expansionQuestion('Goal 3'), controller.signal)).kind).toBe('aborted');
    expect(server.count).toBe(1);
  });
});

describe('the key', () => {
  it('is sent as a bearer token, and not at all when there is none', async () => {
    const server = await serve();
    await (await testModel(server.baseUrl, { apiKey: KEY })).expand('Build it');
    await (await testModel(server.baseUrl)).expand('Build it');
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, undefined]);
    expect(server.requests[0]?.headers['user-agent']).toBe('frctl-test');
  });

  it('is scrubbed from a reply that holds it', async () => {
    const server = await serve({ respond: () => ({ atomic: true, reasoning: `key ${KEY}`, sub_goals: [] }) });
    const { expand } = await testModel(server.baseUrl, { apiKey: KEY });
    expect(await expand('Build it')).toMatchObject({ kind: 'reply', value: { reasoning: 'key [key]' } });
  });

  it('is scrubbed however a server escapes it', async () => {
    const key = 'sk-test/0123456789+abcdef==';
    const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
    const escaped = Array.from(key, (character) => `\\u${hex(character)}`).join('');
    const server = await serve({
      faults: ({ number }) =>
        number === 1
          ? { kind: 'content', content: `{"atomic":true,"reasoning":"key ${escaped}","sub_goals":[]}` }
          : { kind: 'body', status: 401, body: `{"error":{"message":"no ${key.replace('/', '\\/')}"}}` },
    });
    const { expand } = await testModel(server.baseUrl, { apiKey: key });
    expect(await expand('Build it')).toMatchObject({ kind: 'reply', value: { reasoning: 'key [key]' } });
    const refused = await expand('Build it');
    expect(refused).toMatchObject({ error: { message: expect.stringContaining('no [key]') } });
  });

  it.each(['', 'two words', 'line end\n', 'schlüssel'])(
    'is refused when it cannot be one: %j',
    async (apiKey) => {
      await expect(testModel('http://127.0.0.1:9/v1', { apiKey })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
      });
    },
  );

  it.each(['ftp://x', 'nonsense', 'https://user:secret@host/v1', 'https://host/v1?key=secret'])(
    'cannot stand in a base URL, which must be one: %s',
    async (baseUrl) => {
      const refused = testModel(baseUrl);
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
      await expect(refused).rejects.not.toThrow(/secret/);
    },
  );
});

describe('a server that no encrypted connection leads to', () => {
  it.each([
    ['speaks no https', false, 'begin the base URL with http://'],
    ['has a certificate that nobody trusts', true, 'NODE_EXTRA_CA_CERTS'],
  ])('that %s is tried once, is no call, and the cure is told', async (_what, secure, cure) => {
    const server = await serve({ secure });
    const baseUrl = server.baseUrl.replace(/^https?/, 'https');
    const { expand, waits } = await testModel(baseUrl, { budget: { calls: 1 } });
    for (const goal of ['One', 'Two'])
      expect(await expand(goal)).toMatchObject({
        kind: 'unavailable',
        usage: { calls: 0, input_tokens: 0 },
        error: {
          code: 'MODEL_FAILED',
          message: expect.stringContaining(`test-model at ${baseUrl}: `) as string,
          hint: expect.stringContaining(cure) as string,
        },
      });
    expect(waits).toEqual([]);
    expect(server.count).toBe(0);
  });
});
