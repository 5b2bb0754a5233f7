import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { errorOf, newUser, summaryOf } from '../support/command.js';
import type { User } from '../support/command.js';
import { readFixture } from '../support/plans.js';
import { printedHelp } from '../support/printed-help.js';

const GOAL = 'Build a REST API with authentication';

async function userWithPlan(goal = GOAL): Promise<User & { readonly id: string }> {
  const user = newUser();
  const ended = await user.run(['init', goal, '--json']);
  return { ...user, id: summaryOf(ended.json()).id };
}

describe('without a model', () => {
  test('the rules plan, and one line says so and names the two settings that would give it a model', async () => {
    const ended = await newUser().run(['init', GOAL]);
    expect(ended.status).toBe(0);
    expect(ended.out).toContain('authentication');
    const notices = ended.error.split('\n').filter((line) => line.includes('built-in rules'));
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('OPENAI_API_KEY');
    expect(notices[0]).toContain('OPENAI_BASE_URL');
  });

  test('the same goal twice gives the same tree', async () => {
    const shapes = await Promise.all(
      [1, 2].map(async () => {
        const user = await userWithPlan();
        const { out } = await user.run(['tree']);
        return out.replaceAll(/ {2}[0-9a-z]{4,6}$/gm, '');
      }),
    );
    expect(shapes[0]).toBe(shapes[1]);
    expect(shapes[0]?.split('\n').length).toBeGreaterThan(8);
  });

  test('a model that is asked for but not there is an error that names the settings', async () => {
    const ended = await newUser().run(['init', GOAL, '--expander', 'model', '--json']);
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json()).hint).toContain('OPENAI_API_KEY');
  });
});

test('of a goal with more sub-goals than anybody reads a hundred are shown, and how many more there are', async () => {
  const user = newUser();
  const document = `# Shop\n\n${Array.from({ length: 150 }, (_, index) => `- Sell article ${index + 1}`).join('\n')}\n`;
  writeFileSync(join(user.folder, 'shop.md'), document);
  await user.run(['init', '--from', 'shop.md']);
  const { out } = await user.run(['show', 'root']);
  expect(out).toContain('100 Sell article 100 [');
  expect(out).not.toContain('Sell article 101');
  expect(out).toContain('  … and 50 more goals; --json has them all\n');
  const all = (await user.run(['show', 'root', '--json'])).json();
  expect(all.children).toHaveLength(150);
});

