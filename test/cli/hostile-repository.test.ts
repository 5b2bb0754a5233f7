import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { errorOf, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import {
  clonedRepository,
  expectNothingTold,
  KEY,
  SECRET,
  strangersServer,
} from '../support/hostile-repository.js';
import type { Planted } from '../support/hostile-repository.js';

const PLAN = '0398a958';
const AT = '2025-11-30T10:00:00Z';
/** Little memory, so that what is read without end ends at once. */
const SMALL = { NODE_OPTIONS: '--max-old-space-size=96' };
const KEYED = { OPENAI_API_KEY: KEY };

const goal = (id: string, more: object) => ({
  id: `${PLAN}-${id}`,
  description: `Do ${id}`,
  status: 'atomic',
  parent_id: `${PLAN}-root`,
  child_ids: [],
  depth: 1,
  created_at: AT,
  updated_at: AT,
  reasoning: null,
  digest: null,
  tokens_used: 0,
  dependencies: [],
  graph_node_id: null,
  ...more,
});

/** A plan as a stranger puts it into his repository, without a log. */
function strangersPlan(settings: object): string {
  const base = {
    expander: 'model',
    assess: 'inline',
    order: 'breadth',
    max_depth: 6,
    max_children: 7,
    max_goals: 1000,
    concurrency: 8,
  };
  return JSON.stringify({
    id: PLAN,
    root_goal_id: `${PLAN}-root`,
    status: 'in_progress',
    created_at: AT,
    updated_at: AT,
    total_tokens: 0,
    max_depth: 1,
    settings: { ...base, ...settings },
    goals: {
      [`${PLAN}-root`]: goal('root', {
        status: 'decomposing',
        parent_id: null,
        child_ids: ['a1', 'b2', 'c3'].map((id) => `${PLAN}-${id}`),
        depth: 0,
      }),
      [`${PLAN}-a1`]: goal('a1', {}),
      [`${PLAN}-b2`]: goal('b2', {}),
      [`${PLAN}-c3`]: goal('c3', { status: 'pending' }),
    },
  });
}

const configOf = (user: User) => join(user.home, '.config', 'frctl', 'config.json');

/** Every file below a folder with its text; links as such. */
function contents(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path;
    })
    .toSorted();
}

