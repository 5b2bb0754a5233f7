import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { readJsonSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { lint } from '../../src/features/actions/lint/lint.js';
import { RULE_IDS } from '../../src/features/actions/lint/rule-ids.js';
import { errorOf, newUser } from '../support/command.js';
import { planOf } from '../support/lint.js';

const CLEAN = JSON.stringify(planOf({ on_fail: 'abort' }), null, 2);
const WRITING = JSON.stringify(
  planOf({ tool: 'db.query', parameters: { query: 'DROP TABLE t' } }, { id: 's1' }),
  null,
  2,
);
const TOKEN = `ghp_${'a1'.repeat(18)}`;

function userWith(files: Readonly<Record<string, string>>) {
  const user = newUser();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(user.folder, name, '..'), { recursive: true });
    writeFileSync(join(user.folder, name), text);
  }
  return user;
}

describe('plan lint', () => {
  test('ends with 0 for clean plans, 1 for errors, 2 where a file cannot be read', async () => {
    const user = userWith({ 'a.json': CLEAN, 'b.json': WRITING, 'c.json': '{"goal": NaN}' });
    expect((await user.run(['lint', 'a.json'])).status).toBe(0);
    expect((await user.run(['lint', 'a.json', 'b.json'])).status).toBe(1);
    const { status, out } = await user.run(['lint', 'c.json', 'b.json', 'gone.json']);
    expect(status).toBe(2);
    expect(out).toContain('c.json:1:10 error unreadable: ');
    expect(out).toContain('b.json:12:13 error DUPLICATE_ID');
    expect(out).toContain('gone.json error unreadable: there is no file gone.json');
  });

  test('says in words what is wrong with a policy, as the original reads it too', async () => {
    const user = userWith({ 'b.json': WRITING, 'p.yaml': 'bounds:\n  a: [x, 1]\n' });
    const { status, error } = await user.run(['lint', 'b.json', '--policy', 'p.yaml', '--compat']);
    expect(status).toBe(2);
    expect(error).toMatch(/^error: p\.yaml:2:7: bounds\.a\.0 must be a number, not a text\n/);
  });

  test('says the same as the library', async () => {
    const user = userWith({ 'b.json': WRITING, 'p.yaml': 'deny_tools: ["db.*"]\n' });
    const { files } = (
      await user.run(['lint', 'b.json', '--policy', 'p.yaml', '--json'])
    ).json() as never as {
      readonly files: readonly object[];
    };
    expect(files[0]).toMatchObject(await lint(WRITING, { deny_tools: ['db.*'] }));
  });

  test('takes globs and folders within them', async () => {
    const user = userWith({ 'plans/a.json': CLEAN, 'plans/deep/b.json': CLEAN, 'plans/c.txt': 'x' });
    const { files } = (
      await user.run(['lint', 'plans/**/*.json', 'plans/a.json', '--json'])
    ).json() as never as {
      readonly files: readonly { readonly file: string }[];
    };
    expect(files.map(({ file }) => file)).toEqual(['plans/a.json', 'plans/deep/b.json']);
    expect((await user.run(['lint', 'none/*.json'])).status).toBe(2);
  });

  test('reads standard input, and prints it mended', async () => {
    const piped = await pipe(['lint', '-'], WRITING);
    expect(piped.out).toContain('<stdin>:8:18 error SQL_WRITE');
    expect(piped.status).toBe(1);
    const mended = await pipe(['lint', '-', '--fix'], WRITING);
    expect(mended.out).toBe(WRITING.replace(/"s1"(?![\s\S]*"s1")/, '"s1-2"'));
    expect(mended.error).toContain('1 fixed');
  });

  test('mends files in place, through symbolic links, and leaves their mode', async () => {
    const user = userWith({ 'real/a.json': WRITING });
    chmodSync(join(user.folder, 'real/a.json'), 0o640);
    symlinkSync('real/a.json', join(user.folder, 'link.json'));
    await user.run(['lint', 'link.json', '--fix']);
    expect(readFileSync(join(user.folder, 'real/a.json'), 'utf8')).toContain('"s1-2"');
    expect(lstatSync(join(user.folder, 'link.json')).isSymbolicLink()).toBe(true);
    expect(statSync(join(user.folder, 'real/a.json')).mode & 0o777).toBe(0o640);
  });

  test('mends nothing outside through a link that a repository brings', async () => {
    const user = userWith({});
    const outside = userWith({ 'a.json': WRITING });
    symlinkSync(join(outside.folder, 'a.json'), join(user.folder, 'link.json'));
    symlinkSync(outside.folder, join(user.folder, 'plans'));
    for (const name of ['link.json', '*.json', 'plans/a.json']) {
      const { status, error } = await user.run(['lint', name, '--fix']);
      expect([name, status, error]).toEqual([name, 4, expect.stringContaining('leads out of')]);
    }
    expect(readFileSync(join(outside.folder, 'a.json'), 'utf8')).toBe(WRITING);
    expect((await user.run(['lint', join(outside.folder, 'a.json'), '--fix'])).out).toContain('1 fixed');
  });

  test('does not touch a file in which nothing is mended', async () => {
    const user = userWith({ 'a.json': CLEAN });
    const before = statSync(join(user.folder, 'a.json'));
    await user.run(['lint', 'a.json', '--fix']);
    expect(statSync(join(user.folder, 'a.json')).ino).toBe(before.ino);
  });

  test('refuses a wrong policy with its place', async () => {
    const user = userWith({ 'a.json': CLEAN, 'p.yaml': 'max_steps: 3\nmaximum: 4\n' });
    const { status, error } = await user.run(['lint', 'a.json', '--policy', 'p.yaml']);
    expect(status).toBe(2);
    expect(error).toContain('p.yaml:2:1: maximum is not a key of a policy');
    const ended = await user.run(['lint', 'a.json', '--policy', 'p.yaml', '--json']);
    expect(errorOf(ended.json()).code).toBe('POLICY_INVALID');
  });

  test('a policy extends files beside it, and none that a link or a path leads out to', async () => {
    const outside = userWith({ 'secret.yaml': 'max_steps: 1\n' });
    const user = userWith({
      'a.json': JSON.stringify(planOf({}, {})),
      'rules/p.yaml': 'extends: ../base.yaml\n',
      'base.yaml': 'max_steps: 1\n',
      'out.yaml': `extends: ${join(outside.folder, 'secret.yaml')}\n`,
      'linked.yaml': 'extends: link.yaml\n',
    });
    symlinkSync(join(outside.folder, 'secret.yaml'), join(user.folder, 'link.yaml'));
    expect((await user.run(['lint', 'a.json', '--policy', 'rules/p.yaml'])).out).toContain(
      'MAX_STEPS_EXCEEDED',
    );
    for (const name of ['out.yaml', 'linked.yaml']) {
      const { status, error } = await user.run(['lint', 'a.json', '--policy', name]);
      expect([status, error]).toEqual([2, expect.stringContaining('leads out of')]);
    }
  });

  test('lets only new findings count beside a baseline', async () => {
    const user = userWith({ 'a.json': WRITING });
    const run = (...more: readonly string[]) =>
      user.run(['lint', 'a.json', '--baseline', 'b/base.json', ...more]);
    expect((await run('--update-baseline')).status).toBe(0);
    writeFileSync(join(user.folder, 'a.json'), WRITING.replace('{', '{\n\n'));
    expect((await run()).out).toContain('2 in the baseline');
    writeFileSync(join(user.folder, 'a.json'), WRITING.replaceAll('note.write', 'db.write'));
    const { status, out } = await run();
    expect(status).toBe(1);
    expect(out).toContain('the tool db.write writes');
    writeFileSync(join(user.folder, 'a.json'), CLEAN);
    expect((await run()).out).toContain('2 findings of the baseline are gone');
  });

  test('a plan cannot pass over its own errors; the policy or a baseline can', async () => {
    const user = userWith({
      'a.json': JSON.stringify({
        version: '1.0',
        goal: 'g',
        riskLevel: 'commands',
        assumptions: ['frctl-suppress TOOL_DENY: x'],
        steps: [{ id: 'a', tool: 'shell.run', args: {} }],
      }),
      'p.yaml': 'allow_tools: [note.write]\n',
      'q.yaml': 'extends: p.yaml\nallow_suppressions: [TOOL_DENY]\n',
    });
    const refused = await user.run(['lint', 'a.json', '--policy', 'p.yaml']);
    expect(refused.status).toBe(1);
    expect(refused.out).toContain('error TOOL_DENY');
    expect(refused.out).toContain('the suppression of TOOL_DENY does not count');
    expect((await user.run(['lint', 'a.json', '--policy', 'q.yaml'])).status).toBe(0);
    const beside = ['lint', 'a.json', '--policy', 'p.yaml', '--baseline', 'b.json'];
    expect((await user.run([...beside, '--update-baseline'])).status).toBe(0);
    expect((await user.run(beside)).status).toBe(0);
  });

  test('explains and lists rules', async () => {
    const user = newUser();
    expect((await user.run(['lint', '--list-rules'])).out.trim().split('\n')).toHaveLength(RULE_IDS.length);
    const { out, status } = await user.run(['lint', '--explain', 'raw_secret']);
    expect([status, out]).toEqual([0, expect.stringContaining('deny_tokens_regex')]);
    expect((await user.run(['lint', '--explain', 'NONE'])).status).toBe(2);
    expect((await user.run(['lint'])).status).toBe(2);
  });

  test('prints SARIF that the published schema accepts', async () => {
    const user = userWith({
      'a b.json': WRITING.replace('note.write', TOKEN),
      'c.json': '{',
      's.json': JSON.stringify(
        planOf({ tool: 'db.write', 'x-frctl-suppress': [{ rule: 'SQL_WRITE', reason: 'so' }] }),
      ),
    });
    writeFileSync(join(user.folder, 'p.yaml'), 'allow_suppressions: [SQL_WRITE]\n');
    const files = ['a b.json', 'c.json', 's.json', '--policy', 'p.yaml'];
    const ended = await user.run(['lint', ...files, '--format', 'sarif', '--json']);
    const ajv = new Ajv({ strict: false, unicodeRegExp: false });
    addFormats.default(ajv);
    const {
      $schema: _draft4,
      id: _id,
      ...schema
    } = readJsonSync(resolve('test/fixtures/sarif/sarif-2.1.0.schema.json')) as Record<string, unknown>;
    const validate = ajv.compile(schema);
    const sarif = ended.json();
    validate(sarif);
    expect(validate.errors).toBeNull();
    expect(JSON.stringify(sarif)).toContain('a%20b.json');
    expect(JSON.stringify(sarif)).toContain('"justification":"so"');
  });

  test('prints commands of GitHub, escaped', async () => {
    const user = userWith({
      'a,b.json': JSON.stringify(planOf({ id: 'x%\n::error::y' }, { id: 'x%\n::error::y' })),
    });
    const { out } = await user.run(['lint', 'a,b.json', '--format', 'github']);
    expect(out).toMatch(
      /^::error file=a%2Cb\.json,line=1,col=\d+,endLine=1,endColumn=\d+,title=DUPLICATE_ID::/,
    );
    expect(out).toContain('x%25%0A::error::y');
    expect(out.trim().split('\n')).toHaveLength(1);
  });

  test.skipIf(process.platform === 'win32')(
    'shows what hides text in a name to GitHub as elsewhere',
    async () => {
      const name = 'a\u001B[31m\u0007\u202Eb\u2028c\r.json';
      const user = userWith({ [name]: '{' });
      const { out } = await user.run(['lint', name, '--format', 'github']);
      expect(out).toContain(String.raw`file=a\u001b[31m\u0007\u202eb\u2028c%0D.json,`);
      expect(out.trim().split('\n')).toHaveLength(1);
    },
  );

  test.each([['text'], ['json'], ['sarif'], ['github']])('never shows a secret as %s', async (format) => {
    const plan = JSON.stringify(planOf({ parameters: { text: TOKEN, password: 'xyzzy7!pq' } }));
    const user = userWith({ 'a.json': plan });
    const { out, error } = await user.run([
      'lint',
      'a.json',
      '--format',
      format,
      '--baseline',
      'b.json',
      '--update-baseline',
    ]);
    const said = `${out}${error}${readFileSync(join(user.folder, 'b.json'), 'utf8')}`;
    expect(said).toContain('RAW_SECRET');
    expect(said).not.toContain(TOKEN.slice(0, 8));
    expect(said).not.toContain('xyzzy');
  });

  test('judges as the original does with --compat', async () => {
    const step = { id: 's1', tool: 'sql.query_ro', args: { query: 'SELECT created_at FROM t' } };
    const user = userWith({
      'a.json': JSON.stringify({ goal: 'Try it', steps: [step] }),
      'p.json': JSON.stringify(planOf({})),
    });
    expect((await user.run(['lint', 'a.json'])).status).toBe(0);
    const { status, out } = await user.run(['lint', 'a.json', '--compat']);
    expect(status).toBe(1);
    expect(out).toContain("step 0 TOOL_DENY SQL query contains write operation 'CREATE'");
    expect(out).toContain('risk score 0.20');
    const refused = await user.run(['lint', 'p.json', '--compat']);
    expect([refused.status, refused.out]).toEqual([
      1,
      expect.stringContaining("- SCHEMA_INVALID 'args' is a required property"),
    ]);
  });

  test('runs the policies that the original publishes with --compat, and says what Rego is', async () => {
    const user = userWith({
      'a.json': JSON.stringify({ goal: 'Try it', steps: [{ id: 'a', tool: 'sh.run', args: {} }] }),
      'p.yaml':
        'deny_tokens_regex: ["||"]\nrisk_weights: { danger: 1 }\ntool_patterns: { a.b: { pattern: a } }\n',
      'p.rego': 'package planlint\n',
    });
    expect((await user.run(['lint', 'a.json', '--policy', 'p.yaml'])).status).toBe(2);
    const { status, out } = await user.run(['lint', 'a.json', '--policy', 'p.yaml', '--compat']);
    expect([status, out]).toEqual([
      1,
      expect.stringContaining("RAW_SECRET Potentially sensitive data matching pattern '||'"),
    ]);
    for (const more of [[], ['--compat']]) {
      const ended = await user.run(['lint', 'a.json', '--policy', 'p.rego', ...more]);
      expect([ended.status, ended.error]).toEqual([
        2,
        expect.stringContaining('p.rego:1:1: frctl does not read Rego policies'),
      ]);
    }
  });
});

const pipe = async (args: readonly string[], input: string) => newUser().run(args, {}, input);
