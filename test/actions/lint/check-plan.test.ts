import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkPlan } from '../../../src/features/actions/lint/check-plan.js';
import { lint } from '../../../src/features/actions/lint/lint.js';
import { RULES } from '../../../src/features/actions/lint/rules.js';
import { noPolicy, preparePolicy } from '../../../src/features/actions/policy/prepared-policy.js';
import { planOf } from '../../support/lint.js';

const TOKEN = `ghp_${'a1'.repeat(18)}`;

describe('places', () => {
  test.each([
    ['plain', '{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{"x":"TOKEN"}}]}', 1, 62],
    [
      'after an emoji, which is two units',
      '{"goal":"😀","steps":[{"id":"a","tool":"t","parameters":{"x":"TOKEN"}}]}',
      1,
      63,
    ],
    [
      'after a byte order mark, which does not count',
      '\uFEFF{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{"x":"TOKEN"}}]}',
      1,
      62,
    ],
    ['after CR LF', '{"goal":"g",\r\n"steps":[{"id":"a","tool":"t",\r\n"parameters":{"x":"TOKEN"}}]}', 3, 20],
    [
      'after tabs, each one',
      '{"goal":"g",\n"steps":[{"id":"a","tool":"t",\n\t\t"parameters":{\t"x":"TOKEN"}}]}',
      3,
      23,
    ],
    [
      'behind escapes in the string',
      '{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{"x":"\\u0041\\n\\"\\\\😀TOKEN"}}]}',
      1,
      76,
    ],
  ])('are exact %s', (_name, text, line, column) => {
    const { findings } = checkPlan(text.replace('TOKEN', TOKEN), noPolicy());
    expect(findings).toEqual([
      expect.objectContaining({
        rule: 'RAW_SECRET',
        line,
        column,
        end_line: line,
        end_column: column + TOKEN.length,
      }),
    ]);
  });

  test('of whatever text before it: the text at the place is what was found', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '\t'), (before, space) => {
        const string = JSON.stringify(`${before} ${TOKEN} after`);
        const text = `{${space}"goal":"g",${space}"steps":[{"id":"a","tool":"t","parameters":{${space}"x":${string}}}]}`;
        const found = checkPlan(text, noPolicy()).findings.find(({ message }) => message.includes('GitHub'));
        const line = text.split(/\r\n|\n|\r/)[(found?.line ?? 0) - 1] ?? '';
        expect(line.slice((found?.column ?? 0) - 1, (found?.end_column ?? 0) - 1)).toBe(TOKEN);
      }),
    );
  });

  test('of a plan within another document are those of the document', () => {
    const text =
      '{"version":1,\n"plan":{"task_id":"t","title":"t","description":"","created_at":"2025-01-01T00:00:00Z","steps":[\n{"id":"s","title":"t","detail":"d","tool":{"kind":{"Navigate":{"url":"https://u:hunter2!@x.example"}},"wait":"None"},"validations":[],"requires_approval":false,"metadata":{}}]}}';
    const { findings, dialect } = checkPlan(text, noPolicy());
    expect(dialect).toBe('soulbrowser');
    expect(findings).toEqual([
      expect.objectContaining({
        rule: 'RAW_SECRET',
        pointer: '/plan/steps/0/tool/kind/Navigate/url',
        line: 3,
        column: text.lastIndexOf('hunter2!') - text.lastIndexOf('\n'),
        step: 's',
      }),
    ]);
  });
});

describe('a mistake of the form', () => {
  const step = { id: 'a', tool: 't', args: {} };
  const obsidian = { version: '1.0', goal: 'g', riskLevel: 'writes' };
  test.each<[string, object, string]>([
    [
      'no attempt',
      { ...obsidian, steps: [{ ...step, retry: { maxAttempts: 0, backoffMs: 5 } }] },
      'maxAttempts must be at least 1',
    ],
    [
      'attempts in words',
      { ...obsidian, steps: [{ ...step, retry: { maxAttempts: 'two' } }] },
      'maxAttempts must be a whole number of at least 0',
    ],
    [
      'attempts left out',
      { ...obsidian, steps: [{ ...step, retry: { backoffMs: 5 } }] },
      'maxAttempts is missing',
    ],
    ['steps left out', { ...obsidian, steps: [] }, 'steps must have at least one step'],
    ['a step that is a text', { ...obsidian, steps: ['a'] }, 'this must be an object'],
    [
      'a step of Plan-Lint that is a text',
      { goal: 'g', steps: [{ id: 'a', tool: 't', args: {} }, 'b'] },
      'a step must be an object',
    ],
  ])('is told once: %s', async (_, plan, message) => {
    const { findings } = await lint(JSON.stringify(plan));
    expect(findings.map((finding) => finding.message)).toEqual([message]);
  });
});

