import { describe, expect, it, onTestFinished } from 'vitest';

import { ALL_CAPABILITIES } from '../../src/llm/capabilities.js';
import { proxyFor } from '../../src/llm/proxy.js';
import { FIRST_TURN, requestBody } from '../../src/llm/request.js';
import { createTransport } from '../../src/llm/transport.js';
import { expansionQuestion } from '../support/model.js';
import { startProxy } from '../support/proxy-server.js';

const PROXY = 'http://proxy.example:3128';
const found = (server: string, variables: Record<string, string>) =>
  proxyFor(server, variables)?.url.href ?? 'none';

describe('the proxy for a server', () => {
  it.each([
    ['http://m.example/v1', { HTTP_PROXY: PROXY }, `${PROXY}/`],
    ['http://m.example/v1', { http_proxy: PROXY }, `${PROXY}/`],
    ['https://m.example/v1', { HTTPS_PROXY: PROXY }, `${PROXY}/`],
    ['https://m.example/v1', { https_proxy: PROXY }, `${PROXY}/`],
    ['https://m.example/v1', { HTTP_PROXY: PROXY }, 'none'],
    ['http://m.example/v1', { HTTPS_PROXY: PROXY }, 'none'],
    ['https://m.example/v1', { ALL_PROXY: PROXY }, `${PROXY}/`],
    ['https://m.example/v1', { all_proxy: 'http://other:1', https_proxy: PROXY }, `${PROXY}/`],
    ['https://m.example/v1', { HTTPS_PROXY: 'http://other:1', https_proxy: PROXY }, `${PROXY}/`],
    ['https://m.example/v1', { HTTPS_PROXY: PROXY, https_proxy: '' }, `${PROXY}/`],
    ['https://m.example/v1', { https_proxy: ' ' }, 'none'],
    ['https://m.example/v1', {}, 'none'],
    ['https://m.example/v1', { https_proxy: 'proxy.example:3128' }, `${PROXY}/`],
    ['https://m.example/v1', { https_proxy: 'https://proxy.example' }, 'https://proxy.example/'],
    ['https://m.example/v1', { https_proxy: 'http://[::1]:3128' }, 'http://[::1]:3128/'],
    ['http://127.0.0.1:11434/v1', { http_proxy: PROXY }, `${PROXY}/`],
  ])('%s with %j is %s', (server, variables, expected) => {
    expect(found(server, variables as Record<string, string>)).toBe(expected);
  });

  it.each([
    ['https://m.example/v1', 'm.example', true],
    ['https://m.example/v1', 'M.EXAMPLE', true],
    ['https://m.example/v1', 'example', true],
    ['https://m.example/v1', '.example', true],
    ['https://m.example/v1', '*.example', true],
    ['https://m.example/v1', '.m.example', true],
    ['https://m.example./v1', 'm.example', true],
    ['https://m.example/v1', 'm.example.', true],
    ['https://m.example/v1', 'ample', false],
    ['https://m.example/v1', 'x.m.example', false],
    ['https://m.example/v1', 'a, b\tm.example', true],
    ['https://m.example/v1', ',, ,', false],
    ['https://m.example/v1', '*', true],
    ['https://m.example/v1', 'm.example:443', true],
    ['https://m.example/v1', 'm.example:8443', false],
    ['https://m.example:8443/v1', 'm.example:8443', true],
    ['https://m.example:8443/v1', 'm.example', true],
    ['https://bücher.example/v1', 'bücher.example', true],
    ['http://127.0.0.1:1/v1', '127.0.0.1', true],
    ['http://127.0.0.1:1/v1', '127.0.0.0/8', true],
    ['http://127.0.0.1:1/v1', '10.0.0.0/8', false],
    ['http://127.0.0.1:1/v1', '127.0.0.0/99', false],
    ['http://127.0.0.1:1/v1', '127.0.0.0/x', false],
    ['http://127.0.0.1:1/v1', '.0.0.1', false],
    ['http://127.0.0.1:1/v1', 'localhost', false],
    ['http://127.0.0.1:1/v1', 'localhost,127.0.0.1:1', true],
    ['http://127.0.0.1:1/v1', '127.0.0.1:2', false],
    ['http://localhost:1/v1', 'localhost', true],
    ['http://localhost:1/v1', '127.0.0.1', false],
    ['http://[::1]:1/v1', '::1', true],
    ['http://[::1]:1/v1', '[::1]', true],
    ['http://[::1]:1/v1', '[::1]:1', true],
    ['http://[::1]:1/v1', '[::1]:2', false],
    ['http://[::1]:1/v1', '0:0:0:0:0:0:0:1', true],
    ['http://[fd00::7]:1/v1', 'fd00::/8', true],
    ['http://[fe80::7]:1/v1', 'fd00::/8', false],
  ])('%s with NO_PROXY=%j is left alone: %s', (server, noProxy, exempt) => {
    const small = found(server, { ALL_PROXY: PROXY, no_proxy: noProxy });
    expect(small).toBe(exempt ? 'none' : `${PROXY}/`);
    expect(found(server, { ALL_PROXY: PROXY, NO_PROXY: noProxy, no_proxy: '' })).toBe(small);
  });

  it.each(['socks5://u:hidden@proxy.example:1080', 'http://', 'http://u:hidden@', 'ftp://x', 'http://a b'])(
    'is refused, with the variable and without its value, where it is none: %s',
    (value) => {
      const attempt = () => proxyFor('https://m.example/v1', { https_proxy: value });
      expect(attempt).toThrow(/https_proxy names no http or https proxy/);
      expect(attempt).not.toThrow(/hidden/);
      expect(found('https://m.example/v1', { https_proxy: value, no_proxy: 'm.example' })).toBe('none');
    },
  );

  it('has the credentials of its address, which are not shown', () => {
    const proxy = proxyFor('https://m.example/v1', {
      https_proxy: 'http://us%40er:p%3Ass%25w@proxy.example',
    });
    expect(proxy?.headers).toEqual({
      'proxy-authorization': `Basic ${Buffer.from('us@er:p:ss%w').toString('base64')}`,
    });
    expect(proxy?.shown).toBe('the proxy http://proxy.example (https_proxy)');
    expect(proxy?.url.href).toBe('http://proxy.example/');
    expect(proxy?.secrets).toEqual(expect.arrayContaining(['p:ss%w', 'p%3Ass%25w']));
    const odd = proxyFor('https://m.example/v1', { https_proxy: 'http://u:100%@proxy.example' });
    expect(odd?.secrets).toContain('100%');
  });
});

