import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, test } from 'vitest';

import { errorOf, newUser } from '../support/command.js';
import type { User } from '../support/command.js';

const FIXTURES = resolve('test/fixtures');

/** A user with plans in his folder. */
function userWith(...names: readonly string[]): User {
  const user = newUser();
  for (const name of names)
    copyFileSync(`${FIXTURES}/${name}.json`, join(user.folder, `${name.split('/').at(-1)}.json`));
  return user;
}

const withInput = async (user: User, args: readonly string[], input: string) => {
  const { out, status } = await user.run(args, {}, input);
  return { out, status };
};

const read = (user: User, name: string) => readFileSync(join(user.folder, name), 'utf8');

describe('plan convert', () => {
  test('writes a plan of the same form byte for byte', async () => {
    const user = userWith('action-plans/obsidian/not-canonical');
    const { out, status, error } = await user.run(['convert', 'not-canonical.json', '--to', 'obsidian']);
    expect([out, status, error]).toEqual([read(user, 'not-canonical.json'), 0, '']);
  });

  test('goes there and back through files, the sidecar included', async () => {
    const user = userWith('action-plans/plan-lint/monthly-statement');
    const there = await user.run([
      'convert',
      'monthly-statement.json',
      '--to',
      'obsidian',
      '-o',
      'there.json',
    ]);
    expect(there.error).toBe('Wrote there.json\nWrote there.ext.json\n');
    expect(there.out).toBe('');
    const back = await user.run(['convert', 'there.json', '--to', 'plan-lint']);
    expect(back.out).toBe(read(user, 'monthly-statement.json'));
  });

  test('refuses where the plan would not do the same, with all that would be lost', async () => {
    const user = userWith('action-plans/obsidian/bullets-to-notes');
    const refused = await user.run(['convert', 'bullets-to-notes.json', '--to', 'wa', '--json']);
    expect(refused.status).toBe(4);
    const { code, message } = errorOf(refused.json());
    expect(code).toBe('REFUSED');
    const losses = (refused.json().error as { details: { losses: { what: string; step: string | null }[] } })
      .details.losses;
    expect(losses.map(({ what, step }) => `${what} of ${step ?? 'the plan'}`)).toEqual([
      'reference of parseBullets',
      'reference of createNotes',
      'reference of createNotes',
      'reference of replaceSelection',
      'context requests of the plan',
      'context requests of the plan',
      'output name of parseBullets',
      'foreach of createNotes',
      'concurrency of createNotes',
    ]);
    for (const { what, step } of losses) expect(message).toContain(`${step ?? 'the plan'}: ${what}: `);

    const lossy = await user.run([
      'convert',
      'bullets-to-notes.json',
      '--to',
      'wa',
      '--lossy',
      '-o',
      'wa.json',
    ]);
    expect(lossy.status).toBe(0);
    expect(lossy.error.match(/^warning: /gm)).toHaveLength(losses.length);
    const back = await user.run(['convert', 'wa.json', '--to', 'obsidian', '-o', 'back.json']);
    expect(back.status).toBe(0);
    expect(read(user, 'back.json')).toBe(read(user, 'bullets-to-notes.json'));
  });

  test('replaces no file unless it is told to', async () => {
    const user = userWith('action-plans/plan-lint/args');
    const args = ['convert', 'args.json', '--to', 'frctl', '-o', 'args.json'];
    const before = read(user, 'args.json');
    expect((await user.run(args)).status).toBe(4);
    expect(read(user, 'args.json')).toBe(before);
    expect((await user.run([...args, '--force'])).status).toBe(0);
    expect(read(user, 'args.json')).toContain('"schema_version": "1.0"');
  });

  test('a sidecar of another plan is not left beside a new one', async () => {
    const user = userWith('action-plans/obsidian/minimal');
    writeFileSync(
      join(user.folder, 'new.ext.json'),
      '{"x-frctl":{"version":1,"plan":[{"at":"/workspace","value":"w"}]}}',
    );
    const args = ['convert', 'minimal.json', '--to', 'obsidian', '-o', 'new.json'];
    expect((await user.run(args)).status).toBe(4);
    expect(existsSync(join(user.folder, 'new.json'))).toBe(false);
    expect((await user.run([...args, '--force'])).status).toBe(0);
    expect(read(user, 'new.ext.json')).toBe('{}\n');
  });

  test('reads standard input, and says what is wrong where', async () => {
    const user = newUser();
    const good = await withInput(
      user,
      ['convert', '-', '--to', 'plan-lint'],
      '{"goal":"g","steps":[{"id":"a","tool":"t","args":{}}]}',
    );
    expect(good).toEqual({ out: '{"goal":"g","steps":[{"id":"a","tool":"t","args":{}}]}', status: 0 });
    const bad = await withInput(
      user,
      ['convert', '-', '--json'],
      '{"goal":"g",\n "steps":[{"id":7,"tool":"t"}]}',
    );
    expect(bad.status).toBe(2);
    expect(errorOf(JSON.parse(bad.out) as never).message).toBe(
      'standard input: line 2, column 17: id must be a string (/steps/0/id, read as plan-lint)',
    );
  });

  test.each([
    ['no JSON', 'x', 'line 1, column 1: expected a value'],
    ['another thing', '{"a":1}', 'this does not look like an action plan'],
    ['a newer wa plan', '{"plan_version":2,"steps":[]}', 'plan_version is 2'],
  ])('refuses %s with status 2', async (_name, text, message) => {
    const user = newUser();
    writeFileSync(join(user.folder, 'x.json'), text);
    const ended = await user.run(['convert', 'x.json', '--json']);
    expect(ended.status).toBe(2);
    expect(errorOf(ended.json()).message).toContain(`x.json: `);
    expect(errorOf(ended.json()).message).toContain(message);
  });
});

