import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ALL_CAPABILITIES } from '../../src/llm/capabilities.js';
import { FIRST_TURN, requestBody } from '../../src/llm/request.js';
import { createTransport, type TransportOptions } from '../../src/llm/transport.js';
import { startModelServer, type Fault, type ModelServerOptions } from '../support/model-server.js';
import { expansionQuestion, testModel } from '../support/model.js';

const KEY = 'sk-test-0123456789abcdef';
const { check: _check, ...QUESTION } = expansionQuestion('Build it');
const BODY = requestBody(QUESTION, FIRST_TURN, 'm', 100, ALL_CAPABILITIES);
/** What the official client reads of the environment by itself. */
const READ_BY_THE_CLIENT = {
  OPENAI_API_KEY: 'sk-of-the-environment',
  OPENAI_ADMIN_KEY: 'sk-admin-of-the-environment',
  OPENAI_ORG_ID: 'org-of-the-environment',
  OPENAI_PROJECT_ID: 'proj-of-the-environment',
  OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
  OPENAI_LOG: 'debug',
  OPENAI_CUSTOM_HEADERS: 'Authorization: Bearer x\nX-Own: x\nAccept: x\nOpenAI-Organization: x',
};

afterEach(() => {
  vi.unstubAllEnvs();
});

async function serve(options: ModelServerOptions = {}) {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  return server;
}

async function sendTo(baseUrl: string, options: Partial<TransportOptions> = {}) {
  const to = createTransport({
    baseUrl,
    apiKey: KEY,
    userAgent: 'frctl-test',
    maxReplyBytes: 1_000_000,
    ...options,
  });
  return to.send(BODY, 10_000, new AbortController().signal);
}

describe('a request by the official client', () => {
  it.each<Readonly<Record<string, string>>>([{}, READ_BY_THE_CLIENT])(
    'has these headers and no others, with %o in the process',
    async (env) => {
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      const server = await serve();
      const exchange = await sendTo(server.baseUrl);
      expect(exchange.kind).toBe('success');
      const [{ headers, path, body } = {}] = server.requests;
      expect(headers).toEqual({
        accept: 'application/json',
        authorization: `Bearer ${KEY}`,
        connection: 'keep-alive',
        'content-length': String(Buffer.byteLength(JSON.stringify(BODY))),
        'content-type': 'application/json',
        host: new URL(server.baseUrl).host,
        'user-agent': 'frctl-test',
      });
      expect(path).toBe('/v1/chat/completions');
      expect(body).toEqual(BODY);
    },
  );

  it('names nobody without a key, whatever the process has', async () => {
    for (const [name, value] of Object.entries(READ_BY_THE_CLIENT)) vi.stubEnv(name, value);
    const server = await serve();
    await sendTo(server.baseUrl, { apiKey: undefined });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('openai-organization');
  });

  it('names the organization and the project where they are known, and headers of one’s own count more', async () => {
    const server = await serve();
    const account = { organization: 'org-1', project: 'proj-1' };
    await sendTo(server.baseUrl, account);
    await sendTo(server.baseUrl, {
      ...account,
      headers: { 'openai-project': 'proj-2', authorization: 'Basic abc' },
    });
    expect(server.requests.map(({ headers }) => headers)).toMatchObject([
      { 'openai-organization': 'org-1', 'openai-project': 'proj-1', authorization: `Bearer ${KEY}` },
      { 'openai-organization': 'org-1', 'openai-project': 'proj-2', authorization: 'Basic abc' },
    ]);
  });

  it('has the version of the API as a query', async () => {
    const server = await serve();
    await sendTo(server.baseUrl, { apiVersion: '2024-10-21 & later' });
    const { searchParams, pathname } = new URL(server.requests[0]?.path ?? '', server.baseUrl);
    expect([pathname, [...searchParams]]).toEqual([
      '/v1/chat/completions',
      [['api-version', '2024-10-21 & later']],
    ]);
  });

  it.each(['organization', 'project'] as const)(
    'is not made with an %s that no header can hold',
    async (name) => {
      await expect(testModel('http://127.0.0.1:1/v1', { [name]: 'org-1\nX: y' })).rejects.toMatchObject({
        code: 'INVALID_CONFIG',
        message: expect.stringContaining(name) as string,
      });
    },
  );

  it('is not sent when it was dropped while the client was loaded', async () => {
    const server = await serve();
    const to = createTransport({ baseUrl: server.baseUrl, apiKey: KEY, userAgent: 'x', maxReplyBytes: 1000 });
    const dropped = new AbortController();
    const sending = to.send(BODY, 10_000, dropped.signal);
    dropped.abort();
    expect(await sending).toEqual({ kind: 'aborted', sent: false });
    expect(server.count).toBe(0);
  });
});

