import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { errorOf, newUser, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import type { ModelServer } from '../support/model-server.js';
import { startModelServer, uniformTree } from '../support/model-server.js';

const KEY = 'sk-secret-0123456789abcdef';
const tree = uniformTree(1, 2, 'Do it');

async function server(): Promise<ModelServer> {
  const started = await startModelServer({ tree });
  onTestFinished(() => started.close());
  return started;
}

/** A repository that brings a config of its own. */
function repositoryWith(config: object): User {
  const user = newUser();
  mkdirSync(join(user.folder, '.plans'));
  writeFileSync(join(user.folder, '.plans', 'config.json'), JSON.stringify(config));
  return user;
}

const keys = ({ requests }: ModelServer) => requests.map(({ headers }) => headers.authorization);

describe('a base URL that a repository brings', () => {
  test('gets no key and no request until the user trusts it, and the refusal says how', async () => {
    const hostile = await server();
    const user = repositoryWith({ base_url: hostile.baseUrl });
    const refused = await user.run(['init', tree.description, '--json'], { OPENAI_API_KEY: KEY });
    expect(refused.status).toBe(4);
    expect(errorOf(refused.json())).toMatchObject({
      code: 'UNTRUSTED_BASE_URL',
      hint: expect.stringContaining(`plan config trust ${hostile.baseUrl}`),
    });
    expect(hostile.count).toBe(0);
    expect(readdirSync(join(user.folder, '.plans'))).not.toContainEqual(
      expect.stringMatching(/^[0-9a-f]{8}/),
    );

    expect((await user.run(['config', 'trust', `${hostile.baseUrl}/`])).status).toBe(0);
    expect((await user.run(['init', tree.description], { OPENAI_API_KEY: KEY })).status).toBe(0);
    expect(keys(hostile)).toEqual([`Bearer ${KEY}`]);
    expect(readFileSync(join(user.home, '.config', 'frctl', 'config.json'), 'utf8')).toContain(
      hostile.baseUrl,
    );
  });

  test('is told no organization and no project of OpenAI until the user trusts it, as other servers are', async () => {
    const [own, hostile] = [await server(), await server()];
    const user = repositoryWith({ base_url: hostile.baseUrl });
    const account = { OPENAI_API_KEY: KEY, OPENAI_ORG_ID: ' org-1 ', OPENAI_PROJECT_ID: 'proj-1' };
    const named = { 'openai-organization': 'org-1', 'openai-project': 'proj-1' };
    expect((await user.run(['init', tree.description], account)).status).toBe(4);
    expect((await user.run(['config', 'test'], account)).status).toBe(4);
    expect(hostile.count).toBe(0);
    await user.run(['init', tree.description, '--base-url', own.baseUrl], account);
    expect(own.requests.map(({ headers }) => headers)).toMatchObject([named]);

    await user.run(['config', 'trust', hostile.baseUrl]);
    await user.run(['init', tree.description], account);
    await user.run(['init', tree.description], {
      OPENAI_API_KEY: KEY,
      OPENAI_ORG_ID: '',
      OPENAI_PROJECT_ID: ' ',
    });
    expect(hostile.requests.map(({ headers }) => headers['openai-organization'])).toEqual([
      'org-1',
      undefined,
    ]);
    expect(hostile.requests.map(({ headers }) => headers['openai-project'])).toEqual(['proj-1', undefined]);
  });

  test('of a plan’s settings is refused as well', async () => {
    const [own, hostile] = [await server(), await server()];
    const user = newUser();
    await user.run(['init', tree.description, '--no-decompose', '--base-url', own.baseUrl], {
      OPENAI_API_KEY: KEY,
    });
    const folder = join(user.folder, '.plans');
    const name = readdirSync(folder).find((file) => /^[0-9a-f]{8}\.json$/.test(file)) ?? '';
    const planFile = join(folder, name);
    writeFileSync(planFile, readFileSync(planFile, 'utf8').replaceAll(own.baseUrl, hostile.baseUrl));
    // Where there is a log, a plan file that was edited is not believed; a repository can bring one without.
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.events.jsonl')))
      rmSync(join(folder, file));
    rmSync(join(folder, 'journal'), { recursive: true });
    const refused = await user.run(['resume', '--json'], { OPENAI_API_KEY: KEY });
    expect(refused.status).toBe(4);
    expect(errorOf(refused.json()).code).toBe('UNTRUSTED_BASE_URL');
    expect(hostile.count).toBe(0);
    // The user can always say himself where to go.
    expect((await user.run(['resume', '--base-url', own.baseUrl], { OPENAI_API_KEY: KEY })).status).toBe(0);
    expect(own.count).toBe(1);
  });

  test('is asked about without a key as well: what is planned is worth stealing too', async () => {
    const local = await server();
    const user = repositoryWith({ base_url: local.baseUrl });
    expect((await user.run(['init', tree.description])).status).toBe(4);
    expect(local.count).toBe(0);
    await user.run(['config', 'trust', local.baseUrl]);
    expect((await user.run(['init', tree.description])).status).toBe(0);
    expect(keys(local)).toEqual([undefined]);
  });

  test('gets no key from `config test` either', async () => {
    const hostile = await server();
    const user = repositoryWith({ base_url: hostile.baseUrl });
    const refused = await user.run(['config', 'test', '--json'], { OPENAI_API_KEY: KEY });
    expect(errorOf(refused.json()).code).toBe('UNTRUSTED_BASE_URL');
    expect(hostile.count).toBe(0);
  });
});

describe('a base URL that the user gave himself', () => {
  test('needs no flag when the plan is resumed', async () => {
    const own = await server();
    const user = newUser();
    const environment = { OPENAI_API_KEY: KEY };
    await user.run(
      ['init', tree.description, '--no-decompose', '--base-url', own.baseUrl, '--model', 'mine'],
      environment,
    );
    const resumed = await user.run(['resume', '--json'], environment);
    expect(summaryOf(resumed.json()).status).toBe('complete');
    expect(own.requests.map(({ body }) => body.model)).toEqual(['mine']);
  });

  test('is remembered for each of several plans that are started at once', async () => {
    const own = await server();
    const user = newUser();
    const environment = { OPENAI_API_KEY: KEY };
    const started = await Promise.all(
      Array.from({ length: 6 }, () =>
        user.run(
          ['init', tree.description, '--no-decompose', '--base-url', own.baseUrl, '--json'],
          environment,
        ),
      ),
    );
    for (const plan of started.map((ended) => summaryOf(ended.json()).id)) {
      const resumed = await user.run(['resume', plan, '--json'], environment);
      expect(summaryOf(resumed.json()).status).toBe('complete');
    }
  });

  test('is remembered when it is given on the way', async () => {
    const [first, second] = [await server(), await server()];
    const user = newUser();
    const environment = { OPENAI_API_KEY: KEY };
    await user.run(['init', tree.description, '--no-decompose', '--base-url', first.baseUrl], environment);
    await user.run(['resume', '--base-url', second.baseUrl, '--budget-calls', '0'], environment);
    const resumed = await user.run(['resume', '--budget-calls', '9', '--json'], environment);
    expect(summaryOf(resumed.json()).status).toBe('complete');
    expect([first.count, second.count]).toEqual([0, 1]);
  });

  test('in his own config needs no trust when the plan is resumed', async () => {
    const own = await server();
    const user = newUser();
    await user.run(['config', 'set', 'base_url', own.baseUrl, '--user']);
    await user.run(['init', tree.description, '--no-decompose'], { OPENAI_API_KEY: KEY });
    const resumed = await user.run(['resume', '--json'], { OPENAI_API_KEY: KEY });
    expect(summaryOf(resumed.json()).status).toBe('complete');
    expect(keys(own)).toEqual([`Bearer ${KEY}`]);
  });

  test('outranks what the environment says, when it was a flag', async () => {
    const [own, other] = [await server(), await server()];
    const user = newUser();
    await user.run(['init', tree.description, '--no-decompose', '--base-url', own.baseUrl], {
      OPENAI_API_KEY: KEY,
    });
    await user.run(['resume'], { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: other.baseUrl });
    expect([own.count, other.count]).toEqual([1, 0]);
  });

  test.each(['http://user:pass@localhost/v1', 'https://token@example.com'])(
    '%s holds credentials and is refused',
    async (url) => {
      const refused = await newUser().run(['init', 'x', '--base-url', url, '--json'], {
        OPENAI_API_KEY: KEY,
      });
      expect(refused.status).toBe(2);
      expect(refused.out).not.toContain('pass');
      expect(refused.out).not.toContain('token@');
    },
  );
});

test('a base URL with a query, which may hold a key, is refused before anything is written', async () => {
  const user = newUser();
  const refused = await user.run(['init', 'x', '--base-url', `http://localhost/v1?key=${KEY}`, '--json']);
  expect(refused.status).toBe(2);
  expect(refused.out).not.toContain(KEY);
  expect(readdirSync(user.folder)).toEqual([]);
});

describe('the key', () => {
  test('is refused in a config file', async () => {
    const user = repositoryWith({ api_key: KEY });
    const refused = await user.run(['init', 'x', '--json']);
    expect(refused.status).toBe(2);
    expect(errorOf(refused.json()).hint).toContain('OPENAI_API_KEY');
    expect(refused.out).not.toContain(KEY);
    const set = await newUser().run(['config', 'set', 'api_key', KEY, '--user', '--json']);
    expect(set.status).toBe(2);
    expect(set.out).not.toContain(KEY);
  });

  test('is shown by no command', async () => {
    const user = newUser();
    for (const args of [['config'], ['config', '--json'], ['config', 'show', '--debug']]) {
      const shown = await user.run(args, { OPENAI_API_KEY: KEY });
      expect(shown.status).toBe(0);
      expect(shown.out + shown.error).not.toContain(KEY);
    }
  });
});

test('every setting is shown with the place it comes from', async () => {
  const user = repositoryWith({ max_depth: 3, concurrency: 2 });
  await user.run(['config', 'set', 'budget.usd', '2.5', '--user']);
  await user.run(['config', 'set', 'concurrency', '4', '--user']);
  const { settings } = (await user.run(['config', '--json'], { FRCTL_MAX_GOALS: '50' })).json();
  expect(settings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'max_depth', value: 3, source: 'project' }),
      expect.objectContaining({ name: 'concurrency', value: 2, source: 'project' }),
      expect.objectContaining({ name: 'max_goals', value: 50, source: 'environment' }),
      expect.objectContaining({ name: 'budget', value: { usd: 2.5 }, source: 'user' }),
      expect.objectContaining({ name: 'max_children', value: 7, source: 'default' }),
    ]),
  );
  await user.run(['config', 'unset', 'concurrency']);
  expect((await user.run(['config', '--json'])).json().settings).toContainEqual(
    expect.objectContaining({ name: 'concurrency', value: 4, source: 'user' }),
  );
});
