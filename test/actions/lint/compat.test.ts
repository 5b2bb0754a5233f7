import { describe, expect, test } from 'vitest';

import { compatVerdict } from '../../../src/features/actions/lint/compat/compat.js';
import { pythonText } from '../../../src/features/actions/lint/compat/python-text.js';
import {
  compatPolicyOf,
  readCompatPolicy,
  usablePolicy,
} from '../../../src/features/actions/policy/compat-policy.js';
import { preparePolicy } from '../../../src/features/actions/policy/prepared-policy.js';
import type { Policy } from '../../../src/features/actions/policy/policy.js';
import { numberFromText } from '../../../src/kernel/json/json-value.js';

function verdict(steps: readonly object[], policy: Policy = {}) {
  const plan = {
    goal: 'g',
    steps: steps.map((step, index) => ({ id: `s${index}x`, tool: 't', args: {}, ...step })),
  };
  return compatVerdict(JSON.stringify(plan), compatPolicyOf(preparePolicy(policy, { file: null })));
}

const codes = (steps: readonly object[], policy?: Policy) =>
  verdict(steps, policy).errors.map(({ code }) => code);

describe('the original’s verdict', () => {
  test('passes a plain plan', () => {
    expect(verdict([{}])).toEqual({ status: 'pass', risk_score: 0, errors: [], warnings: [] });
  });

  test.each([
    ['a join of two earlier steps is a loop', [{}, {}, { args: { x: 's0x s1x' } }], {}, ['LOOP_DETECTED']],
    ['one reference is none', [{}, { args: { x: '${s0x.result}' } }], {}, []],
    ['a real circle of dependencies is none', [{ depends_on: ['s1x'] }, { depends_on: ['s0x'] }], {}, []],
    [
      'created_at is a write',
      [{ tool: 'sql.query_ro', args: { query: 'select created_at' } }],
      {},
      ['TOOL_DENY'],
    ],
    ['every other sql tool is one', [{ tool: 'sql.query', args: { query: 'select 1' } }], {}, ['TOOL_DENY']],
    ['db tools are not looked at', [{ tool: 'db.query', args: { query: 'DROP TABLE t' } }], {}, []],
    ['a hash is a secret', [{ args: { sha256: 'a'.repeat(64) } }], {}, ['RAW_SECRET']],
    [
      'a password of letters of another script is one',
      [{ args: { x: 'passwd=пароль12' } }],
      {},
      ['RAW_SECRET'],
    ],
    ['a password key is none', [{ args: { password: 'hunter2!' } }], {}, []],
    [
      'a pattern counts twice',
      [{ args: { x: 'API_KEY' } }],
      { deny_tokens_regex: ['API_KEY'] },
      ['RAW_SECRET', 'RAW_SECRET'],
    ],
    ['a dotted tool has no bounds', [{ tool: 'a.b', args: { n: 9 } }], { bounds: { 'a.b.n': [0, 5] } }, []],
    ['a plain one has', [{ tool: 'a', args: { n: 9 } }], { bounds: { 'a.n': [0, 5] } }, ['BOUND_VIOLATION']],
    ['a numeric string is not read', [{ tool: 'a', args: { n: '9' } }], { bounds: { 'a.n': [0, 5] } }, []],
    ['true is one', [{ tool: 'a', args: { n: true } }], { bounds: { 'a.n': [2, 5] } }, ['BOUND_VIOLATION']],
    ['globs are names', [{ tool: 'a.b' }], { allow_tools: ['a.*'] }, ['TOOL_DENY']],
    [
      'a query that is no text breaks the rule off',
      [{ tool: 'sql.write' }, { tool: 'sql.query_ro', args: { query: 5 } }],
      {},
      [],
    ],
    ['too many steps', [{}, {}], { max_steps: 1 }, ['MAX_STEPS_EXCEEDED']],
  ] as readonly [string, readonly object[], Policy, readonly string[]][])(
    '%s',
    (_name, steps, policy, expected) => {
      expect(codes(steps, policy)).toEqual(expected);
    },
  );

  test('scores 0.2 for each code, whatever the weights', () => {
    const steps = [{ tool: 'sql.write', args: { x: 'a'.repeat(40) } }];
    expect(verdict(steps, { risk_weights: { RAW_SECRET: 1 } }).risk_score).toBe(0.4);
  });
});

test.each([
  [{ a: [1, true, null, 'x'] }, "{'a': [1, True, None, 'x']}"],
  ["it's", '"it\'s"'],
  [`it's "so"`, `'it\\'s "so"'`],
  ['a\n\t\\\u0001é😀\u200B', "'a\\n\\t\\\\\\x01é😀\\u200b'"],
  [numberFromText('1.0'), '1.0'],
  [numberFromText('9007199254740993'), '9007199254740993'],
])('Python prints %j as %s', (value, text) => {
  expect(pythonText(value)).toBe(text);
});