test.each([
  [
    'a key twice',
    '{"goal":"g","steps":[{"id":"a","tool":"t","args":{"n":5000,"n":1}}]}',
    'column 60',
    'twice',
  ],
  [
    'both payloads',
    '{"goal":"g","steps":[{"id":"a","tool":"t","args":{"n":5000},"parameters":{"n":1}}]}',
    'column 22',
    'both',
  ],
])(
  'a plan with %s is refused by whatever judges, hashes, converts or shows it',
  async (_n, text, place, why) => {
    const user = newUser();
    writeFileSync(join(user.folder, 'a.json'), text);
    for (const args of [
      ['hash'],
      ['convert', '--to', 'frctl'],
      ['convert', '--to', 'plan-lint'],
      ['preview'],
    ]) {
      const ended = await user.run([...args, 'a.json', '--json']);
      expect([args, ended.status]).toEqual([args, 2]);
      const { code, message } = errorOf(ended.json());
      expect([code, message]).toEqual(['INVALID_INPUT', expect.stringContaining(why)]);
      expect(message).toContain(place);
    }
    for (const args of [['lint'], ['lint', '--compat'], ['lint', '--fix']]) {
      const { status, out } = await user.run([...args, 'a.json']);
      expect([args, status]).toEqual([args, 1]);
      expect(out).toContain('SCHEMA_INVALID');
      expect(out).toContain(why);
    }
    expect(read(user, 'a.json')).toBe(text);
  },
);

describe('plan hash', () => {
  test('shows the ids of a wa plan, and whether they hold', async () => {
    const user = userWith('wa/04-all-actions', 'action-plans/wa/recover-rate-limited-agent');
    const good = await user.run(['hash', '04-all-actions.json']);
    expect(good.out).toContain('plan:0c75003e9854adf7cb0a3547fe4db97e  the file’s holds\n');
    expect(good.out).toMatch(
      /steps\[10\]\.action\.plan\.steps\[0\] +step:9ca0f1baf0c2a062 +the file’s holds, plain form/,
    );
    expect(good.out).toMatch(/validation +ok\n$/);
    const other = await user.run(['hash', 'recover-rate-limited-agent.json']);
    expect(other.out).toContain(
      'the file has plan:a1b2c3d4e5f67890a1b2c3d4e5f67890, which does not match its content',
    );
    expect(other.out).toContain(
      'the file has step:deadbeef12345678, which the author chose or which does not match the content',
    );
  });

  test('the text that is hashed gives the hash', async () => {
    const user = userWith('wa/06-all-preconditions', 'action-plans/plan-lint/args');
    const wa = await user.run(['hash', '06-all-preconditions.json', '--canonical']);
    expect(createHash('sha256').update(wa.out).digest('hex').slice(0, 32)).toBe(
      'badd875402f43a26699930b84caa62ee',
    );
    const own = await user.run(['hash', 'args.json', '--canonical']);
    const { digest } = (await user.run(['hash', 'args.json', '--json'])).json();
    expect(digest).toBe(`frctl1:${createHash('sha256').update(own.out).digest('hex')}`);
  });

  test('shows the message of wa’s validation', async () => {
    const user = userWith('action-plans/wa/wrong-numbers');
    expect((await user.run(['hash', 'wrong-numbers.json'])).out).toContain(
      'Invalid step number: expected 1, got 2',
    );
    expect((await user.run(['hash', 'wrong-numbers.json', '--json'])).json()).toMatchObject({
      dialect: 'wa',
      wa: { problem: 'Invalid step number: expected 1, got 2', holds: 'no' },
    });
  });

  test('a plan of another form has a digest alone', async () => {
    const user = userWith('action-plans/soulbrowser/wrapped-twice');
    const { out } = await user.run(['hash', 'wrapped-twice.json']);
    expect(out).toMatch(/^dialect {2}soulbrowser\ndigest {3}frctl1:[0-9a-f]{64}\n$/);
  });
});