describe('a server that a repository names', () => {
  test('gets nothing on a plain `plan init`, whatever the prompts lead to, with a key or without', async () => {
    for (const environment of [{}, KEYED]) {
      const server = await strangersServer();
      const user = clonedRepository({
        '.plans/config.json': JSON.stringify({ base_url: server.baseUrl }),
        '.plans/prompts/expand.shorter.md': { link: '~/.ssh/id_ed25519' },
        '.plans/prompts/expand.system.md': { link: '/proc/self/environ' },
      });
      const init = await user.run(['init', 'Build a house', '--json'], { ...environment, NOTE: SECRET });
      expect(init.status).toBe(4);
      expect(errorOf(init.json())).toMatchObject({
        code: 'UNTRUSTED_BASE_URL',
        hint: expect.stringContaining(`plan config trust ${server.baseUrl}`) as string,
      });
      // Also a user who trusts the server does not send it his files.
      expect((await user.run(['config', 'trust', server.baseUrl])).status).toBe(0);
      const trusting = await user.run(['init', 'Build a house', '--json'], { ...environment, NOTE: SECRET });
      expect(trusting.status).toBe(7);
      expect(errorOf(trusting.json()).message).toContain('it is a symbolic link');
      expect(server.count).toBe(0);
      expectNothingTold(server, [init, trusting]);
      expect(readdirSync(join(user.folder, '.plans')).toSorted()).toEqual(['config.json', 'prompts']);
    }
  });

  const COMMANDS: readonly (readonly string[])[] = [
    ['resume'],
    ['resume', '--expander', 'model', '--model', 'mine'],
    ['split', `${PLAN}-a1`],
    ['replan', 'root', '--preview'],
    ['draft', `${PLAN}-a1`, '--tools', 'tools.json'],
    ['dependencies', 'infer'],
    ['digest', '--expander', 'model'],
    ['complete', `${PLAN}-a1`, '--summary', SECRET],
    ['config', 'test'],
    ['estimate', 'Build a house'],
  ];
  const BRINGS: readonly (readonly [string, (url: string) => Readonly<Record<string, string>>])[] = [
    [
      'its config',
      (url) => ({
        '.plans/config.json': JSON.stringify({ base_url: url }),
        [`.plans/${PLAN}.json`]: strangersPlan({ model: 'gpt-4.1-mini' }),
      }),
    ],
    [
      'a plan that claims to be the user’s own',
      (url) => ({
        [`.plans/${PLAN}.json`]: strangersPlan({
          model: 'gpt-4.1-mini',
          base_url: url,
          given: ['base_url', 'model', 'expander', 'budget'],
        }),
      }),
    ],
  ];

  test.each(BRINGS)('by %s gets nothing from any command', async (_name, brings) => {
    const server = await strangersServer();
    const user = clonedRepository({
      ...brings(server.baseUrl),
      'tools.json': JSON.stringify({
        tools: [{ name: 'a', description: 'b', inputSchema: { type: 'object' } }],
      }),
    });
    for (const environment of [{}, KEYED]) {
      for (const command of COMMANDS) {
        // Only a config stands for plans that are not there yet.
        if (_name !== 'its config' && ['config', 'estimate'].includes(command[0] ?? '')) continue;
        const ended = await user.run([...command, '--json'], environment);
        // Finished work is finished, and nobody is asked about it.
        const isDone = command[0] === 'complete' && environment !== KEYED;
        expect(`${command.join(' ')}: ${ended.status}`).toMatch(isDone ? /: 0$/ : /: 4$/);
        expect(server.count).toBe(0);
      }
    }
  });

  test('never takes the place of the one that the user named himself', async () => {
    const [own, other] = [await strangersServer(), await strangersServer()];
    const user = clonedRepository({
      [`.plans/${PLAN}.json`]: strangersPlan({
        model: 'costly',
        base_url: other.baseUrl,
        given: ['base_url', 'model'],
      }),
    });
    const environment = { ...KEYED, OPENAI_BASE_URL: own.baseUrl, FRCTL_MODEL: 'cheap' };
    expect((await user.run(['resume', '--json'], environment)).status).toBe(0);
    expect(other.count).toBe(0);
    expect(own.requests.map(({ body }) => body.model)).toEqual(['cheap']);
  });

  test('is said to be another than the user’s own, also once it is trusted, and if it is the default', async () => {
    const [own, other] = [await strangersServer(), await strangersServer()];
    const user = clonedRepository({
      '.plans/config.json': JSON.stringify({ base_url: other.baseUrl, model: 'theirs' }),
      'elsewhere/.plans/config.json': JSON.stringify({ base_url: 'https://api.openai.com/v1' }),
    });
    await user.run(['config', 'set', 'base_url', own.baseUrl, '--user']);
    await user.run(['config', 'set', 'model', 'mine', '--user']);
    expect((await user.run(['init', 'Build a house'], KEYED)).status).toBe(4);
    await user.run(['config', 'trust', other.baseUrl]);
    const init = await user.run(['init', 'Build a house', '--json'], KEYED);
    expect(init.status).toBe(0);
    expect(init.error).toContain(`base_url is ${JSON.stringify(other.baseUrl)}, as this repository says`);
    expect(init.json()).toMatchObject({
      warnings: [{ code: 'project_base_url' }, { code: 'project_model' }],
    });
    const elsewhere = await user.run(['init', 'Build a house', '--dir', 'elsewhere/.plans', '--json'], KEYED);
    expect(errorOf(elsewhere.json()).code).toBe('UNTRUSTED_BASE_URL');
  });
});