describe('a reply to the official client', () => {
  it.each([
    ['408', { kind: 'status', status: 408 }],
    ['409', { kind: 'status', status: 409 }],
    ['429', { kind: 'status', status: 429, headers: { 'retry-after-ms': '1' } }],
    ['500', { kind: 'status', status: 500, headers: { 'x-should-retry': 'true' } }],
    ['401', { kind: 'status', status: 401 }],
    ['a redirect', { kind: 'status', status: 307, headers: { location: '/elsewhere' } }],
  ] as const satisfies readonly (readonly [string, Fault])[])(
    'is not retried and not rewritten: %s',
    async (_name, fault) => {
      const body = { error: { message: 'as the server says it', code: 'a_code', param: 'a_field' } };
      const server = await serve({ faults: () => ({ ...fault, body }) });
      expect(await sendTo(server.baseUrl)).toMatchObject({
        kind: 'status',
        status: fault.status,
        error: { message: 'as the server says it', code: 'a_code', param: 'a_field' },
      });
      expect(server.count).toBe(1);
    },
  );

  it.each([
    ['cut before its headers', { kind: 'drop', when: 'before_headers' }, /socket hang up|ECONNRESET/],
    ['cut in its body', { kind: 'drop', when: 'mid_body' }, /aborted|ECONNRESET/],
  ] as const)('is not asked for again, and its own cause is told: %s', async (_name, fault, reason) => {
    const server = await serve({ faults: () => fault });
    expect(await sendTo(server.baseUrl)).toMatchObject({
      kind: 'fault',
      sent: true,
      reason: expect.stringMatching(reason) as string,
    });
    expect(server.count).toBe(1);
  });

  it('that stalls ends by our own limit, in our own words', async () => {
    const server = await serve({ faults: () => ({ kind: 'stall', when: 'mid_body' }) });
    const to = createTransport({ baseUrl: server.baseUrl, apiKey: KEY, userAgent: 'x', maxReplyBytes: 1000 });
    expect(await to.send(BODY, 100, new AbortController().signal)).toMatchObject({
      kind: 'fault',
      reason: 'the request timed out: nothing came within 0.1 s',
    });
    expect(server.count).toBe(1);
  });

  it.each([
    ['JSON that is none', '{"choices": [', 'application/json'],
    ['nothing', '', 'application/json'],
    ['a page', '<html>Sign in</html>', 'text/html'],
    [
      'a number beyond what a number holds',
      '{"created": 123456789012345678901234567890}',
      'application/json',
    ],
    ['members twice', '{"a": 1, "a": 2, "__proto__": {"b": 1}}', 'application/json'],
    ['a stream that is cut', 'data: {"choices": [{"delta": {"content": "{\\"', 'text/event-stream'],
    ['a stream under another name', 'data: [DONE]\n\n', 'application/octet-stream'],
  ])('is handed over byte by byte: %s', async (_name, body, contentType) => {
    const server = await serve({ faults: () => ({ kind: 'body', body, contentType }) });
    expect(await sendTo(server.baseUrl)).toEqual({ kind: 'success', text: body });
  });

  it('has the key taken out where the server says it', async () => {
    const server = await serve({
      faults: () => ({ kind: 'status', status: 401, body: { error: { message: `no such key: ${KEY}` } } }),
    });
    expect(await sendTo(server.baseUrl)).toMatchObject({ error: { message: 'no such key: [key]' } });
  });
});
