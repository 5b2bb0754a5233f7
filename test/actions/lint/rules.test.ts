import { describe, expect, test } from 'vitest';

import { RULE_IDS } from '../../../src/features/actions/lint/rule-ids.js';
import type { RuleId } from '../../../src/features/actions/lint/rule-ids.js';
import type { Policy } from '../../../src/features/actions/policy/policy.js';
import { foundBy, planOf } from '../../support/lint.js';

type Case = readonly [name: string, plan: object | string, policy?: Policy];

const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ref = (text: string) => ({ parameters: { text } });
const obsidian = (more: object, step: object = {}) => ({
  version: '1.0',
  goal: 'Tidy',
  riskLevel: 'writes',
  steps: [{ id: 's1', tool: 'note.move', args: {}, ...step }],
  ...more,
});
const pay = (amount: unknown) => planOf({ tool: 'payments.transfer', parameters: { amount } });
const amounts: Policy = { bounds: { 'payments.transfer.amount': [1, 500] } };
const query = (sql: string) => planOf({ tool: 'db.query', parameters: { query: sql } });
const irreversible: Policy = { tool_patterns: { irreversible: ['payments.*'] } };
const wrapped = (metadata: object) => ({
  schema_version: '1.0',
  steps: [{ id: 'a', tool: 'send', args: {}, metadata }],
});

