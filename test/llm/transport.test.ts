import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createPlainServer, type Server as PlainServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import { ALL_CAPABILITIES } from '../../src/llm/capabilities.js';
import { FIRST_TURN, requestBody, type RequestBody } from '../../src/llm/request.js';
import { secureFaultOf } from '../../src/llm/secure-fault.js';
import { createTransport, type Transport } from '../../src/llm/transport.js';
import { expansionQuestion } from '../support/model.js';
import { startModelServer } from '../support/model-server.js';

const KEY = 'sk-test-0123456789abcdef';
const { check: _check, ...QUESTION } = expansionQuestion('Build it');
const BODY = requestBody(QUESTION, FIRST_TURN, 'm', 100, ALL_CAPABILITIES);

interface Seen {
  readonly request: IncomingMessage;
  readonly text: string;
}

const servers: (Server | PlainServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

async function serve(
  answer: (response: ServerResponse, seen: Seen) => void | Promise<void>,
  host = '127.0.0.1',
) {
  const sockets = new Set<Socket>();
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      seen.push({ request, text });
      void answer(response, { request, text });
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  const name = host.includes(':') ? `[${host}]` : host;
  return { baseUrl: `http://${name}:${address.port}/v1`, sockets, seen, server };
}

function transport(baseUrl: string, maxReplyBytes = 1_000_000): Transport {
  return createTransport({ baseUrl, apiKey: KEY, userAgent: 'frctl-test', maxReplyBytes });
}

function send(to: Transport, body: RequestBody = BODY) {
  return to.send(body, 10_000, new AbortController().signal);
}

describe('a request', () => {
  it('goes over a connection that is there already', async () => {
    const { baseUrl, sockets, seen } = await serve(
      (response) => void setTimeout(() => response.end('{}'), 20),
    );
    const to = transport(baseUrl);
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 4 }, async () => send(to)));
    expect(seen).toHaveLength(12);
    expect(sockets.size).toBe(4);
  });

  it('finds a new one when the server has closed the last', async () => {
    const { baseUrl, sockets, server } = await serve((response) => void response.end('{}'));
    const to = transport(baseUrl);
    await send(to);
    server.closeIdleConnections();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await send(to)).toEqual({ kind: 'success', text: '{}' });
    expect(sockets.size).toBe(2);
  });

  it('reaches an address of IPv6', async () => {
    const { baseUrl } = await serve((response) => void response.end('{}'), '::1');
    expect(await send(transport(baseUrl))).toEqual({ kind: 'success', text: '{}' });
  });
});

describe('a reply', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: Buffer) => text],
    ['unheard-of', (text: Buffer) => text],
  ])('is read when the server packs it unasked: %s', async (encoding, pack) => {
    const { baseUrl } = await serve((response) => {
      response.setHeader('content-encoding', encoding);
      response.end(pack(Buffer.from('{"text":"grün"}')));
    });
    expect(await send(transport(baseUrl))).toEqual({ kind: 'success', text: '{"text":"grün"}' });
  });

  it('is counted unpacked, so that a small one cannot fill the memory', async () => {
    const { baseUrl } = await serve((response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(50_000_000)));
    });
    expect(await send(transport(baseUrl))).toMatchObject({
      kind: 'fault',
      reason: 'the reply is larger than 1000000 bytes',
      tooLarge: true,
    });
  });

  it.each(['gzip', 'br'])(
    'that breaks off, or is not packed as it says, is a fault: %s',
    async (encoding) => {
      let requests = 0;
      const { baseUrl } = await serve((response) => {
        requests += 1;
        response.setHeader('content-encoding', encoding);
        if (requests === 1) return void response.end('{}');
        response.write(gzipSync(Buffer.from('{}')).subarray(0, 8));
        setTimeout(() => response.destroy(), 20);
      });
      const to = transport(baseUrl);
      expect(await send(to)).toMatchObject({ kind: 'fault', sent: true });
      expect(await send(to)).toMatchObject({ kind: 'fault', sent: true });
    },
  );

  it('is whole where a character is torn between two packets, and has no byte order mark', async () => {
    const bytes = Buffer.from('\uFEFF{"text":"grün 🌳"}');
    const { baseUrl } = await serve(async (response) => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect(await send(transport(baseUrl))).toEqual({ kind: 'success', text: '{"text":"grün 🌳"}' });
  });
});

describe('a connection that does not come about', () => {
  it.each([
    ['http://127.0.0.1:1/v1', 'ECONNREFUSED'],
    ['http://no-such-host.invalid/v1', /ENOTFOUND|EAI_AGAIN/],
  ])('is told from one that breaks: %s', async (baseUrl, reason) => {
    expect(await send(transport(baseUrl))).toMatchObject({
      kind: 'fault',
      sent: false,
      reason: expect.stringMatching(reason),
    });
  });

  async function listen(greet: (socket: Socket) => void) {
    const server = createPlainServer(greet);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
    return `https://127.0.0.1:${address.port}/v1`;
  }

  it.each<readonly [string, (socket: Socket) => void]>([
    ['does not answer', () => undefined],
    ['hangs up', (socket) => socket.once('data', () => socket.destroy())],
  ])('has sent nothing to a server of https that %s', async (_what, greet) => {
    const to = transport(await listen(greet));
    const exchange = await to.send(BODY, 200, new AbortController().signal);
    expect(exchange).toMatchObject({ kind: 'fault', sent: false });
    expect(exchange).not.toHaveProperty('secure');
  });

  it('has sent nothing when it is given up during the handshake', async () => {
    const given = new AbortController();
    const to = transport(await listen(() => given.abort()));
    expect(await to.send(BODY, 10_000, given.signal)).toEqual({ kind: 'aborted', sent: false });
  });

  it('says that a server does not speak https, without places in the source of others', async () => {
    const { baseUrl, seen } = await serve((response) => void response.end('{}'));
    expect(await send(transport(baseUrl.replace('http:', 'https:')))).toMatchObject({
      sent: false,
      reason: expect.stringMatching(/^no encrypted connection: [a-z ]+ \(\w+\)$/) as string,
      secure: { fault: 'unencrypted', at: 'server' },
    });
    expect(seen).toEqual([]);
  });

  it('says that a certificate is not trusted', async () => {
    const server = await startModelServer({ secure: true });
    onTestFinished(() => server.close());
    expect(await send(transport(server.baseUrl))).toMatchObject({
      sent: false,
      secure: { fault: 'untrusted', at: 'server' },
    });
  });

  it.each([
    ['CERT_HAS_EXPIRED', 'time'],
    ['CERT_NOT_YET_VALID', 'time'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'name'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'untrusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'untrusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'untrusted'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'protocol'],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'protocol'],
    ['ECONNRESET', undefined],
    ['ECONNREFUSED', undefined],
    ['ETIMEDOUT', undefined],
    [undefined, undefined],
  ])('is of a kind that stays, or of none: %s', (code, kind) => {
    expect(secureFaultOf(code, 'whatever it says')).toBe(kind);
  });
});