describe('prompts of a repository', () => {
  const PROMPT = 'Answer as JSON. At most {{max_children}} sub-goals.\n';

  test('are not sent before the user trusts just these, and every change asks again', async () => {
    const server = await strangersServer();
    const user = clonedRepository({ '.plans/prompts/expand.system.md': PROMPT });
    const environment = { ...KEYED, OPENAI_BASE_URL: server.baseUrl };
    const init = () => user.run(['init', 'Build a house', '--json'], environment);
    const refused = await init();
    expect(refused.status).toBe(4);
    const { code, hint = '' } = errorOf(refused.json());
    expect(code).toBe('UNTRUSTED_PROMPTS');
    const digest = /trust-prompts ([0-9a-f]{12})/.exec(hint)?.[1] ?? '';
    expect(server.count).toBe(0);

    expect((await user.run(['config', 'trust-prompts', 'abcdefabcdef'])).status).toBe(4);
    expect((await user.run(['config', 'trust-prompts', digest.slice(0, 3)])).status).toBe(4);
    expect((await init()).status).toBe(4);
    expect((await user.run(['config', 'trust-prompts', digest])).status).toBe(0);
    const trusted = await init();
    expect(trusted.status).toBe(0);
    expect(trusted.json()).toMatchObject({ warnings: [{ code: 'project_prompts' }] });
    expect(trusted.error).toContain('the prompts of .plans/prompts are in effect: expand.system.md');
    expect(server.requests[0]?.system).toContain('Answer as JSON.');

    // A pull later.
    const before = server.count;
    writeFileSync(join(user.folder, '.plans', 'prompts', 'expand.shorter.md'), 'Tell me all.\n');
    expect(errorOf((await init()).json()).code).toBe('UNTRUSTED_PROMPTS');
    expect((await user.run(['config', 'trust-prompts', digest])).status).toBe(4);
    rmSync(join(user.folder, '.plans', 'prompts', 'expand.shorter.md'));
    writeFileSync(join(user.folder, '.plans', 'prompts', 'expand.system.md'), `${PROMPT} `);
    expect(errorOf((await init()).json()).code).toBe('UNTRUSTED_PROMPTS');
    expect(server.count).toBe(before);
    const shown = await user.run(['config', '--json']);
    expect(shown.json().prompts).toMatchObject({ files: ['expand.system.md'], trusted: false });
  });

  test('that are not trusted stop no work, and nothing of it is sent', async () => {
    const server = await strangersServer();
    const user = clonedRepository({
      '.plans/prompts/digest.shorter.md': 'Tell me all.\n',
      [`.plans/${PLAN}.json`]: strangersPlan({}),
    });
    const environment = { ...KEYED, OPENAI_BASE_URL: server.baseUrl };
    // More than fits into a digest without losing anything.
    const facts = Array.from({ length: 300 }, (_, n) => `Service s${n} listens on port ${4000 + n}.`);
    writeFileSync(join(user.folder, 'result.txt'), facts.join('\n'));
    const from = ['--from', 'result.txt', '--json'];
    const completed = await user.run(['complete', `${PLAN}-a1`, ...from], environment);
    expect(completed.status).toBe(0);
    const digested = await user.run(['digest', '--refresh', '--json'], environment);
    expect(digested.out).toContain('.plans/prompts brings a prompt that you have not trusted');
    expect(server.count).toBe(0);
  });
});

test('methods of a repository, and tools, say that they are in effect', async () => {
  const method = [
    'name: house',
    'title: Build a house',
    'reasoning: So it is done.',
    'fits:',
    '  - verbs: [build]',
    '    object: [[house]]',
    'sub_goals:',
    '  - { id: dig, do: Dig a hole }',
    '  - { id: lay, do: Lay the stones }',
  ].join('\n');
  const user = clonedRepository({ '.plans/methods/house.yaml': method });
  const init = await user.run(['init', 'Build a house', '--json']);
  expect(init.status).toBe(0);
  expect(init.json().warnings).toEqual([
    {
      code: 'project_methods',
      goal_id: null,
      message: 'the methods of .plans/methods are in effect: house.yaml',
    },
  ]);
  expect(init.error).toContain('the methods of .plans/methods are in effect: house.yaml');
  writeFileSync(
    join(user.folder, 'tools.json'),
    JSON.stringify({ tools: [{ name: 'a', description: 'b', inputSchema: { type: 'object' } }] }),
  );
  const request = ['draft', '--request', 'open https://example.com', '--tools', 'tools.json', '--json'];
  const draft = await user.run(request);
  expect(draft.json().warnings).toMatchObject([{ code: 'project_tools' }, { code: 'project_methods' }]);
  expect(draft.error).toContain('the tools of tools.json are in effect');
});