const TRIPPING: Readonly<Record<RuleId, readonly Case[]>> = {
  SCHEMA_INVALID: [
    ['an unknown key in an Obsidian plan', obsidian({ colour: 'blue' })],
    ['parameters in an Obsidian plan', obsidian({}, { args: undefined, parameters: {} })],
    ['args beside parameters', planOf({}, { parameters: undefined, args: {} })],
    ['a step without a payload', planOf({}, { parameters: undefined })],
    ['the args form without a goal', { steps: [{ id: 'a', tool: 't', args: {} }] }],
    ['an on_fail there is none of', planOf({ on_fail: 'explode' })],
    [
      'a tool that is a number',
      '{"goal":"g","steps":[{"id":"a","tool":"x","parameters":{}},{"id":"b","tool":7,"parameters":{}}]}',
    ],
    ['something that is no plan', { hello: 'world' }],
    ['NaN in an object', planOf({ parameters: { amount: Number.NaN } })],
  ],
  TOOL_DENY: [
    ['a tool that is not allowed', planOf({ tool: 'shell.run' }), { allow_tools: ['note.*'] }],
    [
      'a tool that is denied though it is allowed',
      planOf({}),
      { allow_tools: ['*'], deny_tools: ['note.write'] },
    ],
    [
      'a longer name than the one allowed',
      planOf({ tool: 'note.write.all' }),
      { allow_tools: ['note.write'] },
    ],
    [
      'a tool in a fallback',
      {
        schema_version: '1.0',
        steps: [
          {
            id: 'a',
            tool: 'x',
            args: {},
            on_error: { strategy: 'fallback', steps: [{ id: 'b', tool: 'rm', args: {} }] },
          },
        ],
      },
      { deny_tools: ['rm'] },
    ],
  ],
  BOUND_VIOLATION: [
    ['a dotted tool above its bound', pay(501), amounts],
    ['below it', pay(0.99), amounts],
    ['a numeric string', pay(' 5e3 '), amounts],
    ['NaN as text', pay('NaN'), amounts],
    ['text', pay('much'), amounts],
    ['true', pay(true), amounts],
    ['Infinity as text', pay('Infinity'), amounts],
    ['a list that is too long', pay([1, 2, 3]), { bounds: { 'payments.transfer.amount': [0, 2] } }],
    [
      'a nested value',
      planOf({ tool: 'pay', parameters: { to: { sum: 9 } } }),
      { bounds: { 'pay.to.sum': [0, 5] } },
    ],
    [
      'each price of a list',
      planOf({ tool: 'pay', parameters: { items: [{ price: 1 }, { price: 9 }] } }),
      { bounds: { 'pay.items.*.price': [0, 5] } },
    ],
    [
      'an integer beyond what a double holds',
      '{"goal":"g","steps":[{"id":"a","tool":"pay","parameters":{"n":9007199254740993}}]}',
      { bounds: { 'pay.n': [0, 9007199254740992] } },
    ],
    [
      'a reference, as a warning',
      planOf({}, { tool: 'pay', parameters: { n: '{{s1.result.n}}' } }),
      { bounds: { 'pay.n': [0, 5] } },
    ],
  ],
  RAW_SECRET: [
    ['a GitHub token in a text', planOf(ref(`use ghp_${'a1'.repeat(18)} now`))],
    ['an AWS key id', planOf(ref('AKIAIOSFODNN7SAMPLES'))],
    ['a password', planOf({ parameters: { db: { password: 'hunter2!' } } })],
    ['a key in camel case', planOf({ parameters: { apiKey: '9f8e7d6c5b4a39281706f5e4d3c2b1a0' } })],
    ['a JSON Web Token', planOf(ref(`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'dBjftJeZ4CVP'.repeat(3)}`))],
    ['a PEM block', planOf(ref('-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'))],
    ['a bearer token', planOf({ parameters: { headers: { Authorization: 'Bearer abcdef0123456789abcd' } } })],
    ['a password in a URL', planOf(ref('postgres://app:s3cr3t@db.example.com/x'))],
    ['a secret in the goal', { ...planOf({}), goal: 'Use sk-proj-abc123def456ghi789jkl0' }],
    ['a secret in the context', { ...planOf({}), context: { slack: 'xoxb-123456789012-abcdef' } }],
    ['a secret in the meta', { ...planOf({}), meta: { secret: 'correct horse' } }],
    ['a pattern of the policy', planOf(ref('CUST-204417')), { deny_tokens_regex: ['CUST-[0-9]{6}'] }],
    [
      'a pattern over key and value',
      planOf({ parameters: { pin: 1234 } }),
      { deny_tokens_regex: ['"pin":[0-9]+'] },
    ],
  ],
  LOOP_DETECTED: [
    ['two steps that depend on each other', planOf({ depends_on: ['s2'] }, { depends_on: ['s1'] })],
    ['a step that refers to itself', planOf(ref('{{s1.result.x}}'))],
    [
      'a circle of a reference and dependencies',
      planOf({ depends_on: ['s3'] }, ref('{{s1.result}}'), { depends_on: ['s2'] }),
    ],
  ],
  MAX_STEPS_EXCEEDED: [
    ['one step more than allowed', planOf({}, {}, {}), { max_steps: 2 }],
    ['a hundred and one steps', planOf(...Array.from({ length: 101 }, () => ({})))],
    [
      'steps of a nested plan',
      {
        schema_version: '1.0',
        steps: [{ id: 'a', tool: 'x', args: {}, plan: { steps: [{ id: 'a', tool: 'x', args: {} }] } }],
      },
      { max_steps: 1 },
    ],
  ],
  MISSING_HANDLER: [
    ['an irreversible tool without a word', planOf({ tool: 'payments.transfer' }), irreversible],
    ['a step that is tagged', obsidian({}, { tags: ['irreversible'] })],
    ['a step whose metadata say so', wrapped({ irreversible: true })],
  ],
  SQL_WRITE: [
    ['a DELETE', query('delete from users')],
    ['a change within a WITH', query('WITH x AS (UPDATE t SET a = 1 RETURNING *) SELECT * FROM x')],
    ['SELECT INTO', query('SELECT * INTO copy FROM users')],
    ['EXPLAIN ANALYZE of a change', query('EXPLAIN (ANALYZE, VERBOSE) DELETE FROM t')],
    ['a second statement', query("SELECT ';'; DROP TABLE users")],
    ['a comment that MySQL carries out', query('SELECT 1 /*!50000 ; DELETE FROM t */')],
    ['a tool that writes by its name', planOf({ tool: 'db.write', parameters: { table: 't' } })],
    [
      'a sql tool with a list of statements',
      planOf({ tool: 'sql.batch', parameters: { statements: ['SELECT 1', 'TRUNCATE t'] } }),
    ],
    ['a query under another name', planOf({ tool: 'db.run', parameters: { q: 'INSERT INTO t VALUES (1)' } })],
  ],
  DUPLICATE_ID: [
    ['two steps', planOf({ id: 'a' }, { id: 'a' })],
    ['two steps apart', planOf({ id: 'a' }, { id: 'b' }, { id: 'a' })],
    [
      'a step of a fallback',
      {
        schema_version: '1.0',
        steps: [
          {
            id: 'a',
            tool: 'x',
            args: {},
            on_error: { strategy: 'fallback', steps: [{ id: 'a', tool: 'x', args: {} }] },
          },
        ],
      },
    ],
  ],
  UNKNOWN_REFERENCE: [
    ['a step that there is not', planOf(ref('{{query.result.x}}'))],
    ['the longer id', planOf({ id: 'a' }, ref('${ab.result.x}'))],
    ['a dependency', planOf({ depends_on: ['zero'] })],
    ['the spelling of Obsidian', obsidian({}, { args: { text: '$steps.gone.x' } })],
  ],
  FORWARD_REFERENCE: [
    ['a reference to the next step', planOf(ref('{{s2.result}}'), {})],
    ['in the middle of text', planOf({}, ref('a ${s3.result.x} b'), {})],
    ['a dependency, as a warning', planOf({ depends_on: ['s2'] }, {})],
    [
      'the list of a foreach',
      {
        ...obsidian({}),
        steps: [
          { id: 'a', tool: 't', args: {}, foreach: { from: '$steps.b.x', itemName: 'i' } },
          { id: 'b', tool: 't', args: {} },
        ],
      },
    ],
  ],
  IMPLICIT_DEPENDENCY: [
    ['a reference alone', planOf({}, ref('{{s1.result}}'))],
    ['one of two', planOf({}, {}, { ...ref('{{s1.result}} {{s2.result}}'), depends_on: ['s1'] })],
    [
      'in Obsidian',
      {
        ...obsidian({}),
        steps: [
          { id: 'a', tool: 't', args: {} },
          { id: 'b', tool: 't', args: { x: '$steps.a' } },
        ],
      },
    ],
  ],
  UNUSED_OUTPUT: [
    ['a captured output', obsidian({}, { captureAs: 'files' })],
    ['a query that nobody reads', planOf({ tool: 'db.query_ro', parameters: { query: 'SELECT 1' } }, {})],
    ['an id within another', planOf({ id: 'q', tool: 'db.query_ro' }, { id: 'qq' }, ref('{{qq.result}}'))],
  ],
  POLICY_INVALID: [
    ['an empty list of tools', planOf({}), { allow_tools: [] }],
    ['also with denials', planOf({}), { allow_tools: [], deny_tools: ['x'] }],
    ['also in another dialect', obsidian({}), { allow_tools: [] }],
  ],
  SUPPRESSION_INVALID: [
    ['no reason', planOf({ 'x-frctl-suppress': [{ rule: 'SQL_WRITE' }] })],
    ['a rule there is none of', planOf({ 'x-frctl-suppress': [{ rule: 'SQL', reason: 'so' }] })],
    [
      'nothing to suppress, as a warning',
      planOf({ 'x-frctl-suppress': [{ rule: 'SQL_WRITE', reason: 'so' }] }),
    ],
    [
      'one that may not be',
      planOf({ 'x-frctl-suppress': [{ rule: 'POLICY_INVALID', reason: 'so' }] }),
      { allow_tools: [] },
    ],
    [
      'one of an error that the policy does not let plans suppress, as a warning',
      planOf({ tool: 'db.write', 'x-frctl-suppress': [{ rule: 'SQL_WRITE', reason: 'agreed' }] }),
    ],
  ],
};

