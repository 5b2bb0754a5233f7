import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { errorOf, newUser, summaryOf } from '../support/command.js';
import {
  CERTIFICATE,
  startModelServer,
  uniformTree,
  type ModelServerOptions,
} from '../support/model-server.js';
import { startProxy, type ProxyOptions } from '../support/proxy-server.js';

const tree = uniformTree(1, 2);
const KEY = 'sk-0123456789-secret-key';
/** `user:pass:word` with a character that an address must escape. */
const CREDENTIALS = 'user:pa@ss:word-77';
const ESCAPED = 'user:pa%40ss%3Aword-77';

async function serverFor(options: ModelServerOptions = {}) {
  const server = await startModelServer({ tree, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function proxyWith(options: ProxyOptions = {}) {
  const proxy = await startProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A server of https that only the proxy can find, and the environment of somebody behind that proxy. */
async function behindProxy(options: Omit<ProxyOptions, 'hosts'> = {}, more: ModelServerOptions = {}) {
  const server = await serverFor({ ...more, secure: true });
  const proxy = await proxyWith({ ...options, hosts: { 'models.example': server.port } });
  const environment = {
    OPENAI_BASE_URL: 'https://models.example/v1',
    OPENAI_API_KEY: KEY,
    NODE_EXTRA_CA_CERTS: CERTIFICATE,
    FRCTL_MAX_RETRIES: '1',
    HTTPS_PROXY: `http://${proxy.host}`,
  };
  return { server, proxy, environment };
}

/** The same for a server of http, which the proxy is given whole requests for. */
async function behindPlainProxy(options: Omit<ProxyOptions, 'hosts'> = {}, more: ModelServerOptions = {}) {
  const server = await serverFor(more);
  const proxy = await proxyWith({ ...options, hosts: { 'models.example': server.port } });
  const environment = {
    OPENAI_BASE_URL: 'http://models.example/v1',
    OPENAI_API_KEY: KEY,
    FRCTL_MAX_RETRIES: '1',
    http_proxy: proxy.host,
  };
  return { server, proxy, environment };
}

describe('a server of https behind a proxy', () => {
  test('is reached through a way that the proxy cannot look into', async () => {
    const { server, proxy, environment } = await behindProxy();
    const ended = await newUser().run(['init', tree.description, '--json'], environment);
    expect(ended.status).toBe(0);
    expect(summaryOf(ended.json()).total_goals).toBe(3);
    expect(server.count).toBeGreaterThan(0);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(new Set(proxy.requests)).toEqual(new Set(['CONNECT models.example:443']));
    expect(proxy.seen).not.toContain(KEY);
    expect(proxy.seen).not.toContain(tree.description);
  });

  test('is asked over one connection again and again', async () => {
    const { server, proxy, environment } = await behindProxy({}, { tree: uniformTree(2, 2) });
    const ended = await newUser().run(['init', tree.description, '--concurrency', '1'], environment);
    expect(ended.status).toBe(0);
    expect(server.count).toBeGreaterThan(2);
    expect(proxy.requests).toHaveLength(1);
  });

  test('is reached with credentials, which nobody sees', async () => {
    const { proxy, environment } = await behindProxy({ credentials: CREDENTIALS });
    const HTTPS_PROXY = `http://${ESCAPED}@${proxy.host}`;
    const user = newUser();
    const ended = await user.run(['init', tree.description, '--debug'], {
      ...environment,
      HTTPS_PROXY,
      DEBUG: '*',
      NODE_DEBUG: '',
    });
    expect(ended.status).toBe(0);
    expect(ended.out + ended.error).not.toMatch(/word-77/);
    const shown = await user.run(['config', '--json'], { ...environment, HTTPS_PROXY });
    expect(shown.out).not.toMatch(/word-77/);
  });

  test('is not asked again when the proxy wants other credentials; the error says where to put them', async () => {
    const { server, proxy, environment } = await behindProxy({ credentials: CREDENTIALS });
    const ended = await newUser().run(['init', tree.description, '--json', '--debug'], {
      ...environment,
      HTTPS_PROXY: `http://user:wrong-77@${proxy.host}`,
    });
    expect(ended.status).toBe(5);
    const { code, message, hint } = errorOf(ended.json());
    expect(code).toBe('MODEL_FAILED');
    expect(message).toContain(`through the proxy http://${proxy.host} (HTTPS_PROXY)`);
    expect(message).toContain('407');
    expect(hint).toMatch(/user and password.*NO_PROXY/);
    expect(ended.out + ended.error).not.toMatch(/wrong-77/);
    expect(proxy.requests).toHaveLength(1);
    expect(server.count).toBe(0);
    expect(ended.out).toContain('"calls": 0');
  });

  test('is asked again when the proxy cannot reach it, and nothing is charged for that', async () => {
    const { proxy, environment } = await behindProxy({ answer: { status: 502, text: 'Bad Gateway' } });
    const ended = await newUser().run(['init', tree.description, '--json'], environment);
    expect(ended.status).toBe(5);
    const { message, hint } = errorOf(ended.json());
    expect(message).toMatch(/through the proxy .* failed after 2 attempts: .*HTTP 502 Bad Gateway/);
    expect(hint).toContain('NO_PROXY');
    expect(proxy.requests).toHaveLength(2);
    expect(ended.out).toContain('"calls": 0');
  });

  test.each([
    ['before anything has come', 0],
    ['in the middle of a reply', 1200],
  ])('is asked again when the proxy dies %s', async (_when, diesAfter) => {
    const { proxy, environment } = await behindProxy({ diesAfter });
    const ended = await newUser().run(['init', tree.description, '--json'], environment);
    expect(ended.status).toBe(5);
    expect(errorOf(ended.json()).message).toMatch(/through the proxy .* failed after 2 attempts/);
    expect(proxy.requests).toHaveLength(2);
  });

  test('is given up when the proxy is silent', async () => {
    const { proxy, environment } = await behindProxy({ hangs: true });
    const ended = await newUser().run(['config', 'test', '--json'], {
      ...environment,
      FRCTL_TIMEOUT_MS: '300',
    });
    expect(ended.status).toBe(5);
    expect(errorOf(ended.json()).message).toMatch(/through the proxy .* timed out/);
    expect(proxy.requests).toHaveLength(2);
  });

  test('is not reached when nobody is at the proxy’s address', async () => {
    const { proxy, environment } = await behindProxy();
    await proxy.close();
    const ended = await newUser().run(['config', 'test', '--json'], environment);
    expect(ended.status).toBe(5);
    expect(errorOf(ended.json()).message).toMatch(/through the proxy .*ECONNREFUSED/);
  });

  test('is held to its certificate', async () => {
    const { server, environment } = await behindProxy();
    const ended = await newUser().run(['config', 'test', '--json'], {
      ...environment,
      NODE_EXTRA_CA_CERTS: '',
    });
    expect(ended.status).toBe(5);
    expect(errorOf(ended.json()).message).toMatch(/self.signed|DEPTH_ZERO/i);
    expect(server.count).toBe(0);
  });
});

describe('a server of http behind a proxy', () => {
  test('is asked with its whole address', async () => {
    const { server, proxy, environment } = await behindPlainProxy({ credentials: CREDENTIALS });
    const ended = await newUser().run(['init', tree.description, '--json'], {
      ...environment,
      http_proxy: `${ESCAPED}@${proxy.host}`,
    });
    expect(ended.status).toBe(0);
    expect(summaryOf(ended.json()).total_goals).toBe(3);
    expect(proxy.requests[0]).toBe('POST http://models.example/v1/chat/completions');
    expect(server.requests[0]?.headers).toMatchObject({ host: 'models.example' });
    expect(server.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('is not asked again when the proxy wants credentials', async () => {
    const { proxy, environment } = await behindPlainProxy({ credentials: CREDENTIALS });
    const ended = await newUser().run(['init', tree.description, '--json'], environment);
    expect(ended.status).toBe(5);
    const { message, hint } = errorOf(ended.json());
    expect(message).toContain(`through the proxy http://${proxy.host} (http_proxy): the proxy refused`);
    expect(hint).toContain('user and password');
    expect(proxy.requests).toHaveLength(1);
  });

  test('is asked again when the proxy dies in the middle of a reply, or is silent', async () => {
    const dying = await behindPlainProxy({ diesAfter: 100 });
    const dead = await newUser().run(['init', tree.description, '--json'], dying.environment);
    expect(dead.status).toBe(5);
    expect(errorOf(dead.json()).message).toMatch(/through the proxy .* failed after 2 attempts/);
    const hanging = await behindPlainProxy({ hangs: true });
    const silent = await newUser().run(['init', tree.description, '--json'], {
      ...hanging.environment,
      FRCTL_TIMEOUT_MS: '300',
    });
    expect(errorOf(silent.json()).message).toMatch(/through the proxy .* timed out/);
    expect(hanging.proxy.requests).toHaveLength(2);
  });
});

describe('which proxy', () => {
  test('is left out for a server that NO_PROXY names, on loopback as anywhere', async () => {
    const server = await serverFor();
    const proxy = await proxyWith();
    const environment = { OPENAI_BASE_URL: server.baseUrl, HTTP_PROXY: `http://${proxy.host}` };
    expect((await newUser().run(['init', tree.description], environment)).status).toBe(0);
    const asked = proxy.requests.length;
    expect(asked).toBeGreaterThan(0);
    const direct = await newUser().run(['init', tree.description], {
      ...environment,
      NO_PROXY: '127.0.0.0/8',
    });
    expect(direct.status).toBe(0);
    expect(proxy.requests).toHaveLength(asked);
  });

  test('is refused, and nothing is sent, when it is none', async () => {
    const server = await serverFor();
    const ended = await newUser().run(['init', tree.description, '--json'], {
      OPENAI_BASE_URL: server.baseUrl,
      HTTP_PROXY: 'socks5://user:word-77@127.0.0.1:1',
    });
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json()).message).toContain('HTTP_PROXY');
    expect(errorOf(ended.json()).hint).toContain('NO_PROXY=127.0.0.1');
    expect(ended.out + ended.error).not.toContain('word-77');
    expect(server.count).toBe(0);
  });

  test.each(['proxy', 'https_proxy', 'HTTPS_PROXY'])(
    'is not for a repository to say: %s in its config',
    async (name) => {
      const server = await serverFor();
      const proxy = await proxyWith();
      const user = newUser();
      mkdirSync(join(user.folder, '.plans'), { recursive: true });
      const config = JSON.stringify({ [name]: `http://${proxy.host}` });
      writeFileSync(join(user.folder, '.plans', 'config.json'), config);
      const ended = await user.run(['init', tree.description], { OPENAI_BASE_URL: server.baseUrl });
      expect([0, 2]).toContain(ended.status);
      expect(proxy.requests).toEqual([]);
    },
  );

  test('is tried by `config test`', async () => {
    const { proxy, environment } = await behindProxy();
    const tested = await newUser().run(['config', 'test'], environment);
    expect(tested.status).toBe(0);
    expect(proxy.requests).toHaveLength(1);
  });
});
