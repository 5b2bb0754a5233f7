import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compareDecimals, decimalOf } from '../../../src/features/actions/lint/bounds/decimal.js';
import { lint } from '../../../src/features/actions/lint/lint.js';
import type { Policy } from '../../../src/features/actions/policy/policy.js';
import { globsMeet, matchesGlob } from '../../../src/features/actions/policy/tool-glob.js';
import { foundBy, planOf } from '../../support/lint.js';
import type { PlannedStep } from '../../support/lint.js';

const TOOL = 'payments.transfer';
const AMOUNT: Policy = { bounds: { 'payments.transfer.amount': [0, 10] } };
const NESTED: Policy = { bounds: { 'payments.transfer.to.amount': [0, 10] } };
const EACH: Policy = { bounds: { 'payments.transfer.items.*.price': [0, 10] } };
const pay = (parameters: object | string, ...others: readonly PlannedStep[]) =>
  typeof parameters === 'string'
    ? `{"goal":"g","steps":[{"id":"a","tool":"${TOOL}","parameters":{"amount":${parameters}}}]}`
    : planOf({ tool: TOOL, parameters }, ...others);
const found = (plan: object | string, policy: Policy = AMOUNT) => foundBy('BOUND_VIOLATION', plan, policy);

describe('a bound is not evaded', () => {
  test.each<[string, object | string, Policy?]>([
    [
      'by a step of a longer tool that captures it',
      pay({ to: { amount: 5000 } }, { tool: `${TOOL}.to` }),
      NESTED,
    ],
    ['by a step of a shorter tool', pay({ amount: 5000 }, { tool: 'payments' })],
    [
      'by a longer tool that the policy denies',
      pay({ to: { amount: 5000 } }),
      { ...NESTED, deny_tools: [`${TOOL}.to`] },
    ],
    ['by an argument that has the path as its name', pay({ 'to.amount': 1, to: { amount: 5000 } }), NESTED],
    ['by a nested one beside a dotted one', pay({ to: { amount: 1 }, 'to.amount': 5000 }), NESTED],
    ['by a dotted name alone', pay({ 'to.amount': 5000 }), NESTED],
    ['by dots in the names of members', pay({ items: { 'a.b': { price: 5000 } } }), EACH],
    ['by a dotted name in place of a wildcard', pay({ items: { 'a.price': 5000 } }), EACH],
    ['by a list of one', pay({ amount: [5000] })],
    ['by a list of one text', pay({ amount: ['5000'] })],
    ['by a list in a list', pay({ amount: [[5000]] })],
    ['by a list of what reads like a number', pay({ amount: ['5,000'] })],
    ['by a list of a number with its currency', pay({ amount: [' €5000 EUR'] })],
    ['by digits of another script in a list', pay({ amount: ['٥٠٠٠'] })],
    ['by a list of Infinity', pay({ amount: ['-Infinity'] })],
    ['by an object in a list', pay({ to: [{ amount: 5000 }] }), NESTED],
    ['by a list in a list of objects', pay({ items: [[{ price: 5000 }]] }), EACH],
    ['by JSON in a text', pay({ to: '{"amount": 5000}' }), NESTED],
    [
      'by JSON in a text in JSON in a text',
      pay({ to: JSON.stringify([JSON.stringify({ amount: 5000 })]) }),
      NESTED,
    ],
    ['by an object for a number', pay({ amount: { value: 5000 } })],
    ['by a number as text', pay({ amount: '+5e3' })],
    ['by a number as text with spaces', pay({ amount: '\u00a05000\n' })],
    ['by digits of another script', pay({ amount: '５０００' })],
    ['by underscores', pay({ amount: '5_000' })],
    ['by thousands', pay({ amount: '5,000' })],
    ['by hexadecimal', pay({ amount: '0x1388' })],
    ['by the empty text', pay({ amount: '' })],
    ['by NaN', pay({ amount: 'NaN' })],
    [
      'by Infinity under an open side',
      pay({ amount: 'Infinity' }),
      { bounds: { 'payments.transfer.amount': [0, null] } },
    ],
    ['by true', pay({ amount: true })],
    ['by an exponent', pay('5E+3')],
    ['by an exponent beyond every double', pay('1e400')],
    ['by a negative one', pay('-0.0000000000000000000000000000001')],
    ['by digits that a double drops', pay('10.0000000000000000000000001')],
    ['by digits that a double drops, as text', pay({ amount: '10.0000000000000000000000001' })],
    ['by an exponent and many zeros', pay(`0.${'0'.repeat(400)}1e405`)],
    ['by a great number', pay('9'.repeat(500))],
    [
      'by __proto__',
      '{"goal":"g","steps":[{"id":"a","tool":"payments.transfer","parameters":{"__proto__":{"amount":5000}}}]}',
      { bounds: { 'payments.transfer.__proto__.amount': [0, 10] } },
    ],
    [
      'by __proto__ that hides nothing',
      '{"goal":"g","steps":[{"id":"a","tool":"payments.transfer","parameters":{"__proto__":{"amount":1},"amount":5000}}]}',
    ],
    [
      'by the context of the plan',
      { ...planOf({ tool: TOOL, parameters: { amount: '${context.sum}' } }), context: { sum: 5000 } },
    ],
    [
      'by the context in pieces',
      { ...planOf({ tool: TOOL, parameters: { amount: '5${context.o}00' } }), context: { o: 0 } },
    ],
    [
      'by an object in the context',
      {
        ...planOf({ tool: TOOL, parameters: { to: '{{context.to}}' } }),
        context: { to: { amount: '5000' } },
      },
      NESTED,
    ],
    [
      'by a fallback',
      {
        schema_version: '1.0',
        steps: [
          {
            id: 'a',
            tool: 'x',
            args: {},
            on_error: { strategy: 'fallback', steps: [{ id: 'b', tool: TOOL, args: { amount: 5000 } }] },
          },
        ],
      },
    ],
    [
      'by a glob in the name of the tool that nobody reads as one',
      pay({ amount: 5000 }),
      { bounds: { 'payments.*.amount': [0, 10] } },
    ],
    [
      'by a custom action of wa whose payload is not an object',
      {
        plan_version: 1,
        plan_id: 'p',
        title: 't',
        workspace_id: 'w',
        steps: [
          {
            step_number: 1,
            step_id: 'a',
            action: { type: 'custom', action_type: TOOL, payload: [{ amount: 5000 }] },
            description: 'd',
            idempotent: false,
          },
        ],
      },
    ],
  ])('%s', async (_name, plan, policy) => {
    expect(await found(plan, policy)).toContain('error');
  });

  test.each<[string, object | string, Policy?]>([
    ['a reference', pay({ amount: '{{s0.result.x}}' })],
    ['a reference in place of an object', pay({ to: '{{s0.result.to}}' }), NESTED],
    ['a reference in a list', pay({ amount: ['{{s0.result.x}}'] })],
    ['a reference in text', pay({ amount: '5{{s0.result.zeros}}' })],
    ['the context that somebody else provides', pay({ amount: '${context.sum}' })],
    [
      'the context within the bound, which may be provided otherwise',
      { ...planOf({ tool: TOOL, parameters: { amount: '${context.sum}' } }), context: { sum: 5 } },
    ],
    ['text in place of an object', pay({ to: 'amount=5000' }), NESTED],
    ['a number in place of an object', pay({ to: 5000 }), NESTED],
    [
      'the item of a loop',
      {
        schema_version: '1.0',
        steps: [
          { id: 'a', tool: TOOL, args: { amount: '{i.x}' }, foreach: { from: 'files', item_name: 'i' } },
        ],
      },
    ],
  ])('and %s, which nobody can judge, is a warning', async (_name, plan, policy) => {
    expect(await found(plan, policy)).toEqual(['warning']);
  });

  test.each<[string, object | string, Policy?]>([
    ['the greatest value', pay({ amount: '10.000' })],
    ['the greatest in another spelling', pay('0.1e2')],
    ['the least', pay('-0.0')],
    ['a tenth', pay({ amount: 0.1 }), { bounds: { 'payments.transfer.amount': [0.1, 0.1] } }],
    ['null', pay({ amount: null })],
    ['another argument', pay({ amounts: 5000, to: { amount: 5000 } })],
    ['a list of names', pay({ amount: ['bob7@example.org', 'x'] })],
    [
      'the size of a list',
      pay({ amount: [5000, 6000] }),
      { bounds: { 'payments.transfer.amount.length': [0, 2] } },
    ],
    [
      'a member of the name length',
      pay({ amount: { length: 5 } }),
      { bounds: { 'payments.transfer.amount.length': [0, 5] } },
    ],
    [
      'a tool of another name under a glob',
      pay({ amount: 5000 }),
      { bounds: { 'payments.r*.amount': [0, 10] } },
    ],
  ])('but %s is left alone', async (_name, plan, policy) => {
    expect(await found(plan, policy)).toEqual([]);
  });

  test('too many elements are outside of the size', async () => {
    const sizes: Policy = { bounds: { 'payments.transfer.amount.length': [0, 1] } };
    expect(await found(pay({ amount: ['a', 'b'] }), sizes)).toEqual(['error']);
  });

  test('and each finding is at its own place', async () => {
    const { findings } = await lint(pay({ to: { amount: 11 }, 'to.amount': 12 }), NESTED);
    expect(findings.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/steps/0/parameters/to/amount', 'payments.transfer.to.amount is 11, above [0, 10]'],
      ['/steps/0/parameters/to.amount', 'payments.transfer.to.amount is 12, above [0, 10]'],
    ]);
  });
});

