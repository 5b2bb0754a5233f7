import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { newUser, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import { startModelServer, uniformTree, type ModelServerOptions } from '../support/model-server.js';

const tree = uniformTree(2, 3);

async function serverFor(options: ModelServerOptions = {}) {
  const server = await startModelServer({ tree, ...options });
  onTestFinished(() => server.close());
  return { server, environment: { OPENAI_BASE_URL: server.baseUrl } };
}

const cacheOf = ({ home }: User) => join(home, '.cache', 'frctl', 'models');
const refusing: ModelServerOptions = {
  refuse: ['json_schema', 'temperature', 'stream_options', 'system'],
  usage: ({ user }, content) => ({ prompt_tokens: user.length, completion_tokens: content.length }),
};

describe('what was learnt about a server', () => {
  test('is learnt by one command and known by the next', async () => {
    const { server, environment } = await serverFor(refusing);
    const user = newUser();
    const first = await user.run(
      ['init', tree.description, '--budget-calls', '6', '--concurrency', '1', '--json'],
      environment,
    );
    expect(first.status).toBe(6);
    const before = server.count;
    expect(before).toBe(6);
    const second = await user.run(['resume', '--budget-calls', '100', '--json'], environment);
    expect(second.status).toBe(0);
    const later = server.requests.slice(before);
    expect(later.length).toBeGreaterThan(0);
    expect(later.every(({ system }) => system === '')).toBe(true);
    expect(later.some(({ body }) => 'temperature' in body || 'stream_options' in body)).toBe(false);
    expect(later.some(({ body }) => body.response_format?.type === 'json_schema')).toBe(false);
    // No call was spent on learning it twice.
    expect(later).toHaveLength(summaryOf(second.json()).usage.calls - before);
    expect(new Set(later.map(({ goal }) => goal)).size).toBe(later.length);
  });

  test('is how many tokens it counts as well, and how much room its model needs', async () => {
    const thinking: ModelServerOptions = {
      faults: ({ body }) =>
        Number(body['max_tokens']) <= 4096
          ? { kind: 'message', message: { content: '', reasoning: 'Hm.' }, finish_reason: 'length' }
          : undefined,
      usage: () => ({ prompt_tokens: 3000, completion_tokens: 50 }),
    };
    const { server, environment } = await serverFor(thinking);
    const user = newUser();
    await user.run(['init', tree.description, '--budget-calls', '2', '--concurrency', '1'], environment);
    const before = server.count;
    await user.run(['resume', '--budget-calls', '100'], environment);
    expect(Number(server.requests[before]?.body['max_tokens'])).toBe(16_384);
    const files = readdirSync(cacheOf(user));
    expect(files).toHaveLength(1);
    const kept = readFileSync(join(cacheOf(user), files[0] ?? ''), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({
      base_url: server.baseUrl,
      learnt: { room: 4, scale: { input: expect.any(Number) as number } },
    });
  });

  test('is kept in the user’s cache, for its server and model, and not with the plan', async () => {
    const { environment } = await serverFor(refusing);
    const other = await serverFor(refusing);
    const user = newUser();
    await user.run(['init', tree.description], { ...environment, XDG_CACHE_HOME: join(user.home, 'c') });
    expect(readdirSync(join(user.home, 'c', 'frctl', 'models'))).toHaveLength(1);
    expect(existsSync(cacheOf(user))).toBe(false);
    expect(readdirSync(join(user.folder, '.plans')).join(' ')).not.toContain('models');
    await user.run(['init', tree.description], {
      ...other.environment,
      XDG_CACHE_HOME: join(user.home, 'c'),
    });
    expect(other.server.requests[0]?.body).toHaveProperty('temperature');
    // A relative one would lie in whatever repository the user is in.
    await user.run(['init', tree.description], { ...environment, XDG_CACHE_HOME: 'cache' });
    expect(existsSync(join(user.folder, 'cache'))).toBe(false);
  });

  test.each([
    ['no JSON', 'nonsense'],
    ['empty', ''],
    ['huge', 'x'.repeat(1_000_000)],
    ['of other kinds', '{"base_url":5}'],
    [
      'of ruinous numbers',
      { scale: { input: 1e300, output: -1 }, output_cap: 0, context_tokens: 1, room: 1e9 },
    ],
    ['of other words', { capabilities: { format: 'xml', outputLimit: '__proto__', stream: 7 }, room: 'x' }],
    ['nothing', null],
  ])('does no harm when it is %s', async (_name, content) => {
    const { server, environment } = await serverFor();
    const user = newUser();
    await user.run(['init', tree.description], environment);
    const [file = ''] = readdirSync(cacheOf(user));
    const path = join(cacheOf(user), file);
    const kept = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify({ ...kept, learnt: content }));
    const before = server.count;
    const ended = await user.run(
      ['init', tree.description, '--json', '--budget-tokens', '200000'],
      environment,
    );
    expect(ended.status).toBe(0);
    expect(server.count - before).toBe(before);
    expect(server.requests[before]?.body).toMatchObject({ max_tokens: 4096, temperature: 0 });
  });

  test('is done without where it cannot be kept', async () => {
    const { environment } = await serverFor(refusing);
    const user = newUser();
    mkdirSync(join(user.home, '.cache'));
    writeFileSync(join(user.home, '.cache', 'frctl'), 'a file in the way');
    expect((await user.run(['init', tree.description], environment)).status).toBe(0);
  });

  test('is not believed for ever', async () => {
    const { server, environment } = await serverFor(refusing);
    const user = newUser();
    await user.run(['init', tree.description], environment);
    const [file = ''] = readdirSync(cacheOf(user));
    const path = join(cacheOf(user), file);
    const kept = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...kept, at: '2020-01-01T00:00:00Z' }));
    const before = server.count;
    await user.run(['init', tree.description], environment);
    expect(server.requests[before]?.body).toHaveProperty('temperature');
  });
});