describe('errors', () => {
  const cases: readonly (readonly [string, readonly string[], number, string])[] = [
    ['an unknown command', ['frobnicate'], 2, 'USAGE'],
    ['an unknown option', ['list', '--nope'], 2, 'USAGE'],
    ['a missing argument', ['show'], 2, 'USAGE'],
    ['a choice that is none', ['init', 'x', '--order', 'sideways'], 2, 'USAGE'],
    ['a number that is none', ['init', 'x', '--max-depth', 'deep'], 2, 'USAGE'],
    ['a fraction where a whole number is due', ['init', 'x', '--max-depth', '1.5'], 2, 'INVALID_INPUT'],
    ['an empty goal', ['init', '   '], 2, 'INVALID_INPUT'],
    ['no goal at all', ['init'], 2, 'INVALID_INPUT'],
    ['a goal that is a book', ['init', 'x '.repeat(10_000)], 2, 'INVALID_INPUT'],
    ['a document that is not there', ['init', '--from', 'nowhere.md'], 3, 'FILE_NOT_FOUND'],
    ['a folder as a document', ['init', '--from', '.'], 2, 'INVALID_INPUT'],
    ['no store', ['list'], 3, 'STORE_NOT_FOUND'],
  ];
  test.each(cases)(
    '%s: one JSON document, the exit status, and no stack',
    async (_name, args, status, code) => {
      const ended = await newUser().run([...args, '--json']);
      expect(ended.status).toBe(status);
      expect(errorOf(ended.json()).code).toBe(code);
      expect(ended.error).not.toContain('    at ');
    },
  );

  const inStore: readonly (readonly [string, readonly string[], number, string])[] = [
    ['a plan that is not there', ['status', 'ffffffff'], 3, 'PLAN_NOT_FOUND'],
    ['a prefix that is too short', ['status', 'ab'], 2, 'INVALID_INPUT'],
    ['a path as a plan', ['status', '../../etc'], 2, 'INVALID_INPUT'],
    ['a goal that is not there', ['show', '9.9'], 3, 'GOAL_NOT_FOUND'],
    ['a format that is none', ['export', '--format', 'pdf'], 2, 'USAGE'],
    ['pausing what is finished', ['pause'], 4, 'WRONG_STATE'],
    ['restoring from an empty archive', ['restore'], 3, 'PLAN_NOT_FOUND'],
    ['deleting for good without a name', ['delete', '--purge'], 2, 'INVALID_INPUT'],
    ['a schema that is none', ['schema', 'nope'], 2, 'INVALID_INPUT'],
    ['importing what is not there', ['import', 'nowhere.json'], 3, 'FILE_NOT_FOUND'],
  ];
  test('in a store: the same', async () => {
    const user = await userWithPlan();
    for (const [name, args, status, code] of inStore) {
      const ended = await user.run([...args, '--json']);
      expect([name, ended.status, errorOf(ended.json()).code]).toEqual([name, status, code]);
    }
  });

  test('a person reads what was wrong and what to do', async () => {
    const ended = await newUser().run(['status']);
    expect(ended.out).toBe('');
    expect(ended.error).toMatch(/^error: there is no \.plans\/.*\nhint: .*plan init.*\n$/);
  });
});