test.each([
  ['wa:custom', 'a custom action of wa', { type: 'custom', action_type: 'rm', payload: ['-rf'] }],
  ['wa:custom', 'one without a payload', { type: 'custom', action_type: 'rm', payload: null }],
])('a tool that is denied is denied behind %s: %s', async (_tool, _name, action) => {
  const plan = {
    plan_version: 1,
    plan_id: 'p',
    title: 't',
    workspace_id: 'w',
    steps: [{ step_number: 1, step_id: 'a', action, description: 'd', idempotent: false }],
  };
  expect(await foundBy('TOOL_DENY', plan, { deny_tools: ['rm'] })).toEqual(['error']);
  expect(await foundBy('TOOL_DENY', plan, { allow_tools: ['wa:*'] })).toEqual(['error']);
  expect(await foundBy('MISSING_HANDLER', plan, { tool_patterns: { irreversible: ['rm'] } })).toEqual([
    'error',
  ]);
});

describe('a policy with a bound that can never apply', () => {
  test.each<[string, string]>([
    ['to a tool that is not allowed', 'allow_tools: [a.b]\nbounds: { a.c.n: [0, 1] }'],
    [
      'because its longest tool is denied',
      'allow_tools: [a, a.b]\ndeny_tools: [a.b]\nbounds: { a.b.n: [0, 1] }',
    ],
    ['because all that its glob means are denied', "deny_tools: ['a*']\nbounds: { a.*.n: [0, 1] }"],
    ['because its glob means no tool that is allowed', "allow_tools: [a.b]\nbounds: { 'c.*.n': [0, 1] }"],
    ['to a tool that is allowed only below', "allow_tools: ['a.*']\nbounds: { a.n: [0, 1] }"],
    ['because both sides are open', 'bounds: { a.n: [null, null] }'],
  ])('is refused: %s', async (_name, policy) => {
    await expect(lint(planOf({}), policy)).rejects.toMatchObject({ code: 'POLICY_INVALID' });
  });

  test.each<[string, string]>([
    ['a glob of tools that are allowed', "allow_tools: [pay.in]\nbounds: { 'pay.*.n': [0, 1] }"],
    ['a tool within a glob that is allowed', "allow_tools: ['p*n']\nbounds: { pay.in.n: [0, 1] }"],
    ['two globs that meet', "allow_tools: ['*.in']\nbounds: { 'pay.*.n': [0, 1] }"],
    ['a nested argument of a tool that is allowed', 'allow_tools: [a]\nbounds: { a.b.n: [0, 1] }'],
  ])('but not for %s', async (_name, policy) => {
    expect((await lint(planOf({ tool: 'other' }), policy)).findings.map(({ rule }) => rule)).not.toContain(
      'POLICY_INVALID',
    );
  });
});