describe('a connection that a proxy does not open', () => {
  const { check: _check, ...question } = expansionQuestion('Build it');
  const body = requestBody(question, FIRST_TURN, 'm', 100, ALL_CAPABILITIES);

  async function hanging(baseUrl: string) {
    const proxy = await startProxy({ hangs: true });
    onTestFinished(() => proxy.close());
    const to = proxyFor(baseUrl, { ALL_PROXY: proxy.host });
    const transport = createTransport({
      baseUrl,
      apiKey: undefined,
      userAgent: 'test',
      maxReplyBytes: 1000,
      proxy: to,
    });
    return { proxy, transport };
  }

  it.each(['https://models.example/v1', 'http://models.example/v1'])(
    'is closed when the time is over: %s',
    async (baseUrl) => {
      const { proxy, transport } = await hanging(baseUrl);
      const exchange = await transport.send(body, 200, new AbortController().signal);
      const sent = baseUrl.startsWith('http:');
      expect(exchange).toMatchObject({ kind: 'fault', sent, reason: expect.stringContaining('timed out') });
      expect(proxy.requests).toHaveLength(1);
      await expect.poll(() => proxy.open).toBe(0);
    },
  );

  it.each(['https://models.example/v1', 'http://models.example/v1'])(
    'is closed when the request is dropped: %s',
    async (baseUrl) => {
      const { proxy, transport } = await hanging(baseUrl);
      const drop = new AbortController();
      const sending = transport.send(body, 60_000, drop.signal);
      await expect.poll(() => proxy.requests.length).toBe(1);
      drop.abort();
      expect(await sending).toMatchObject({ kind: 'aborted' });
      await expect.poll(() => proxy.open).toBe(0);
    },
  );
});