describe('commands', () => {
  test('`frctl plan X` is `plan X`', async () => {
    const user = await userWithPlan();
    const frctl = newUser(user.folder, 'frctl');
    expect((await frctl.run(['plan', 'list', '--json'])).json()).toEqual(
      (await user.run(['list', '--json'])).json(),
    );
  });

  test('a plan is named by its id, by a prefix, or by nothing; a goal by id, suffix or number', async () => {
    const user = await userWithPlan();
    const ids = await Promise.all(
      [[], [user.id], [user.id.slice(0, 3)], [user.id.toUpperCase()]].map(
        async (name) => summaryOf((await user.run(['status', ...name, '--json'])).json()).id,
      ),
    );
    expect(new Set(ids)).toEqual(new Set([user.id]));
    const shown = (await user.run(['show', '1', '--json'])).json();
    const goal = shown.goal as { id: string; number: string };
    expect(goal.number).toBe('1');
    for (const name of [goal.id, goal.id.slice(9)]) {
      expect((await user.run(['review', name, '--json'])).json()).toEqual(shown);
    }
    expect((await user.run(['show', 'root', '--json'])).json()).toMatchObject({
      goal: { number: '' },
      parent: null,
    });
  });

  test('status names what is ready and what waits for what; --verbose adds every goal', async () => {
    const user = await userWithPlan();
    const status = (await user.run(['status', '--json'])).json();
    expect(Object.keys(status)).toEqual(['plan', 'ready', 'claimed', 'blocked']);
    expect((status.ready as string[]).length).toBeGreaterThan(0);
    const verbose = (await user.run(['status', '--json', '--verbose'])).json();
    expect(verbose.goals).toHaveLength(summaryOf(verbose).total_goals);
    const people = await user.run(['status', '--verbose']);
    expect(people.out).toContain('Ready');
    expect(people.out).toContain('after ');
  });

  test('a plan can be archived, restored, deleted and purged', async () => {
    const user = await userWithPlan();
    const plans = async (...options: readonly string[]) =>
      ((await user.run(['list', '--json', ...options])).json().plans as unknown[]).length;
    await user.run(['archive', '--yes']);
    expect([await plans(), await plans('--archived')]).toEqual([0, 1]);
    expect((await user.run(['resume', user.id, '--json'])).status).toBe(4);
    await user.run(['restore']);
    expect([await plans(), await plans('--archived')]).toEqual([1, 0]);
    await user.run(['delete', user.id]);
    expect(await plans('--archived')).toBe(1);
    await user.run(['delete', user.id, '--purge']);
    expect([await plans(), await plans('--archived')]).toEqual([0, 0]);
    expect((await user.run(['status', user.id])).status).toBe(3);
  });

  test('what one store exports, another imports', async () => {
    const user = await userWithPlan();
    await user.run(['export', '-o', 'copy.json']);
    const other = newUser();
    expect((await other.run(['import', join(user.folder, 'copy.json')])).status).toBe(0);
    expect((await other.run(['export'])).out).toBe(readFileSync(join(user.folder, 'copy.json'), 'utf8'));
    expect((await other.run(['import', join(user.folder, 'copy.json')])).status).toBe(4);
    expect((await other.run(['validate'])).out).toBe('valid\n');
  });

  test('a plan of the legacy tool is taken in with its digests', async () => {
    const user = newUser();
    const legacy = readFixture('plans/complete-example.json').replace(
      /"digest": \{[^}]*\}/,
      '"digest": "User model created"',
    );
    writeFileSync(
      join(user.folder, 'old.json'),
      legacy.replace('2025-11-30T10:15:00Z', '2025-11-30T12:27:47.714827-05:00'),
    );
    expect((await user.run(['import', 'old.json'])).status).toBe(0);
    expect((await user.run(['show', 'g1', '--json'])).json()).toMatchObject({
      goal: { digest: { summary: 'User model created' } },
    });
  });

  test('validate lists each problem with its path, and ends with 1', async () => {
    const user = newUser();
    const broken = readFixture('plans/complete-example.json')
      .replace('"depth": 1', '"depth": 5')
      .replace('"a1b2c3d4-g2"\n', '"a1b2c3d4-gone"\n');
    writeFileSync(join(user.folder, 'broken.json'), broken);
    const ended = await user.run(['validate', './broken.json', '--json']);
    expect(ended.status).toBe(1);
    expect(ended.json()).toMatchObject({
      valid: false,
      problems: expect.arrayContaining([expect.objectContaining({ path: '$.goals["a1b2c3d4-g1"].depth' })]),
    });
  });

  test('validate notices a plan file that was edited by hand', async () => {
    const user = await userWithPlan();
    const file = join(user.folder, '.plans', `${user.id}.json`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Write the OpenAPI', 'Forget the OpenAPI'));
    const ended = await user.run(['validate', '--json']);
    expect(ended.status).toBe(1);
    expect(ended.json()).toMatchObject({
      problems: [{ code: 'DIFFERS_FROM_LOG', message: expect.stringContaining('by hand') }],
    });
  });

  test('a second planner of the same finished plan finds nothing to do', async () => {
    const user = await userWithPlan();
    const ended = await user.run(['resume', '--json']);
    expect(ended.status).toBe(0);
    expect(summaryOf(ended.json()).status).toBe('complete');
  });
});