describe('decimals', () => {
  test('compare as integers of any size do', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.nat(30), (a, b, places) => {
        const text = (value: bigint) => `${value}e-${places}`;
        const [first, second] = [decimalOf(text(a)), decimalOf(text(b))];
        expect(first !== null && second !== null && Math.sign(compareDecimals(first, second))).toBe(
          a < b ? -1 : Number(a > b),
        );
      }),
    );
  });

  test('compare as doubles do', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(double, double, (a, b) => {
        const [first, second] = [decimalOf(String(a)), decimalOf(String(b))];
        expect(first !== null && second !== null && Math.sign(compareDecimals(first, second))).toBe(
          a < b ? -1 : Number(a > b),
        );
      }),
    );
  });

  test.each(['', '.', 'e5', '1e', '0x1', '1_0', '1,0', 'NaN', 'Infinity', '١', '1 2', '--1'])(
    '%j is none',
    (text) => {
      expect(decimalOf(text)).toBeNull();
    },
  );
});

test('globs meet exactly where there is a name for both', () => {
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 4 });
  const names = ['', ...grown('a'), ...grown('b')];
  fc.assert(
    fc.property(glob, glob, (a, b) => {
      expect(globsMeet(a, b)).toBe(names.some((name) => matchesGlob(a, name) && matchesGlob(b, name)));
    }),
  );
});

/** A name and every longer one of a and b that begins with it, to six letters. */
function grown(name: string): readonly string[] {
  return name.length === 6 ? [name] : [name, ...grown(`${name}a`), ...grown(`${name}b`)];
}
