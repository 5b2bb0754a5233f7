import { describe, expect, test } from 'vitest';

import { parsePolicy, readPolicy } from '../../../src/features/actions/policy/read-policy.js';
import { matchesGlob } from '../../../src/features/actions/policy/tool-glob.js';
import { PlanError } from '../../../src/kernel/errors.js';

const NO_FILES = {
  resolve: (name: string) => Promise.reject(new PlanError('FILE_NOT_FOUND', `there is no file ${name}`)),
  read: () => Promise.reject(new PlanError('FILE_NOT_FOUND', 'there is none')),
};

async function refusal(text: string): Promise<PlanError> {
  const outcome = await readPolicy(text, 'p.yaml', NO_FILES).catch((thrown: unknown) => thrown);
  if (outcome instanceof PlanError) return outcome;
  throw new Error('the policy was taken');
}

describe('a policy', () => {
  test.each([
    ['an unknown key', 'max_steps: 3\nmax_step: 4\n', '2:1', 'max_step is not a key'],
    ['a key unknown further in', 'tool_patterns:\n  sqls: []\n', '2:3', 'sqls is not a key'],
    ['a pattern that is none', 'deny_tokens_regex:\n  - "a["\n', '2:5', 'missing closing ]'],
    ['empty alternatives', 'deny_tokens_regex: ["||"]', '1:21', 'matches empty text'],
    ['an empty pattern', 'deny_tokens_regex: [""]', '1:21', 'matches empty text'],
    ['a pattern that may be empty', 'deny_tokens_regex: ["a*"]', '1:21', 'matches empty text'],
    ['a mere boundary', 'deny_tokens_regex: ["\\\\b"]', '1:21', 'matches empty text'],
    ['a look ahead', "deny_tokens_regex: ['(?=x)y']", '1:21', 'uses lookahead'],
    ['a reference to a group', "deny_tokens_regex: ['(a)\\1']", '1:21', 'uses a backreference'],
    ['a least above the greatest', 'bounds:\n  pay.n: [5, 1]\n', '2:3', 'minimum 5 above its maximum 1'],
    ...['[5]', '[1, 2, 3]', '{ max: 1 }', '5', '"1-5"', 'null'].map(
      (bound): [string, string, string, string] => [
        `a bound that is ${bound}`,
        `bounds:\n  pay.n: ${bound}\n`,
        '2:3',
        'must be a list of two numbers, [minimum, maximum]',
      ],
    ),
    ['a bound that is not a number', 'bounds:\n  pay.n: [0, "9"]\n', '2:14', 'must be a number, not a text'],
    ['a bound without an argument', 'bounds:\n  pay: [0, 9]\n', '2:3', 'not of the form tool.argument'],
    [
      'a bound of a tool that is not allowed',
      'allow_tools: [a]\nbounds:\n  pay.n: [0, 9]\n',
      '3:3',
      'no tool that is allowed',
    ],
    [
      'a bound of a denied tool',
      'deny_tools: ["pay*"]\nbounds:\n  pay.n: [0, 9]\n',
      '3:3',
      'a tool that is denied',
    ],
    ['a weight of no rule', 'risk_weights:\n  RAW_SECRETS: 1\n', '2:3', 'is not a rule'],
    ['a weight above one', 'risk_weights:\n  RAW_SECRET: 2\n', '2:3', 'at most 1'],
    ['a severity of no rule', 'severities:\n  RAW: error\n', '2:3', 'RAW'],
    ['a severity there is none of', 'severities:\n  RAW_SECRET: bad\n', '2:3', 'off'],
    ['no steps at all', 'max_steps: 0', '1:1', 'max_steps'],
    ['YAML that is none', 'allow_tools: [a', '1:16', ''],
    [
      'a pattern of tools from Plan-Lint’s documentation',
      'tool_patterns:\n  pay.small: { pattern: pay }\n',
      '2:3',
      'ignores them, as --compat does',
    ],
    ['Rego', 'package planlint\n\ndefault allow = false\n', '1:1', 'frctl does not read Rego policies'],
    ['Rego behind comments', '# ours\npackage planlint.custom\n', '1:1', 'Open Policy Agent'],
    ['a key twice', 'max_steps: 1\nmax_steps: 2\n', '2:1', 'unique'],
    ['a list', '- a\n', '1:1', 'object'],
  ])('with %s is refused, with its place', async (_name, text, place, message) => {
    const error = await refusal(text);
    expect(error.code).toBe('POLICY_INVALID');
    expect(error.message).toContain(`p.yaml:${place}: `);
    expect(error.message).toContain(message);
  });

  test('may weigh rules by the names that Plan-Lint publishes; of two for one rule the greater counts', async () => {
    const { weightOf } = await readPolicy(
      'risk_weights: { unauthorized_tool: 0.9, excessive_amount: 0.4, insufficient_amount: 0.1, sql_injection: 0.6, tool_write: 0.7, sensitive_data: 0.5 }',
      'p.yaml',
      NO_FILES,
    );
    expect(
      (['TOOL_DENY', 'BOUND_VIOLATION', 'SQL_WRITE', 'RAW_SECRET', 'LOOP_DETECTED'] as const).map(weightOf),
    ).toEqual([0.9, 0.4, 0.7, 0.5, undefined]);
  });

  test('is refused with every problem at once', async () => {
    const { details, message } = await refusal('max_steps: 0\ncolour: blue\n');
    expect(message).toContain('and 1 more');
    expect(details.problems).toEqual([
      expect.objectContaining({ path: 'max_steps', line: 1, column: 1 }),
      expect.objectContaining({ path: 'colour', line: 2, column: 1 }),
    ]);
  });

  test('may be JSON, empty, or begin with a byte order mark', async () => {
    expect((await readPolicy('{"max_steps": 7}', 'p.json', NO_FILES)).maxSteps).toBe(7);
    expect((await readPolicy('', 'p.yaml', NO_FILES)).maxSteps).toBe(100);
    expect((await readPolicy('\uFEFFmax_steps: 7', 'p.yaml', NO_FILES)).maxSteps).toBe(7);
  });

  test('takes the names of weights that published Plan-Lint policies have', async () => {
    const text = 'risk_weights:\n  raw_secret: 0.5\n  loop: 0.3\n  tool_write: 0.4\n';
    const { weightOf } = await readPolicy(text, 'p.yaml', NO_FILES);
    expect([weightOf('RAW_SECRET'), weightOf('LOOP_DETECTED'), weightOf('SQL_WRITE')]).toEqual([
      0.5, 0.3, 0.4,
    ]);
  });

  test.each(['(a+)+$', '(a|aa)+$', '(?i)(?P<x>[a-z]+)*@', '(ab?c+){3}', '(foo|bar|foo-bar)*x'])(
    'takes %s, which does no harm to an engine that is linear',
    (pattern) => {
      expect(() => parsePolicy(JSON.stringify({ deny_tokens_regex: [pattern] }), 'p')).not.toThrow();
    },
  );
});