describe('what reaches a terminal', () => {
  const hostile = 'Build \u001b]0;pwned\u0007 it\u009b31m \u202Ereversed <script>';

  test('no command writes an escape sequence that came from a description', async () => {
    const user = await userWithPlan(hostile);
    const commands = [
      ['list'],
      ['status', '--verbose'],
      ['show', 'root'],
      ['tree'],
      ...['json', 'markdown', 'mermaid', 'dot', 'graphml', 'csv', 'html', 'toon', 'ascii'].map((format) => [
        'export',
        '--format',
        format,
      ]),
    ];
    for (const args of [...commands, ...commands.map((command) => [...command, '--json'])]) {
      const ended = await user.run(args, { FORCE_COLOR: '' });
      expect(ended.status).toBe(0);
      // oxlint-disable-next-line no-control-regex
      expect(ended.out + ended.error).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
    expect(
      ((await user.run(['show', 'root', '--json'])).json().goal as { description: string }).description,
    ).toBe(hostile);
  });

  test('colours only where they are wanted', async () => {
    const user = await userWithPlan();
    // oxlint-disable-next-line no-control-regex
    const escape = /\u001b\[/;
    expect((await user.run(['tree'])).out).not.toMatch(escape);
    expect((await user.run(['tree'], { FORCE_COLOR: '1' })).out).toMatch(escape);
    expect((await user.run(['tree', '--no-color'], { FORCE_COLOR: '1' })).out).not.toMatch(escape);
    expect((await user.run(['tree'], { FORCE_COLOR: '1', NO_COLOR: '1' })).out).not.toMatch(escape);
  });
});

describe('completion', () => {
  test('the bash script completes commands, options and values for both commands', async () => {
    const { out } = await newUser().run(['completion', 'bash']);
    const complete = (words: readonly string[]) =>
      spawnSync(
        'bash',
        [
          '-c',
          `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _frctl_plan; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).stdout.trim();
    expect(complete(['plan', 'stat'])).toBe('status');
    expect(complete(['frctl', 'plan', 'val'])).toBe('validate');
    expect(complete(['plan', 'init', '--budget-u'])).toBe('--budget-usd');
    expect(complete(['plan', 'export', '--format', 'mer'])).toBe('mermaid');
    expect(complete(['plan', 'hash', '--format', 'wa'])).toBe('wa');
    expect(complete(['plan', 'visualize', '--format', 'd'])).toBe('dot');
  });

  test.each(['zsh', 'fish'])('there is one for %s', async (shell) => {
    expect((await newUser().run(['completion', shell])).out).toContain('init');
  });
});

test('every command has help with examples', async () => {
  const user = newUser();
  const { out } = await user.run(['help', '--all']);
  const names = [...out.matchAll(/^ {2}([a-z][a-z-]*)(?:\|[a-z]+)?/gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(15);
  const commands = names.filter((known) => known !== 'help');
  const helps = printedHelp(commands.map((name) => [name, '--help']));
  expect(helps).toHaveLength(commands.length);
  for (const [index, help] of helps.entries()) {
    expect(help).toContain(`Usage: plan ${commands[index]}`);
    expect(help).toMatch(/\n\nExamples:\n {2}\$ [\s\S]*\n\nOptions:\n/);
    expect(help).toMatch(/ended with 0$/);
  }
});

test('a store can be named outright, and nothing is written elsewhere', async () => {
  const user = newUser();
  mkdirSync(join(user.folder, 'sub'));
  await user.run(['init', GOAL, '--dir', 'sub/store']);
  expect(readdirSync(user.folder)).toEqual(['sub']);
  expect(
    (await user.run(['list', '--json'], { FRCTL_DIR: join(user.folder, 'sub', 'store') })).json().plans,
  ).toHaveLength(1);
});

test('the options of every command may stand before its name too', async () => {
  const user = await userWithPlan();
  const elsewhere = newUser();
  const store = join(user.folder, '.plans');
  const before = await elsewhere.run(['--dir', store, '--json', 'list']);
  expect(before.json()).toEqual((await user.run(['list', '--json'])).json());
  expect((await elsewhere.run(['--dir', 'list', '--json', 'status'])).status).toBe(3);
});

test('a plan that cannot be planned as asked is not made', async () => {
  const user = newUser();
  const refused = await user.run(['init', GOAL, '--budget-usd', '1', '--model', 'unpriced', '--json'], {
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  });
  expect(refused.status).toBe(2);
  expect((await user.run(['list', '--json'])).status).toBe(3);
});

test('an export says where it cannot go', async () => {
  const user = await userWithPlan();
  expect((await user.run(['export', '-o', 'missing/plan.md'])).status).toBe(3);
  expect((await user.run(['export', '-o', 'plan.unknown'])).status).toBe(2);
});