const NEAR: Readonly<Record<RuleId, readonly Case[]>> = {
  SCHEMA_INVALID: [
    ['an Obsidian plan', obsidian({})],
    ['the args form', { goal: 'g', steps: [{ id: 'a', tool: 't', args: {} }] }],
    ['the parameters form without a goal', { steps: [{ id: 'a', tool: 't', parameters: {} }] }],
    ['an unknown key where they are free', planOf({ colour: 'blue' })],
  ],
  TOOL_DENY: [
    ['a tool of a glob', planOf({}), { allow_tools: ['note.*'] }],
    ['an empty list', planOf({}), { allow_tools: [] }],
    ['a name that a denied one begins with', planOf({ tool: 'note' }), { deny_tools: ['note.*'] }],
    ['no policy', planOf({ tool: 'shell.run' })],
  ],
  BOUND_VIOLATION: [
    ['the least value', pay(1), amounts],
    ['the greatest', pay('500.0'), amounts],
    [
      'another tool, where the policy names both',
      planOf({ tool: 'payments', parameters: { transfer: { amount: 9999 } } }, { tool: 'payments.transfer' }),
      { ...amounts, allow_tools: ['payments', 'payments.transfer'] },
    ],
    [
      'a tool whose name only begins alike',
      planOf(
        { tool: 'payment', parameters: { amount: 9999 } },
        { tool: 'paymentss.transfer', parameters: { amount: 9999 } },
      ),
      amounts,
    ],
    [
      'an argument of nearly that name',
      planOf({ tool: 'payments.transfer', parameters: { amounts: 999 } }),
      amounts,
    ],
    ['no argument', planOf({ tool: 'payments.transfer' }), amounts],
    ['an open side', pay(1e300), { bounds: { 'payments.transfer.amount': [1, null] } }],
    [
      'a list within its size',
      pay(['a@b.org', 'c@d.org']),
      { bounds: { 'payments.transfer.amount': [0, 2] } },
    ],
    ['a list of numbers within', pay([1, '2', 2]), { bounds: { 'payments.transfer.amount': [0, 3] } }],
    ['a list, by its size alone', pay([900, 900]), { bounds: { 'payments.transfer.amount.length': [0, 2] } }],
  ],
  RAW_SECRET: [
    ['a SHA-256 value', planOf({ parameters: { sha256: HASH, token: HASH, md5: HASH.slice(0, 32) } })],
    [
      'a reference',
      planOf({ parameters: { token: '${context.token}', password: '{{s0.result.password}}' } }),
    ],
    ['a bearer reference', planOf({ parameters: { Authorization: 'Bearer ${context.token}' } })],
    [
      'a placeholder',
      planOf({ parameters: { password: '<your password>', api_key: '***', secret: 'REDACTED' } }),
    ],
    [
      'a name that only sounds so',
      planOf({ parameters: { max_tokens: '4096', next_page_token: 'abc', password_field: '#pw' } }),
    ],
    [
      'a bind variable',
      planOf({
        tool: 'db.query',
        parameters: { query: 'SELECT * FROM users WHERE password=$1 AND token=?' },
      }),
    ],
    [
      'a UUID and a git commit',
      planOf(ref('123e4567-e89b-12d3-a456-426614174000 72056c9a1b2c3d4e5f60718293a4b5c6d7e8f901')),
    ],
    ['a risk-score, a task-list', planOf(ref('risk-score-of-the-whole-plan and task-list-of-the-day'))],
    ['a URL with a port', planOf(ref('https://example.com:8080/@user'))],
    ['text beside a pattern', planOf(ref('CUST-20441')), { deny_tokens_regex: ['CUST-[0-9]{6}'] }],
  ],
  LOOP_DETECTED: [
    [
      'a join of two earlier steps',
      planOf({}, {}, { ...ref('{{s1.result}} {{s2.result}}'), depends_on: ['s1', 's2'] }),
    ],
    [
      'an id inside another id',
      planOf(
        { id: 'step' },
        { id: 'step-1', ...ref('{{step.result}}') },
        { id: 'step-10', ...ref('{{step-1.result}}') },
      ),
    ],
    [
      'an id in ordinary text',
      planOf({ id: 'a', ...ref('b comes after a') }, { id: 'b', ...ref('a came before b, $a and {a}') }),
    ],
    ['a diamond', planOf({}, { depends_on: ['s1'] }, { depends_on: ['s1'] }, { depends_on: ['s2', 's3'] })],
  ],
  MAX_STEPS_EXCEEDED: [
    ['as many as allowed', planOf({}, {}), { max_steps: 2 }],
    ['a hundred', planOf(...Array.from({ length: 100 }, () => ({})))],
    ['more, where that is allowed', planOf(...Array.from({ length: 101 }, () => ({}))), { max_steps: 101 }],
  ],
  MISSING_HANDLER: [
    ['a step that says it', planOf({ tool: 'payments.transfer', on_fail: 'abort' }), irreversible],
    ['a plan that says it for all', obsidian({ defaults: { onError: 'stop' } }, { tags: ['irreversible'] })],
    ['a tool that is not irreversible', planOf({ tool: 'payment.list' }), irreversible],
    ['metadata that deny it', wrapped({ irreversible: 'maybe' })],
  ],
  SQL_WRITE: [
    ['a column created_at', query('SELECT created_at, updated_at FROM t WHERE deleted = false')],
    ['a write in a string', query("SELECT 'DELETE FROM t; DROP TABLE t'")],
    ['a write in comments', query('SELECT 1 -- DELETE FROM t\n/* DROP TABLE t /* nested */ */')],
    ['a quoted name', query('SELECT "update", `delete`, [drop] FROM "create"')],
    ['EXPLAIN alone', query('EXPLAIN DELETE FROM t')],
    ['SELECT FOR UPDATE', query('SELECT * FROM t FOR UPDATE')],
    ['the function REPLACE', query("SELECT upper(replace(a, 'x', 'y')) FROM t")],
    [
      'a value that reads like SQL',
      planOf({ tool: 'db.query', parameters: { query: 'SELECT 1', args: ['DELETE FROM t'] } }),
    ],
    ['a title', planOf({ tool: 'db.query', parameters: { title: 'Delete old rows' } })],
    ['another tool', planOf({ parameters: { query: 'DELETE FROM t' } })],
    [
      'a writing tool that the policy names',
      planOf({ tool: 'db.write', parameters: {} }),
      { allow_tools: ['db.write'] },
    ],
  ],
  DUPLICATE_ID: [
    ['ids that differ in case', planOf({ id: 'a' }, { id: 'A' })],
    ['an id inside another', planOf({ id: 'a' }, { id: 'aa' })],
    [
      'a nested plan of its own',
      {
        schema_version: '1.0',
        steps: [{ id: 'a', tool: 'x', args: {}, plan: { steps: [{ id: 'a', tool: 'x', args: {} }] } }],
      },
    ],
  ],
  UNKNOWN_REFERENCE: [
    ['money and positions', planOf(ref('$5.00, $1, ${}, {{#if x}}, {{ a b }}'))],
    ['the context and host variables', planOf(ref('${context.user} {{user}} ${HOME}'))],
    [
      'a nested step that refers outward',
      {
        schema_version: '1.0',
        steps: [
          { id: 'a', tool: 'x', args: {} },
          {
            id: 'b',
            tool: 'x',
            args: {},
            plan: { steps: [{ id: 'c', tool: 'x', args: { t: '$steps.a.x' } }] },
          },
        ],
      },
    ],
    ['a literal dollar before a reference', planOf({ id: 'pay' }, ref('${{pay.result}}'))],
  ],
  FORWARD_REFERENCE: [
    ['a reference backward', planOf({}, ref('{{s1.result}}'))],
    ['a circle, which is another rule’s', planOf(ref('{{s2.result}}'), ref('{{s1.result}}'))],
    [
      'a foreach’s own item',
      obsidian({}, { foreach: { from: '$vars.files', itemName: 's2' }, args: { x: '${s2.path}' } }),
    ],
    ['a step of a nested plan from outside', planOf({ depends_on: [] }, { depends_on: ['s1'] })],
  ],
  IMPLICIT_DEPENDENCY: [
    ['a declared one', planOf({}, { ...ref('{{s1.result}}'), depends_on: ['s1'] })],
    [
      'the args form, which has none',
      {
        goal: 'g',
        steps: [
          { id: 'a', tool: 't', args: {} },
          { id: 'b', tool: 't', args: { x: '{{a.result}}' } },
        ],
      },
    ],
    ['the context', planOf({}, ref('${context.s1}'))],
  ],
  UNUSED_OUTPUT: [
    [
      'a captured output that is used',
      {
        ...obsidian({}),
        steps: [
          { id: 'a', tool: 't', args: {}, captureAs: 'files' },
          { id: 'b', tool: 't', args: { x: '$vars.files.0' } },
        ],
      },
    ],
    ['the last query', planOf({}, { tool: 'db.query_ro', parameters: { query: 'SELECT 1' } })],
    ['a query that a step depends on', planOf({ tool: 'db.query_ro' }, { depends_on: ['s1'] })],
    ['a tool that does something', planOf({ tool: 'notify.email' }, {})],
  ],
  POLICY_INVALID: [
    ['a list with a tool', planOf({}), { allow_tools: ['*'] }],
    ['no list', planOf({}), { deny_tools: ['x'] }],
    ['no policy', planOf({})],
  ],
  SUPPRESSION_INVALID: [
    [
      'one with a reason that the policy allows',
      planOf({ tool: 'db.write', 'x-frctl-suppress': [{ rule: 'SQL_WRITE', reason: 'agreed' }] }),
      { allow_suppressions: ['SQL_WRITE'] },
    ],
    [
      'one of a warning',
      planOf(
        {},
        { ...ref('{{s1.result}}'), 'x-frctl-suppress': [{ rule: 'IMPLICIT_DEPENDENCY', reason: 'so' }] },
      ),
    ],
    [
      'one for the whole plan',
      {
        ...planOf({ tool: 'db.write' }),
        meta: { 'x-frctl-suppress': [{ rule: 'sql_write', reason: 'agreed', step: 's1' }] },
      },
      { allow_suppressions: ['SQL_WRITE'] },
    ],
    [
      'one in a tag',
      obsidian({}, { tags: ['irreversible', 'frctl-suppress MISSING_HANDLER: a person watches'] }),
      { allow_suppressions: ['MISSING_HANDLER'] },
    ],
  ],
};