describe('patterns', () => {
  test('take time linear in the text, whatever they are', async () => {
    // A backtracking engine would not end before the sun does; this one needs no clock to be judged.
    const text = "deny_tokens_regex: ['(a|a)*b', '(a+)+c', '(a|aa)+d']";
    const { patterns } = await readPolicy(text, 'p.yaml', NO_FILES);
    for (const { find } of patterns) expect(find('a'.repeat(100_000))).toBeNull();
    expect(patterns).toHaveLength(3);
  });

  test('are found with their place in UTF-16 units', async () => {
    const { patterns } = await readPolicy("deny_tokens_regex: ['b+']", 'p.yaml', NO_FILES);
    expect(patterns[0]?.find('😀abb')).toEqual({ start: 3, end: 5 });
  });
});

describe('extends', () => {
  const files: Readonly<Record<string, string>> = {
    'base.yaml': 'max_steps: 5\nallow_tools: [a]\ndeny_tools: [x]\nbounds:\n  a.n: [0, 1]\n  a.m: [0, 1]\n',
    'round.yaml': 'extends: root.yaml\n',
    'broken.yaml': 'colour: blue\n',
  };
  const source = {
    resolve: (name: string) => Promise.resolve(name.replace(/^\.\//, '')),
    read: (name: string) => {
      const text = files[name];
      return text === undefined
        ? Promise.reject(new PlanError('FILE_NOT_FOUND', `there is no file ${name}`))
        : Promise.resolve(text);
    },
  };
  const read = (text: string) => readPolicy(text, 'root.yaml', source);

  test('adds what forbids, joins maps, and lets the nearer word count elsewhere', async () => {
    const { source: policy } = await read(
      'extends: ./base.yaml\nallow_tools: [a, b]\ndeny_tools: [y]\nbounds:\n  a.n: [2, 3]\n',
    );
    expect(policy).toEqual({
      max_steps: 5,
      allow_tools: ['a', 'b'],
      deny_tools: ['x', 'y'],
      bounds: { 'a.n': [2, 3], 'a.m': [0, 1] },
    });
  });

  test.each([
    ['in a circle', 'extends: round.yaml\n', 'root.yaml → round.yaml → root.yaml'],
    ['itself', 'extends: root.yaml\n', 'root.yaml → root.yaml'],
    ['a file that is not there', 'extends: gone.yaml\n', 'there is no file gone.yaml'],
    ['a policy that is wrong', 'extends: broken.yaml\n', 'broken.yaml:1:1: colour is not a key'],
    ['a bound away from its tool', 'extends: base.yaml\nallow_tools: [b]\n', 'no tool that is allowed'],
  ])('%s is refused', async (_name, text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });
});

test.each([
  ['note.*', 'note.write.all', true],
  ['note.*', 'note', false],
  ['*', '', true],
  ['n?te', 'note', true],
  ['n?te', 'nte', false],
  ['*.query_ro', 'db.query_ro', true],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
  ['Note', 'note', false],
])('the glob %s and the tool %j: %s', (glob, tool, expected) => {
  expect(matchesGlob(glob, tool)).toBe(expected);
});