describe('the engine', () => {
  test('takes a rule that crashes for an error of the check, which nothing hides', () => {
    const [rule] = RULES;
    if (rule === undefined) throw new Error('there are no rules');
    const crashing = {
      ...rule,
      check: () => {
        throw new Error('out of luck');
      },
    };
    const text = JSON.stringify({
      ...planOf({}),
      meta: { 'x-frctl-suppress': [{ rule: rule.id, reason: 'so' }] },
    });
    const policy = preparePolicy({ severities: { [rule.id]: 'note' } }, { file: null });
    const { clean, findings } = checkPlan(text, policy, { rules: [crashing] });
    expect(clean).toBe(false);
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: rule.id,
        severity: 'error',
        message: expect.stringContaining('out of luck'),
      }),
    );
  });

  test('obeys severities, and off, but never hides that there is no plan', async () => {
    const plan = planOf({ tool: 'db.write' });
    expect((await lint(plan, { severities: { SQL_WRITE: 'note' } })).clean).toBe(true);
    expect((await lint(plan, { severities: { SQL_WRITE: 'off' } })).findings).toEqual([]);
    expect((await lint({ hello: 1 }, { severities: { SCHEMA_INVALID: 'off' } })).clean).toBe(false);
  });

  test('adds up the risk of distinct rules, and fails at the threshold', async () => {
    const plan = planOf({ id: 'a', tool: 'db.write' }, { id: 'a', tool: 'db.write' });
    const { risk } = await lint(plan, { risk_weights: { SQL_WRITE: 0.5 } });
    expect(risk).toEqual({
      score: 0.7,
      threshold: 0.8,
      reached: false,
      parts: [
        { rule: 'SQL_WRITE', weight: 0.5 },
        { rule: 'DUPLICATE_ID', weight: 0.2 },
      ],
    });
    const mild = { severities: { SQL_WRITE: 'note', DUPLICATE_ID: 'note' } } as const;
    expect((await lint(plan, mild)).risk.score).toBe(0);
    const heavy = { ...mild, risk_weights: { SQL_WRITE: 0.7, DUPLICATE_ID: 0.1 } };
    expect((await lint(plan, heavy)).risk).toMatchObject({ score: 0.8, reached: true });
    expect((await lint(plan, heavy)).clean).toBe(false);
    expect((await lint(planOf({}), { fail_risk_threshold: 0 })).clean).toBe(true);
  });

  test('names a circle by its whole path', async () => {
    const plan = planOf(
      {},
      { depends_on: ['s4'] },
      { depends_on: ['s2'] },
      { parameters: { x: '{{s3.result}}' } },
    );
    const { findings } = await lint(plan);
    expect(findings.map(({ message }) => message)).toContain('the steps need each other: s2 → s4 → s3 → s2');
  });

  test('judges an object as it judges its text', async () => {
    const plan = planOf({ tool: 'db.write' }, { id: 's1' });
    expect(await lint(plan)).toEqual(await lint(JSON.stringify(plan, null, 2)));
  });

  test('names what is no JSON in an object by its place', async () => {
    const circular: Record<string, unknown> = { n: Number.POSITIVE_INFINITY, f: () => 0 };
    circular.self = circular;
    const { findings } = await lint(planOf({ parameters: circular }));
    expect(findings.slice(0, 2).map(({ pointer, rule }) => [rule, pointer])).toEqual([
      ['SCHEMA_INVALID', '/steps/0/parameters/n'],
      ['SCHEMA_INVALID', '/steps/0/parameters/f'],
    ]);
  });
});

test('ten thousand steps that need each other in one circle are one finding, however long the way around', () => {
  const count = 10_000;
  const steps = Array.from({ length: count }, (_one, index) => ({
    depends_on: [`s${((index + 1) % count) + 1}`],
  }));
  const loops = checkPlan(JSON.stringify(planOf(...steps)), noPolicy()).findings.filter(
    ({ rule }) => rule === 'LOOP_DETECTED',
  );
  expect(loops).toHaveLength(1);
  expect(loops[0]?.message).toMatch(/^the steps need each other: s1 → s2 → /);
});