describe('what the schema of the original refuses', () => {
  const step = { id: 'a', tool: 't', args: {} };
  const said = (plan: unknown) => compatVerdict(JSON.stringify(plan), readCompatPolicy('', 'p.yaml')).errors;

  test.each<[string, unknown, string]>([
    ['a list', [], "[] is not of type 'object'"],
    ['no goal', { steps: [step] }, "'goal' is a required property"],
    ['no steps', { goal: 'g' }, "'steps' is a required property"],
    ['a goal that is a number', { goal: 5, steps: [step] }, "5 is not of type 'string'"],
    ['steps that are an object', { goal: 'g', steps: {} }, "{} is not of type 'array'"],
    ['context: null', { goal: 'g', steps: [step], context: null }, "None is not of type 'object'"],
    ['meta: null', { goal: 'g', steps: [], meta: null }, "None is not of type 'object'"],
    [
      'a planner that is a list',
      { goal: 'g', steps: [], meta: { planner: [] } },
      "[] is not of type 'string'",
    ],
    ['a step that is text', { goal: 'g', steps: ['a'] }, "'a' is not of type 'object'"],
    [
      'parameters',
      { goal: 'g', steps: [{ id: 'a', tool: 't', parameters: {} }] },
      "'args' is a required property",
    ],
    ['no id', { goal: 'g', steps: [{ tool: 't', args: {} }] }, "'id' is a required property"],
    ['args that are a list', { goal: 'g', steps: [{ ...step, args: [] }] }, "[] is not of type 'object'"],
    [
      'another on_fail',
      { goal: 'g', steps: [{ ...step, on_fail: 'skip' }] },
      "'skip' is not one of ['abort', 'continue']",
    ],
    ['on_fail: null', { goal: 'g', steps: [{ ...step, on_fail: null }] }, "None is not of type 'string'"],
  ])('is refused: %s', (_name, plan, msg) => {
    expect(said(plan)).toEqual([{ step: null, code: 'SCHEMA_INVALID', msg }]);
  });

  test.each<[string, object]>([
    ['no steps', { goal: 'g', steps: [] }],
    ['an empty id', { goal: '', steps: [{ ...step, id: '' }] }],
    [
      'unknown keys, those of other dialects among them',
      { goal: 'g', version: '1.0', riskLevel: 'x', plan_version: 9, steps: [{ ...step, capture_as: 'x' }] },
    ],
  ])('is no more than that: %s', (_name, plan) => {
    expect(said(plan)).toEqual([]);
  });
});

describe('a policy that the original publishes', () => {
  const POLICY = `
allow_tools: [db.query_ro, payments.transfer.small]
allow_tokens_regex: ["x"]
bounds:
  payments.transfer.small.amount: [0.01, 100.00]
  pay.amount: [0, 10]
deny_tokens_regex: ["&&", "||", ";", "\\\\$\\\\("]
tool_patterns:
  payments.transfer.small: { pattern: "payments.transfer", conditions: ["parameters.amount <= 100.0"] }
risk_weights: { sql_injection: 0.8, sensitive_data_exposure: 0.7, unauthorized_tool: 0.9, whatever: 3 }
fail_risk_threshold: 0.5
max_steps: 15
`;
  const plan = { goal: 'g', steps: [{ id: 'a', tool: 'db.query_ro', args: {} }] };

  test('runs: patterns that match everything match, and what it does not know is passed over', () => {
    const policy = readCompatPolicy(POLICY, 'p.yaml');
    expect([policy.maxSteps, policy.allowTools.length, policy.bounds.length]).toEqual([15, 2, 2]);
    expect(
      compatVerdict(JSON.stringify(plan), policy).errors.map(({ code, msg }) => `${code} ${msg}`),
    ).toEqual(
      Array(2).fill("RAW_SECRET Potentially sensitive data matching pattern '||' found in arguments"),
    );
  });

  test('gives the findings beside the verdict as far as it is one here, and says what is passed over', () => {
    const { source, warnings, weightOf } = usablePolicy(POLICY, 'p.yaml');
    expect(source).toMatchObject({
      allow_tools: ['db.query_ro', 'payments.transfer.small'],
      bounds: { 'payments.transfer.small.amount': [0.01, 100] },
      deny_tokens_regex: ['&&', ';', '\\$\\('],
      max_steps: 15,
    });
    expect(weightOf('TOOL_DENY')).toBe(0.9);
    expect(warnings.map(({ path }) => path.join('.'))).toEqual([
      'risk_weights.whatever',
      'tool_patterns.payments.transfer.small',
      'allow_tokens_regex',
      'deny_tokens_regex.1',
      'bounds.pay.amount',
    ]);
    expect(warnings.find(({ path }) => path[0] === 'deny_tokens_regex')?.position).toEqual({
      line: 7,
      column: 27,
    });
  });

  test.each([
    ['text for a list', 'allow_tools: x'],
    ['a bound of texts', 'bounds: { a.b: ["x", "y"] }'],
    ['a pattern that looks ahead', 'deny_tokens_regex: ["(?=x)"]'],
  ])('is refused where the original cannot take it either: %s', (_name, text) => {
    expect(() => readCompatPolicy(text, 'p.yaml')).toThrow(/p\.yaml:1:/);
  });
});