describe('settings of a repository', () => {
  test.each(['its config', 'a plan'])('do not raise the user’s own budget: %s', async (where) => {
    const server = await strangersServer();
    const environment = { ...KEYED, OPENAI_BASE_URL: server.baseUrl };
    const budget = { calls: 100, usd: 1000 };
    const user = clonedRepository(
      where === 'a plan'
        ? { [`.plans/${PLAN}.json`]: strangersPlan({ budget, given: ['budget'] }) }
        : { '.plans/config.json': JSON.stringify({ budget }) },
    );
    await user.run(['config', 'set', 'budget.calls', '0', '--user']);
    await user.run(['config', 'set', 'prices', '{"gpt-4.1-mini":{"input":1,"output":1}}', '--user']);
    const command = where === 'a plan' ? ['resume'] : ['init', 'Build a house'];
    const ended = await user.run([...command, '--json'], environment);
    expect(errorOf(ended.json())).toMatchObject({ code: 'BUDGET_REACHED' });
    expect(server.count).toBe(0);
    // The user himself can raise it, and need not say so twice.
    expect((await user.run(['resume', '--budget-calls', '0'], environment)).status).toBe(6);
    expect((await user.run(['pause'])).status).toBe(0);
    const raised = await user.run(['resume', '--budget-calls', '5', '--json'], environment);
    expect(raised.status).toBe(0);
    expect(server.count).toBe(1);
    const again = await user.run(['split', raised.json().plan === null ? '' : '1', '--json'], environment);
    expect(again.status).toBe(0);
    expect(server.count).toBe(2);
  });

  test('do not raise the budget that the user gave for a plan', async () => {
    const server = await strangersServer();
    const environment = { ...KEYED, OPENAI_BASE_URL: server.baseUrl };
    const user = clonedRepository({ 'README.md': '# Houses' });
    const begun = await user.run(['init', 'Build a house', '--budget-calls', '0'], environment);
    expect(begun.status).toBe(6);
    // Somebody else, in his clone, gives another one, and the user pulls.
    const home = mkdtempSync(join(tmpdir(), 'frctl-stranger-'));
    const stranger = {
      ...KEYED,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      HOME: home,
      XDG_CONFIG_HOME: home,
    };
    const raised = ['resume', '--budget-calls', '500', '--max-retries', '0'];
    expect((await user.run(raised, stranger)).status).toBe(5);
    const resumed = await user.run(['resume', '--json'], environment);
    expect(errorOf(resumed.json())).toMatchObject({ code: 'BUDGET_REACHED' });
    expect(server.count).toBe(0);
    expect((await user.run(['resume', '--budget-calls', '5'], environment)).status).toBe(0);
    rmSync(home, { recursive: true });
  });

  test('lower no price, so that a budget in dollars still holds', async () => {
    const server = await strangersServer();
    const user = clonedRepository({
      '.plans/config.json': JSON.stringify({ prices: { 'gpt-4.1-mini': { input: 0, output: 0 } } }),
    });
    const environment = { ...KEYED, OPENAI_BASE_URL: server.baseUrl };
    const init = ['init', 'Build a house', '--budget-usd', '0.01', '--json'];
    // A server of one's own has no price that is known, and a stranger does not make it known.
    expect(errorOf((await user.run(init, environment)).json()).code).toBe('INVALID_CONFIG');
    await user.run(['config', 'set', 'prices', '{"gpt-4.1-mini":{"input":1000,"output":1000}}', '--user']);
    expect(errorOf((await user.run(init, environment)).json()).code).toBe('BUDGET_REACHED');
    expect(server.count).toBe(0);
  });

  test('have no model asked for a user who wants none, and wait no longer than he does', async () => {
    const server = await strangersServer();
    const user = clonedRepository({
      '.plans/config.json': JSON.stringify({ expander: 'model', timeout_ms: 99_999_999_999 }),
      [`.plans/${PLAN}.json`]: strangersPlan({ given: ['expander'] }),
    });
    await user.run(['config', 'set', 'expander', 'rules', '--user']);
    await user.run(['config', 'set', 'timeout_ms', '1000', '--user']);
    const environment = { ...KEYED, OPENAI_BASE_URL: server.baseUrl };
    for (const command of [
      ['init', 'Build a house'],
      ['resume', PLAN],
    ]) {
      const ended = await user.run([...command, '--json'], environment);
      expect(ended.status).toBe(0);
      expect(ended.json()).toMatchObject({ plan: { expander: 'rules' } });
    }
    expect(server.count).toBe(0);
    const shown = (await user.run(['config', '--json'])).json().settings;
    expect(shown).toContainEqual(
      expect.objectContaining({ name: 'timeout_ms', value: 1000, source: 'user' }),
    );
  });
});

