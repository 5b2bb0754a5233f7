import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { HttpBinding } from '../../../src/features/actions/tools/bindings.js';
import { isPrivateAddress, isPrivateHost } from '../../../src/features/runs/runners/addresses.js';
import { callHttp } from '../../../src/features/runs/runners/http.js';
import { startServer, startSilence } from '../../support/http-server.js';
import { callWith, newWorkplace } from '../../support/workplace.js';

type Http = HttpBinding['http'];
const get = (url: string, more: Partial<Http> = {}): HttpBinding => ({
  http: { method: 'GET', url, ...more },
});

describe('a request', () => {
  test('says what the binding says, with values as parts of the address that mean nothing there', async () => {
    const server = await startServer((_asked, response) => {
      response
        .writeHead(201, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
        .end('{"id": 12345678901234567890}');
    });
    const http: Http = {
      method: 'POST',
      url: `${server.origin}/r/\${name}?q=\${name}`,
      body: '${args}',
      headers: { Authorization: 'Bearer ${env:TOKEN}' },
      key_header: 'Idempotency-Key',
    };
    const outcome = await callHttp(
      { http },
      callWith({ name: 'a/../b?x=1#y&z' }),
      newWorkplace({ TOKEN: 'secret-token' }),
    );
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/r/a%2F..%2Fb%3Fx%3D1%23y%26z?q=a%2F..%2Fb%3Fx%3D1%23y%26z',
        headers: {
          authorization: 'Bearer secret-token',
          'idempotency-key': 'k'.repeat(32),
          'content-type': 'application/json',
        },
        body: '{"name":"a/../b?x=1#y&z"}',
      },
    ]);
    expect(outcome).toMatchObject({
      outcome: 'succeeded',
      output: { status: 201, text: '{"id": 12345678901234567890}' },
    });
    expect(JSON.stringify(outcome)).not.toContain('set-cookie');
  });

  test.each([
    ['dots that lead up', '/a/${v}/b', '..'],
    ['half of them', '/a/.${v}/b', '.'],
    ['nothing at the end', '/items/${v}', ''],
    ['nothing within', '/items/${v}/parts', ''],
    ['one dot at the end', '/items/${v}', '.'],
    ['two dots at the end', '/items/${v}', '..'],
    ['a dot of its own and nothing', '/items/.${v}', ''],
    ['an encoded dot of its own and another', '/items/%2e${v}', '.'],
    ['nothing before a query', '/items/${v}?all=1', ''],
    ['nothing before a fragment', '/items/${v}#top', ''],
  ])('is not sent with %s', async (_what, path, v) => {
    const server = await startServer((_asked, response) => void response.end());
    const outcome = await callHttp(get(server.origin + path), callWith({ v }), newWorkplace());
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { code: 'VALIDATION_ERROR' } });
    expect(server.asked).toEqual([]);
  });

  test.each([
    ['/items/?q=${v}', '', '/items/?q='],
    ['/items/./${v}', 'a', '/items/a'],
    ['/items/a${v}', '', '/items/a'],
    ['/items/${v}', '...', '/items/...'],
    ['//${v}', 'a', '//a'],
  ])('of %j is sent with the value %j', async (path, v, url) => {
    const server = await startServer((_asked, response) => void response.end());
    const outcome = await callHttp(get(server.origin + path), callWith({ v }), newWorkplace());
    expect(outcome).toMatchObject({ outcome: 'succeeded' });
    expect(server.asked).toMatchObject([{ url }]);
  });

  test.each([
    ['another origin', (origin: string) => `${origin.replace('127.0.0.1', 'localhost')}/`],
    ['credentials', (origin: string) => `${origin.replace('//', '//user:pass@')}/`],
    ['a file', () => 'file:///etc/passwd'],
    ['no URL', () => 'nothing'],
  ])('is not sent to %s', async (_what, url) => {
    const server = await startServer((_asked, response) => void response.end());
    const binding = get('${url}', { origins: [server.origin] });
    const outcome = await callHttp(binding, callWith({ url: url(server.origin) }), newWorkplace());
    expect(outcome).toMatchObject({ outcome: 'not_sent' });
    expect(JSON.stringify(outcome)).not.toContain('pass@');
    expect(server.asked).toEqual([]);
    const own = await callHttp(get('${url}'), callWith({ url: server.origin }), newWorkplace());
    expect(own).toMatchObject({ outcome: 'not_sent', error: { code: 'POLICY_DENIED' } });
  });

  test('does not follow a redirect, to another host or its own', async () => {
    const other = await startServer((_asked, response) => void response.end('taken'));
    const server = await startServer(
      (_asked, response) => void response.writeHead(302, { location: `${other.origin}/steal` }).end(),
    );
    const outcome = await callHttp(get(server.origin), callWith({}), newWorkplace());
    expect(outcome).toMatchObject({
      outcome: 'failed',
      error: { code: 'HTTP_STATUS', retryable: false, message: expect.stringContaining('not followed') },
    });
    expect([server.asked.length, other.asked.length]).toEqual([1, 0]);
  });

  test('to a name that leads to a private address is refused, unless the binding says that it may', async () => {
    const server = await startServer((_asked, response) => void response.end('inside'));
    // A name with a public look that the machine’s own resolver leads to loopback: its own host name.
    const { hostname } = await import('node:os');
    const url = server.origin.replace('127.0.0.1', hostname());
    const refused = await callHttp(get(url), callWith({}), newWorkplace());
    expect(refused).toMatchObject({ outcome: 'not_sent' });
    expect(server.asked).toEqual([]);
    expect(await callHttp(get(server.origin), callWith({}), newWorkplace())).toMatchObject({
      outcome: 'succeeded',
    });
  });

  test.each([
    [400, false],
    [408, true],
    [409, true],
    [429, true],
    [500, true],
  ])('that is answered with %i has failed; retryable: %s', async (status, retryable) => {
    const server = await startServer((_asked, response) => void response.writeHead(status).end('why'));
    expect(await callHttp(get(server.origin), callWith({}), newWorkplace())).toMatchObject({
      outcome: 'failed',
      error: { retryable },
      output: { status, text: 'why' },
    });
    expect(await callHttp(get(server.origin, { ok: [status] }), callWith({}), newWorkplace())).toMatchObject({
      outcome: 'succeeded',
    });
  });

  test('that nobody takes was not sent; one that is not answered, or broken off, nobody knows of', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = closed.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await new Promise((resolve) => closed.close(resolve));
    expect(await callHttp(get(`http://127.0.0.1:${port}`), callWith({}), newWorkplace())).toMatchObject({
      outcome: 'not_sent',
      error: { retryable: true },
    });
    const silent = await startSilence();
    expect(await callHttp(get(silent), callWith({}, { timeoutMs: 200 }), newWorkplace())).toMatchObject({
      outcome: 'timed_out',
    });
    const broken = await startServer((_asked, response) => void response.socket?.destroy());
    expect(await callHttp(get(broken.origin), callWith({}), newWorkplace())).toMatchObject({
      outcome: 'lost',
    });
    const half = await startServer((_asked, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      response.socket?.destroySoon();
    });
    expect(await callHttp(get(half.origin), callWith({}), newWorkplace())).toMatchObject({ outcome: 'lost' });
    const stop = new AbortController();
    const dropped = callHttp(get(silent), callWith({}, { signal: stop.signal }), newWorkplace());
    await wait(100);
    stop.abort();
    expect(await dropped).toMatchObject({ outcome: 'lost', error: { code: 'CANCELLED' } });
  });

  test('to a server that leaves HTTP is over at once, and nobody knows what came of it', async () => {
    const leaving = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    await new Promise<void>((listening) => leaving.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void leaving.close());
    const address = leaving.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
    expect(await callHttp(get(url), callWith({}), newWorkplace())).toMatchObject({
      outcome: 'lost',
      error: { code: 'CONNECTION_LOST' },
    });
  });

  test('keeps 10 MB of an answer, and no secret that the server says back', async () => {
    const server = await startServer(({ headers }, response) => {
      const secret = String(headers['x-token']);
      response.writeHead(200, { 'x-echo': secret, [secret]: 'as a name' });
      response.write(`${secret} ${encodeURIComponent(secret)} `);
      response.write(Buffer.alloc(10 * 1024 * 1024 - 20, 'x'));
      response.end(secret + Buffer.alloc(1024 * 1024, 'y').toString());
    });
    const binding = get(server.origin, { headers: { 'X-Token': '${env:TOKEN}' } });
    const outcome = await callHttp(binding, callWith({}), newWorkplace({ TOKEN: 'token-0123456789' }));
    expect(outcome).toMatchObject({ outcome: 'succeeded', output: { truncated: true } });
    expect(JSON.stringify(outcome)).not.toContain('token-01');
    expect(JSON.stringify(outcome).length).toBeLessThan(11 * 1024 * 1024);
  });

  test('is not sent without its secret, nor with a value that would make a header of its own', async () => {
    const server = await startServer((_asked, response) => void response.end());
    const withSecret = get(server.origin, { headers: { Authorization: 'Bearer ${env:MISSING_TOKEN}' } });
    expect(await callHttp(withSecret, callWith({}), newWorkplace())).toMatchObject({
      outcome: 'not_sent',
      error: { message: expect.stringContaining('MISSING_TOKEN') },
    });
    const withValue = get(server.origin, { headers: { 'X-Name': '${name}' } });
    expect(await callHttp(withValue, callWith({ name: 'a\r\nX-Evil: 1' }), newWorkplace())).toMatchObject({
      outcome: 'not_sent',
    });
    expect(server.asked).toEqual([]);
  });
});

describe('an address', () => {
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'ff02::1',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(['93.184.216.34', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(isPrivateAddress(address)).toBe(false);
    },
  );

  test('of a host may be said in many ways', () => {
    for (const url of [
      'http://0x7f.1/',
      'http://2130706433/',
      'http://127.1/',
      'http://[::1]/',
      'http://localhost./',
      'http://a.localhost/',
    ])
      expect([url, isPrivateHost(new URL(url).hostname)]).toEqual([url, true]);
    expect(isPrivateHost('example.org')).toBe(false);
  });
});
