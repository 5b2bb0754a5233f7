import { describe, expect, test } from 'vitest';

import { compatVerdict } from '../../../src/actions/lint/compat.js';
import { pythonText } from '../../../src/actions/lint/python-text.js';
import { preparePolicy } from '../../../src/actions/policy/prepared-policy.js';
import type { Policy } from '../../../src/actions/policy/policy.js';
import { readActionPlan } from '../../../src/actions/read-action-plan.js';
import { numberFromText } from '../../../src/actions/json-value.js';

function verdict(steps: readonly object[], policy: Policy = {}) {
  const plan = {
    goal: 'g',
    steps: steps.map((step, index) => ({ id: `s${index}x`, tool: 't', args: {}, ...step })),
  };
  return compatVerdict(readActionPlan(JSON.stringify(plan)), preparePolicy(policy, { file: null }));
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
