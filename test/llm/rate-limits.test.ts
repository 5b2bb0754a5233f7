import { afterEach, describe, expect, it } from 'vitest';

import { probeBackoffMs } from '../../src/llm/backoff.js';
import { waitAsked } from '../../src/llm/wait-asked.js';
import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
  type SeenRequest,
} from '../support/model-server.js';
import { expansionQuestion, testModel, type TestModelOptions } from '../support/model.js';
import { LIMITED, LIMITS } from '../support/providers.js';

const servers: ModelServer[] = [];

async function asking(
  faults: NonNullable<ModelServerOptions['faults']>,
  options: TestModelOptions = {},
  delay = 0,
) {
  const server = await startModelServer({ faults, delay });
  servers.push(server);
  return { server, ...(await testModel(server.baseUrl, options)) };
}

const first =
  (count: number, fault = LIMITED) =>
  ({ number }: SeenRequest) =>
    number <= count ? fault : undefined;

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('the wait that a server asks for', () => {
  it.each(LIMITS)('is kept to: %s', async (_name, wait, fault) => {
    const { server, expand, waits } = await asking(first(1, fault));
    expect((await expand('Build it')).kind).toBe('reply');
    expect(waits.map(Math.round)).toEqual([wait]);
    expect(server.count).toBe(2);
  });

  it.each(LIMITS)('is kept to when a server is only overloaded: %s', async (_name, wait, fault) => {
    const { expand, waits } = await asking(first(1, { ...fault, status: 503 }));
    await expand('Build it');
    expect(waits.map(Math.round)).toEqual([wait]);
  });

  const now = Date.parse('2025-11-30T10:00:00Z');
  const error = (message: string) => ({ message, code: undefined, param: undefined, labels: [] });

  it.each([
    ['Please try again in 7m12s.', 432_000],
    ['Please try again in 1h2m3.5s.', 3_723_500],
    ['Please wait 30 seconds and try again', 30_000],
    ['Please retry your request after 5 minutes', 300_000],
    ['Try again in 1 hour, 2 minutes and 3 seconds', 3_723_000],
    ['Try again in 3 days!', 259_200_000],
    ['try again later', undefined],
    ['try again in 20 requests', undefined],
    ['Limit 10 s, used 9 s', undefined],
  ])('in words: %s', (message, wait) => {
    expect(waitAsked(new Headers(), error(message), now)).toBe(wait);
  });

  it.each([
    [{ 'retry-after': '20s' }, 20_000],
    [{ 'retry-after': 'soon', 'x-ratelimit-reset': '3' }, 3000],
    [{ 'retry-after-ms': '5', 'retry-after': '9' }, 5],
    [
      {
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-tokens': '50s',
        'x-ratelimit-remaining-tokens': '9',
      },
      1000,
    ],
    [
      {
        'x-ratelimit-reset-requests': '12ms',
        'x-ratelimit-remaining-requests': '5',
        'x-ratelimit-reset-tokens': '50s',
        'x-ratelimit-remaining-tokens': '9',
      },
      12,
    ],
    [{ 'x-ratelimit-reset-requests': '6m0s' }, undefined],
    [{ 'x-ratelimit-reset': String(now + 3_600_000) }, 3_600_000],
    [{ 'x-ratelimit-reset': String(now - 5000) }, 0],
    [{ 'x-ratelimit-reset': '-5' }, undefined],
    [{ 'x-ratelimit-reset': '' }, undefined],
    [{ 'x-ratelimit-timeremaining': '15' }, 15_000],
    [{ 'ratelimit-reset': '7' }, 7000],
    [{}, undefined],
  ])('in headers: %j', (headers, wait) => {
    expect(waitAsked(new Headers(headers as Record<string, string>), error(''), now)).toBe(wait);
  });

  it('is found in bounds', () => {
    const text = `again ${'1s '.repeat(50)}`.repeat(20_000);
    expect(waitAsked(new Headers({ 'retry-after': '1s'.repeat(5000) }), error(text), now)).toBe(5000);
  });

  it('of a minute and more goes to the next model, and in the end fails', async () => {
    const fault = {
      kind: 'status',
      status: 429,
      headers: { 'x-ratelimit-reset': String(now + 61_000) },
    } as const;
    const { server, expand } = await asking(({ body }) => (body.model === 'b' ? undefined : fault), {
      fallbackModels: ['b'],
    });
    expect((await expand('One')).kind).toBe('reply');
    expect((await expand('Two')).kind).toBe('reply');
    expect(server.requests.map(({ body }) => body.model)).toEqual(['test-model', 'b', 'b']);
  });

  it.each([
    [429, '86400', /; it is not to be asked before 2025-12-01 10:00 UTC, too late to wait for$/],
    [503, '3601', /; it is not to be asked before 2025-11-30 11:01 UTC, too late to wait for$/],
    [429, '99999999999999999999', /not to be asked before \+275760-09-13 00:00 UTC/],
  ])('is told, with what to do, when it is too long: %d, %s', async (status, wait, said) => {
    const { server, expand } = await asking(() => ({
      kind: 'status',
      status,
      headers: { 'retry-after': wait },
    }));
    for (const goal of ['One', 'Two'])
      expect(await expand(goal)).toMatchObject({
        kind: 'unavailable',
        error: {
          code: 'MODEL_FAILED',
          message: expect.stringMatching(said) as string,
          hint: 'go on with `plan resume` then, or now with another `--model`',
        },
      });
    expect(server.count).toBe(1);
  });

  it('says nothing of a time when retries were used up', async () => {
    const { expand } = await asking(() => ({ kind: 'status', status: 503, headers: { 'retry-after': '2' } }));
    expect(await expand('One')).toMatchObject({
      error: {
        message: expect.not.stringContaining('asked before') as string,
        hint: expect.stringContaining('check the server') as string,
      },
    });
  });
});

