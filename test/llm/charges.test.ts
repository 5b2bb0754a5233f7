import { afterEach, describe, expect, it } from 'vitest';

import { startModelServer, type Fault, type ModelServer } from '../support/model-server.js';
import { expansionQuestion, testModel, type TestModelOptions } from '../support/model.js';
import { badJson } from '../support/providers.js';

const servers: ModelServer[] = [];
const PRICES = { own: { 'test-model': { input: 1, output: 10 } } };

async function asking(fault: Fault, options: TestModelOptions = {}) {
  const server = await startModelServer({ faults: () => fault });
  servers.push(server);
  return { server, ...(await testModel(server.baseUrl, { maxRetries: 0, prices: PRICES, ...options })) };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const LOST: readonly (readonly [string, Fault])[] = [
  ['times out', { kind: 'stall' }],
  ['times out within the reply', { kind: 'stall', when: 'mid_body' }],
  ['is dropped before the headers', { kind: 'drop', when: 'before_headers' }],
  ['is dropped after the headers', { kind: 'drop', when: 'after_headers' }],
  ['is dropped within the reply', { kind: 'drop', when: 'mid_body' }],
  ['brings half a reply', { kind: 'body', body: '{"choices": [{"message": {"content": "{' }],
];

describe('a request that', () => {
  it.each(LOST)('%s is charged at the most it may have used, in usage and budget', async (_name, fault) => {
    const { expand, meter } = await asking(fault, { budget: { tokens: 20_000 }, timeoutMs: 300 });
    const { kind, usage } = await expand('Build it');
    expect(kind).toBe('unavailable');
    expect(usage).toMatchObject({ calls: 1, estimated_calls: 1, output_tokens: 4096 });
    expect(usage.input_tokens).toBeGreaterThan(50);
    expect(usage.cost_usd).toBeCloseTo((usage.input_tokens + 40_960) / 1e6, 9);
    expect(meter.remaining().tokens).toBe(20_000 - usage.input_tokens - 4096);
  });

  it.each(LOST)('%s is charged in tokens, not in bytes, where there is no budget', async (_name, fault) => {
    const { expand } = await asking(fault, { timeoutMs: 300 });
    const { usage } = await expand('word '.repeat(2000));
    expect(usage).toMatchObject({ calls: 1, estimated_calls: 1, output_tokens: 4096 });
    expect(usage.input_tokens).toBeGreaterThan(2000);
    expect(usage.input_tokens).toBeLessThan(4000);
  });

  it('is dropped by a signal is charged so too', async () => {
    const { server, model } = await asking({ kind: 'stall' });
    const drop = new AbortController();
    const asked = model.ask(expansionQuestion('Build it'), drop.signal);
    while (server.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    drop.abort();
    expect(await asked).toMatchObject({
      kind: 'aborted',
      usage: { calls: 1, estimated_calls: 1, output_tokens: 4096 },
    });
  });

  it('a budget of dollars covers, so that a server that charges for what it dropped stays within it', async () => {
    const { server, expand } = await asking(
      { kind: 'drop', when: 'after_headers' },
      { budget: { usd: 0.2 }, maxRetries: 100 },
    );
    expect(await expand('Build it')).toMatchObject({ kind: 'budget', limit: 'usd' });
    const charged = server.requests.map(({ body }) => (500 + 10 * Number(body['max_tokens'])) / 1e6);
    expect(server.count).toBeGreaterThan(3);
    expect(charged.reduce((total, one) => total + one, 0)).toBeLessThanOrEqual(0.2);
  });

  it.each<readonly [string, Fault]>([
    ['was refused', { kind: 'status', status: 400 }],
    ['met a server in trouble', { kind: 'status', status: 503 }],
    ['met another page', { kind: 'body', body: '<html>Sign in</html>' }],
  ])('%s has no tokens', async (_name, fault) => {
    const { expand } = await asking(fault);
    expect((await expand('Build it')).usage).toEqual({
      calls: 1,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    });
  });

  it('brought a reply that its server withheld is counted by its text', async () => {
    const { expand } = await asking(badJson('{"atomic":true,"reasoning":"r","sub_goals":[]}'));
    const { usage } = await expand('Build it');
    expect(usage.input_tokens).toBeGreaterThan(50);
    expect(usage.output_tokens).toBeGreaterThan(5);
  });
});
