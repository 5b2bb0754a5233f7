import { createServer, type ServerResponse } from 'node:http';

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import { parseCompletion } from '../../src/llm/reply/chat-completion.js';
import {
  expansionOf,
  startModelServer,
  uniformTree,
  type ModelServer,
  type ModelServerOptions,
} from '../support/model-server.js';
import { testModel } from '../support/model.js';

const servers: ModelServer[] = [];

async function serve(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

/** A server that writes what it likes; its base URL. */
async function serveRaw(write: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => write(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
}

const chunk = (delta: unknown, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
const GOOD = '{"atomic":true,"reasoning":"r","sub_goals":[]}';

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('a reply in pieces', () => {
  it('is put together, with the usage that comes at its end', async () => {
    const tree = uniformTree(1, 5);
    const server = await serve({ tree, usage: () => ({ prompt_tokens: 123, completion_tokens: 45 }) });
    const answer = await (await testModel(server.baseUrl)).expand(tree.description);
    expect(answer).toMatchObject({ kind: 'reply', value: expansionOf(tree), notes: [] });
    expect(answer.usage).toMatchObject({ calls: 1, input_tokens: 123, output_tokens: 45 });
  });

  it.each([
    ['thoughts in another member', { content: GOOD, reasoning_content: 'Hm.' }],
    ['a reply in its thoughts', { content: null, reasoning: `So.\n${GOOD}` }],
    ['a call', { content: null, tool_calls: [{ function: { name: 'expansion', arguments: GOOD } }] }],
  ])('may be %s', async (_name, message) => {
    const server = await serve({ faults: () => ({ kind: 'message', message }) });
    expect(await (await testModel(server.baseUrl)).expand('Build it')).toMatchObject({
      kind: 'reply',
      usage: { calls: 1 },
    });
  });

  it('that a server does not give is taken as a whole', async () => {
    const server = await serve({ streams: false });
    expect((await (await testModel(server.baseUrl)).expand('Build it')).kind).toBe('reply');
    expect(server.count).toBe(1);
  });

  it('that a server gives only without a format is taken as a whole, in its format', async () => {
    const server = await serve({
      faults: ({ body }) =>
        body['stream'] === true
          ? {
              kind: 'status',
              status: 400,
              body: {
                error: {
                  message: 'response_format` does not support streaming',
                  type: 'invalid_request_error',
                },
              },
            }
          : undefined,
    });
    expect((await (await testModel(server.baseUrl)).expand('Build it')).kind).toBe('reply');
    expect(server.requests.at(-1)?.body.response_format?.type).toBe('json_schema');
    expect(server.count).toBe(3);
  });

  it.each([
    ['without its last line', `${chunk({ content: GOOD })}${chunk({}, { finish_reason: 'stop' })}`],
    ['with other line ends', `${chunk({ content: GOOD })}data: [DONE]\n\n`.replaceAll('\n', '\r\n')],
    [
      'with comments and pings',
      `: PROCESSING\n\nevent: ping\ndata: {}\n\n${chunk({ content: GOOD })}data: [DONE]\n\n`,
    ],
    [
      'with a message at the end',
      `data: ${JSON.stringify({ choices: [{ message: { content: GOOD }, finish_reason: 'stop' }] })}\n\n`,
    ],
  ])('is read %s', (_name, body) => {
    expect(parseCompletion(body)).toMatchObject({ texts: [GOOD], cut: false });
  });

  it.each([
    ['half a reply', chunk({ content: GOOD.slice(0, 20) })],
    ['nothing but signs of life', ': PROCESSING\n\n'],
    [
      'an error',
      `${chunk({ content: GOOD })}data: {"error":{"message":"Provider disconnected","code":502},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n`,
    ],
  ])('that breaks off is no reply, and is asked for again: %s', async (_name, body) => {
    expect(parseCompletion(body)).toMatchObject({ fault: expect.any(String), broken: true });
    const server = await serve({
      faults: ({ number }) =>
        number === 1 ? { kind: 'body', body, contentType: 'text/event-stream' } : undefined,
    });
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'reply', usage: { calls: 2, estimated_calls: 1 } });
  });

  it.each([429, 502])('is an error where a gateway says so with status 200 and code %i', async (code) => {
    const server = await serve({
      faults: ({ number }) =>
        number === 1
          ? { kind: 'body', body: JSON.stringify({ error: { message: 'upstream', code } }) }
          : undefined,
    });
    const answer = await (await testModel(server.baseUrl)).expand('Build it');
    expect(answer).toMatchObject({ kind: 'reply', usage: { calls: code === 429 ? 1 : 2 } });
  });

  it.each([
    'data: {',
    'data: [DONE]',
    ':',
    'data:\n\n',
    'data: {"choices":[{"delta":{"tool_calls":[{"index":999}]}}]}\n\n',
  ])('is read in bounds when it is a hundred thousand times %j', (text) => {
    expect(parseCompletion(text.repeat(100_000))).toHaveProperty('fault');
  });
});

describe('the time-out', () => {
  it('is one of silence: a reply may take much longer', async () => {
    const tree = uniformTree(1, 5);
    const server = await serve({ tree, pause: 100 });
    const { expand } = await testModel(server.baseUrl, { timeoutMs: 400, maxRetries: 0 });
    expect(await expand(tree.description)).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
  });

  it('comes when a server falls silent within a stream', async () => {
    const baseUrl = await serveRaw((response) => void response.write(chunk({ content: '{' })));
    const { expand } = await testModel(baseUrl, { timeoutMs: 300, maxRetries: 0 });
    expect(await expand('Build it')).toMatchObject({
      kind: 'unavailable',
      error: { message: expect.stringContaining('nothing came') },
      usage: { estimated_calls: 1 },
    });
  });

  it('does not come while a server says that it is there, but does in the end', async () => {
    const baseUrl = await serveRaw((response) => {
      const timer = setInterval(() => response.write(': keep-alive\n\n'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const { expand } = await testModel(baseUrl, { timeoutMs: 1000, maxRetries: 0 });
    expect(await expand('Build it')).toMatchObject({
      error: { message: expect.stringContaining('nothing but signs of life came') },
    });
  });
});