describe.each(RULE_IDS)('%s', (rule) => {
  const [tripping, near] = [named(TRIPPING[rule]), named(NEAR[rule])];

  test.each(tripping)('finds $name', async ({ plan, policy }) => {
    expect(await foundBy(rule, plan, policy)).not.toEqual([]);
  });

  test.each(near)('leaves $name alone', async ({ plan, policy }) => {
    expect(await foundBy(rule, plan, policy)).toEqual([]);
  });

  test('is tried with three plans of either kind at least', () => {
    expect(tripping.length).toBeGreaterThanOrEqual(3);
    expect(near.length).toBeGreaterThanOrEqual(3);
  });
});

test('what cannot be known before the plan runs is a warning', async () => {
  const plan = planOf({}, { tool: 'pay', parameters: { n: '{{s1.result.n}}' } });
  expect(await foundBy('BOUND_VIOLATION', plan, { bounds: { 'pay.n': [0, 5] } })).toEqual(['warning']);
});

function named(cases: readonly Case[]) {
  return cases.map(([name, plan, policy]) => ({ name, plan, policy }));
}

test('a reference to a later step is no error where the step depends on it; that it does is a warning', async () => {
  const plan = planOf({ ...ref('{{s2.result}}'), depends_on: ['s2'] }, {});
  expect(await foundBy('FORWARD_REFERENCE', plan)).toEqual(['warning']);
});