describe('a recording that a plan names', () => {
  const replaying = (replay: string, more: Readonly<Record<string, Planted>> = {}) =>
    clonedRepository({ ...more, [`.plans/${PLAN}.json`]: strangersPlan({ expander: 'replay', replay }) });

  test.each([
    ['/dev/zero', 4],
    ['/dev/stdin', 4],
    ['/proc/self/environ', 4],
    ['../../../../../etc/passwd', 4],
    ['..', 4],
    ['.', 4],
    ['sub/../../outside', 4],
    ['__proto__', 3],
    ['not-there.jsonl', 3],
    ['sub', 7],
    ['link', 7],
    ['folder/id_ed25519', 7],
    ['zero', 7],
    ['pipe', 7],
    ['holes', 7],
    ['notes.txt', 2],
  ])('is nothing but a plain file of the project, and not shown: %s', async (replay, status) => {
    const user = replaying(replay, {
      link: { link: '~/.ssh/id_ed25519' },
      folder: { link: '~/.ssh' },
      zero: { link: '/dev/zero' },
      'sub/a': '',
      'notes.txt': `${SECRET}\n`,
    });
    spawnSync('mkfifo', [join(user.folder, 'pipe')]);
    writeFileSync(join(user.folder, 'holes'), '');
    truncateSync(join(user.folder, 'holes'), 10 * 1024 ** 3);
    const endless = ['/dev/zero', '/proc/self/environ', 'zero', 'pipe', 'holes'].includes(replay);
    const ended = await user.run(['resume', '--json'], { ...(endless ? SMALL : {}), NOTE: SECRET });
    expect(ended.status).toBe(status);
    expect(ended.out + ended.error).not.toContain(SECRET);
    expect(errorOf(ended.json()).message).not.toBe('');
  });

  test('may be anywhere once the user has named it, also for the next time', async () => {
    const user = replaying('/dev/zero');
    const elsewhere = join(user.home, 'recording.jsonl');
    writeFileSync(elsewhere, '');
    const missing = await user.run(['resume', '--replay', elsewhere, '--json']);
    expect(errorOf(missing.json()).code).toBe('REPLAY_MISSING');
    expect(errorOf((await user.run(['resume', '--json'])).json()).code).toBe('REPLAY_MISSING');
  });

  test('that the user names may be a pipe, and is bounded all the same', async () => {
    const user = replaying('recording.jsonl');
    const zero = await user.run(['resume', '--replay', '/dev/zero', '--json'], SMALL);
    expect(zero.status).toBe(2);
    expect(errorOf(zero.json()).message).toContain('which is the most that is read');
    // As a shell makes one for `<(command)`.
    const pipe = join(user.home, 'pipe');
    spawnSync('mkfifo', [pipe]);
    spawnSync('sh', ['-c', `(printf '' > '${pipe}' &)`], { stdio: 'ignore' });
    const piped = await user.run(['resume', '--replay', pipe, '--json']);
    expect(errorOf(piped.json()).code).toBe('REPLAY_MISSING');
  });
});

test('the context of a plan is its text; the file that it names is not read', async () => {
  const server = await strangersServer();
  const files = ['/proc/self/environ', '../../../etc/passwd', 'link', '/dev/zero'];
  const user = clonedRepository({
    link: { link: '~/.ssh/id_ed25519' },
    [`.plans/${PLAN}.json`]: strangersPlan({
      context: files.map((file) => ({ file, text: 'Written in Rust.' })),
    }),
  });
  const ended = await user.run(['resume', '--json'], {
    ...KEYED,
    OPENAI_BASE_URL: server.baseUrl,
    NOTE: SECRET,
  });
  expect(ended.status).toBe(0);
  expect(server.requests[0]?.user).toContain('Written in Rust.');
  const { headers: _headers, ...told } = server.requests[0] ?? {};
  expect(JSON.stringify(told)).not.toContain(SECRET);
  expect(JSON.stringify(told)).not.toContain(KEY);
});