describe('a server at its limit that does not say for how long', () => {
  it('is asked by one request at a time, for two minutes at least, and then given up', async () => {
    const clock = { now: 0 };
    const waits: number[] = [];
    // Waits pass side by side.
    const sleep = async (ms: number): Promise<void> => {
      const until = clock.now + ms;
      await new Promise(setImmediate);
      if (until > clock.now) waits.push(until - clock.now);
      clock.now = Math.max(clock.now, until);
    };
    const { server, model, expand, events } = await asking(
      () => LIMITED,
      { concurrency: 8, sleep, now: () => clock.now },
      5,
    );
    const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => expand(`Goal ${index}`)));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['unavailable']));
    expect(server.requests.slice(8).map(({ atOnce }) => atOnce)).toEqual(
      server.requests.slice(8).map(() => 1),
    );
    expect(sum(waits)).toBeGreaterThanOrEqual(120_000);
    expect(server.count).toBeLessThan(20);
    expect(model.concurrency).toBe(1);
    expect(events.some(({ kind }) => kind === 'throttled')).toBe(true);
    // Nothing was paid for.
    expect(sum(answers.map(({ usage }) => usage.calls))).toBe(0);
  });

  it('is asked so whatever chance says', () => {
    for (const random of [() => 0, () => 0.999]) {
      let total = 0;
      let waves = 0;
      for (; total < 120_000; waves += 1) total += probeBackoffMs(waves, random);
      expect(waves).toBeLessThan(15);
    }
  });

  it('goes on at half of its places once a request is let through', async () => {
    const { server, model, expand } = await asking(first(12), { concurrency: 8 }, 5);
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => expand(`Goal ${index}`)));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['reply']));
    expect(server.requests.slice(8, 13).map(({ atOnce }) => atOnce)).toEqual([1, 1, 1, 1, 1]);
    expect(server.requests[14]?.atOnce).toBe(2);
    expect(model.concurrency).toBeGreaterThan(4);
  });

  it('is left for the next model in the end, and not asked again soon', async () => {
    const { server, expand } = await asking(({ body }) => (body.model === 'b' ? undefined : LIMITED), {
      fallbackModels: ['b'],
    });
    expect((await expand('One')).kind).toBe('reply');
    const before = server.count;
    expect((await expand('Two')).kind).toBe('reply');
    expect(server.count).toBe(before + 1);
  });

  it('takes no call of the budget', async () => {
    const { expand, server } = await asking(first(7), { budget: { calls: 1 } });
    expect(await expand('Build it')).toMatchObject({ kind: 'reply', usage: { calls: 1 } });
    expect(server.count).toBe(8);
  });

  it('is not asked again where no retries are wanted', async () => {
    const { expand, server, waits } = await asking(() => LIMITED, { maxRetries: 0 });
    expect((await expand('Build it')).kind).toBe('unavailable');
    expect([server.count, waits]).toEqual([1, []]);
  });
});

describe('a reply that is too large', () => {
  it.each([
    [0, 1],
    [5, 2],
  ])('is asked for again once at most, and with %d retries %d times in all', async (maxRetries, count) => {
    const large = { kind: 'body' as const, body: 'x'.repeat(33 * 1024 * 1024) };
    const { expand, server, events } = await asking(() => large, { maxRetries });
    expect((await expand('Build it')).kind).toBe('unavailable');
    expect(server.count).toBe(count);
    expect(events.filter(({ kind }) => kind === 'retry')).toHaveLength(count - 1);
  });
});

describe('a signal to stop', () => {
  // A sleep as it is: it ends with its signal, or in a minute.
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  const drop = new AbortController().signal;

  it.each([
    ['a server at its limit', 2, { ...LIMITED, headers: { 'retry-after': '59' } }],
    ['a server in trouble', 4, { kind: 'status', status: 503, headers: { 'retry-after': '59' } }],
  ] as const)(
    'ends the wait for %s at once',
    async (_name, waiting, fault) => {
      const { server, model, events } = await asking(() => fault, { sleep, concurrency: 2 });
      const stop = new AbortController();
      const asked = [1, 2, 3, 4].map((n) => model.ask(expansionQuestion(`Goal ${n}`), drop, stop.signal));
      while (events.filter(({ kind }) => kind === 'retry').length < waiting)
        await new Promise((resolve) => setTimeout(resolve, 5));
      const before = server.count;
      stop.abort();
      expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(Array(4).fill('aborted'));
      expect(server.count).toBe(before);
    },
    20_000,
  );

  it('lets the request under way finish, and begins no other', async () => {
    const { server, model } = await asking(() => undefined, { concurrency: 1 }, 100);
    const stop = new AbortController();
    const asked = [1, 2].map((n) => model.ask(expansionQuestion(`Goal ${n}`), drop, stop.signal));
    while (server.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect((await Promise.all(asked)).map(({ kind, usage }) => [kind, usage.calls])).toEqual([
      ['reply', 1],
      ['aborted', 0],
    ]);
    expect(server.count).toBe(1);
  });

  it('has no bad reply repaired, which costs as much as asking again', async () => {
    const { server, model } = await asking(() => ({ kind: 'content', content: 'no' }), {}, 100);
    const stop = new AbortController();
    const asked = model.ask(expansionQuestion('Build it'), drop, stop.signal);
    while (server.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await asked).toMatchObject({ kind: 'aborted', usage: { calls: 1 } });
    expect(server.count).toBe(1);
  });
});