describe('a repository does not reach the user’s own config', () => {
  const TRUSTING = (url: string) => JSON.stringify({ trusted_base_urls: [url], base_url: url });

  test.each([
    ['.plans/backup/legacy', '~/.config/frctl'],
    ['.plans/backup', '~/.config'],
    ['.plans', '~/.config/frctl'],
    ['.plans', '~/.config'],
    ['.plans', '~'],
  ])('by way of %s as a link to %s', async (link, target) => {
    const server = await strangersServer();
    const user = clonedRepository({
      [link]: { link: target },
      '.frctl/plans/config.json': TRUSTING(server.baseUrl),
      '.frctl/plans/frctl/config.json': TRUSTING(server.baseUrl),
      '.frctl/plans/legacy/config.json': TRUSTING(server.baseUrl),
      ...(link === '.plans' ? {} : { '.plans/config.json': JSON.stringify({ base_url: server.baseUrl }) }),
    });
    mkdirSync(join(user.home, '.config', 'frctl'), { recursive: true });
    const before = contents(user.home);
    for (const command of [
      ['migrate'],
      ['config', 'set', 'base_url', server.baseUrl],
      ['init', 'Build a house'],
      ['list'],
      ['doctor', '--fix'],
      ['import', '.frctl/plans/config.json'],
    ]) {
      const ended = await user.run([...command, '--json'], KEYED);
      expect(`${command[0] ?? ''} ${ended.status}`).not.toBe('migrate 0');
      expectNothingTold(server, [ended]);
    }
    expect(server.count).toBe(0);
    expect(contents(user.home)).toEqual(before);
  });

  test.each([
    ['.frctl', '~/.config'],
    ['.frctl/plans', '~/.ssh'],
    ['.frctl/plans/0f9e8d7c.json', '~/.ssh/id_ed25519'],
    ['.frctl/plans/notes', '~/.ssh/id_ed25519'],
  ])('nor by way of the legacy folder: %s as a link to %s', async (link, target) => {
    const user = clonedRepository({ [link]: { link: target }, 'README.md': 'A house.' });
    mkdirSync(join(user.home, '.config', 'plans'), { recursive: true });
    writeFileSync(join(user.home, '.config', 'plans', 'token'), SECRET);
    const ended = await user.run(['migrate', '--json']);
    expect([0, 3, 7]).toContain(ended.status);
    expect(ended.out + ended.error).not.toContain(SECRET);
    const store = join(user.folder, '.plans');
    expect(existsSync(store) ? contents(store).join('\n') : '').not.toContain(SECRET);
  });

  test('by way of `.plans/config.json` as a link, reading or writing', async () => {
    const user = clonedRepository({ '.plans/config.json': { link: '~/.config/frctl/config.json' } });
    await user.run(['config', 'set', 'model', 'mine', '--user']);
    const before = readFileSync(configOf(user), 'utf8');
    for (const command of [['config', 'set', 'model', 'theirs'], ['config', 'unset', 'model'], ['config']])
      expect((await user.run(command)).status).toBe(7);
    expect(readFileSync(configOf(user), 'utf8')).toBe(before);
  });

  test('by way of a relative XDG_CONFIG_HOME, which is none', async () => {
    const server = await strangersServer();
    const user = clonedRepository({
      'config/frctl/config.json': TRUSTING(server.baseUrl),
      '.plans/config.json': JSON.stringify({ base_url: server.baseUrl }),
    });
    const ended = await user.run(['init', 'Build a house'], { ...KEYED, XDG_CONFIG_HOME: 'config' });
    expect(ended.status).toBe(4);
    expect(server.count).toBe(0);
  });

  test('and a store is not where the config is, even if the user says so', async () => {
    const user = clonedRepository({ 'README.md': 'A house.' });
    for (const dir of ['.config/frctl', '.config/frctl/plans', '.config']) {
      const ended = await user.run(['init', 'Build', '--dir', join(user.home, dir), '--json']);
      expect(errorOf(ended.json()).code).toBe('REFUSED');
    }
    expect(existsSync(join(user.home, '.config'))).toBe(false);
  });

  test('while a store that the user reaches through a link of his own is used', async () => {
    const user = clonedRepository({ 'README.md': 'A house.' });
    mkdirSync(join(user.home, 'plans'));
    symlinkSync(join(user.home, 'plans'), join(user.folder, '.plans'));
    expect((await user.run(['init', 'Build a house'])).status).toBe(7);
    const init = await user.run(['init', 'Build a house', '--dir', '.plans', '--json']);
    expect(summaryOf(init.json()).status).toBe('complete');
    expect((await user.run(['list'], { FRCTL_DIR: '.plans' })).out).toContain('Build a house');
    expect((await user.run(['list', '--dir', join(user.home, 'plans')])).out).toContain('Build a house');
  });
});
