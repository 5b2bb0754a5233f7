import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkPlan } from '../../../src/features/actions/lint/check-plan.js';
import { fixPlan } from '../../../src/features/actions/lint/fix-plan.js';
import { isFilledUp } from '../../../src/features/actions/lint/secrets/secret-placeholders.js';
import { secretsIn } from '../../../src/features/actions/lint/secrets/secrets.js';
import { noPolicy } from '../../../src/features/actions/policy/prepared-policy.js';
import { previewText } from '../../../src/features/actions/model/preview.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { secretPatternsTable, TABLE } from '../../../scripts/secret-patterns.js';
import { firing, foundBy, planOf } from '../../support/lint.js';

const MIXED = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z';
const HEX = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const mixed = (length: number) => MIXED.repeat(9).slice(0, length);
const hex = (length: number) => HEX.repeat(9).slice(0, length);

/** What is found in a text, without what it is called. */
function found(text: string, key: string | null = null): readonly string[] {
  return secretsIn(text, key).map(({ start, end }) => text.slice(start, end));
}

describe('what the forms of keys and tokens show', () => {
  test.each<[string, string]>([
    ['GitHub token', `ghp_${mixed(36)}`],
    ['GitHub token', `github_pat_${mixed(82)}`],
    ['GitLab token', `glpat-${mixed(20)}`],
    ['AWS access key id', 'AKIA2E4G6JKLMNPQRSTU'],
    ['Vault token', `hvs.${mixed(24)}`],
    ['Vault token', `hvb.${mixed(150)}`],
    ['Groq key', `gsk_${mixed(52)}`],
    ['Docker token', `dckr_pat_${mixed(27)}`],
    ['DigitalOcean token', `dop_v1_${hex(64)}`],
    ['DigitalOcean token', `doo_v1_${hex(64)}`],
    ['Telegram bot token', `110201544:AA${mixed(33)}`],
    ['Discord bot token', `M${mixed(23)}.${mixed(6)}.${mixed(27)}`],
    ['Discord webhook', `https://discord.com/api/webhooks/123456789012345678/${mixed(68)}`],
    ['Azure client secret', `abc8Q~${mixed(34)}`],
    ['Stripe key', `sk_live_${mixed(24)}`],
    ['Slack token', 'xoxb-123456789012-abcdefABCDEF'],
    ['Anthropic key', `sk-ant-api03-${mixed(40)}`],
    ['OpenAI key', `sk-proj-${mixed(30)}`],
    ['Google API key', `AIza${mixed(35)}`],
    ['npm token', `npm_${mixed(36)}`],
    ['Shopify token', `shpat_${hex(32)}`],
    ['Databricks token', `dapi${hex(32)}`],
    ['Figma token', `figd_${mixed(40)}`],
    ['Notion token', `ntn_12345678901${mixed(35)}`],
    ['Linear key', `lin_api_${mixed(40)}`],
    ['Tailscale key', `tskey-auth-${mixed(12)}-${mixed(30)}`],
    ['PEM private key', `-----BEGIN EC PRIVATE KEY-----\n${mixed(120)}\n-----END EC PRIVATE KEY-----`],
    ['PEM private key', `-----BEGIN PRIVATE KEY-----\n${mixed(120)}`],
  ])('%s', (kind, token) => {
    for (const text of [token, `use ${token} now`, `(${token})`, `x\n"${token}",`]) {
      expect(secretsIn(text, null).map((secret) => secret.kind)).toEqual([kind]);
      expect(found(text)).toEqual([token]);
    }
    expect(found(`${token} ${token}`.replaceAll('\n', ' '))).not.toEqual([]);
  });

  test('two tokens with one space between are two', () => {
    const token = `gsk_${mixed(52)}`;
    expect(found(`${token} ${token},${token}`)).toEqual([token, token, token]);
  });
});

describe('what is assigned, or stands in an address or a header', () => {
  test.each<[string, string]>([
    ['postgres://app:pa$$w0rd@db/x', 'pa$$w0rd'],
    ['postgres://app:$ecretPass1@db/x', '$ecretPass1'],
    ['https://u:p@ss@host/', 'p@ss'],
    ['mongodb+srv://app:s3cr{t}@h', 's3cr{t}'],
    ['Authorization: Basic dXNlcjpodW50ZXIy', 'dXNlcjpodW50ZXIy'],
    ['basic YTpi', 'YTpi'],
    ['DB_PASSWORD=S3cr$t!', 'S3cr$t!'],
    ['DB_PASSWORD=letmein', 'letmein'],
    ['export DB_PASSWORD="hunter two"', 'hunter two'],
    ['password=12345678', '12345678'],
    ['PASSWORD=1234', '1234'],
    ['X_TOKEN=deadbeef12', 'deadbeef12'],
    [`x-token: ${mixed(20)}`, mixed(20)],
    ['X-Api-Key: abcdef12', 'abcdef12'],
    ['https://x.org/?access_token=abcd1234&y=1', 'abcd1234'],
    ['{"password":"hunter2"}', 'hunter2'],
    [String.raw`{\"password\":\"hunter2\"}`, 'hunter2'],
    ["{'db_pass': 'hunter2'}", 'hunter2'],
    ['<password>hunter2</password>', 'hunter2'],
    ["UPDATE users SET password = 'hunter2'", 'hunter2'],
    ['mysql --password hunter2 -e x', 'hunter2'],
    ['deploy --api-key=abcd1234', 'abcd1234'],
    ['curl -u admin:hunter2 https://x.org', 'hunter2'],
    ['Password: hunter2!', 'hunter2!'],
    ['Server=db;User=sa;Password=hunter2;', 'hunter2'],
    [`https://a.blob.core.windows.net/c?sv=2022&sig=${mixed(43)}%3D&se=1`, `${mixed(43)}%3D`],
    [`Endpoint=sb://x/;SharedAccessKey=${mixed(43)}=`, `${mixed(43)}=`],
  ])('%s', (text, secret) => {
    expect(found(text)).toEqual([secret]);
  });
});

describe('what the key says', () => {
  test.each([
    'pass',
    'db_pass',
    'passwords',
    'dbPass',
    'pg_password',
    'password2',
    'admin-pw',
    'passphrase',
    'client_secret',
    'apiKey',
    'X-Api-Key',
    'secrets',
    'private_key',
    'MYSQL_ROOT_PASSWORD',
  ])('%s holds a secret', (key) => {
    expect(found('hunter2', key)).toEqual(['hunter2']);
    expect(found('12345678', key)).toEqual(['12345678']);
  });

  test.each([
    'boarding_pass',
    'bypass',
    'password_field',
    'keyboard',
    'compass',
    'max_tokens',
    'next_page_token',
  ])('%s does not', (key) => {
    expect(found('hunter22a', key)).toEqual([]);
  });
});

describe('what is none', () => {
  test.each<[string, string | null]>([
    [`ghp_${'x'.repeat(36)}`, null],
    ['ghp_xxxx…', null],
    ['ghp_xxxx', 'token'],
    ['sk-...', 'api_key'],
    ['AKIAIOSFODNN7EXAMPLE', null],
    ['AKIAXXXXXXXXXXXXXXXX', null],
    ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'aws_secret_key'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', null],
    ['Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==', null],
    ['password=required', null],
    ['password=optional&x=1', null],
    ['required', 'password'],
    ['Password: required', null],
    ['Password: see below', null],
    ['basic authentication is required', null],
    ['a basic understanding', null],
    ['http://x.org:8080/a@b', null],
    ['https://u:${context.pw}@h/', null],
    ['https://u:$PASSWORD@h/', null],
    ['https://u:<password>@h', null],
    ['SELECT 1 FROM u WHERE password=$1 AND token=? AND secret=:secret', null],
    ['password = crypt($2, password)', null],
    ['u.password = v.password', null],
    ['password=process.env.DB_PASSWORD', null],
    ['DB_PASSWORD=${DB_PASSWORD}', null],
    ['DB_PASSWORD', 'password'],
    ['{{vault.db}}', 'password'],
    ['Authorization: Bearer ${context.token}', null],
    ['next_page_token=abc123def456ghi789', null],
    ['same-origin', 'credentials'],
    ['yes', 'pass'],
    ['Forgot password?', null],
    ['author: Jane2000doe', null],
    ['key=value12345678901234567', null],
    ['/run/secrets/db', 'password'],
    ['~/.ssh/id.pem', 'private_key'],
    [HEX, 'md5'],
  ])('%s under %s', (text, key) => {
    expect(found(text, key)).toEqual([]);
  });
});

describe('in a plan', () => {
  const kinds = (plan: object) => foundBy('RAW_SECRET', plan);
  const soul = (kind: object) => ({
    task_id: '123e4567-e89b-42d3-a456-426614174000',
    title: 'Log in',
    steps: [{ id: 's', title: 'Type', tool: { kind } }],
  });

  test.each<[string, object]>([
    ['a password of digits', planOf({ parameters: { password: 12_345_678 } })],
    ['a header as a pair', planOf({ parameters: { headers: [{ name: 'X-Api-Key', value: 'abcdef' }] } })],
    ['a header as a list of two', planOf({ parameters: { headers: [['Authorization', mixed(30)]] } })],
    [
      'an argument behind an option',
      planOf({ parameters: { argv: ['mysql', '--password', 'hunter2', '-e', 'x'] } }),
    ],
    ['a list of passwords', planOf({ parameters: { passwords: ['hunter2'] } })],
    [
      'text typed into a field by its label',
      soul({
        TypeText: {
          locator: { Aria: { role: 'textbox', name: 'Password' } },
          text: 'hunter2',
          submit: false,
        },
      }),
    ],
    [
      'text typed into a field by its selector',
      soul({ TypeText: { locator: { Css: '#login-pwd' }, text: 'hunter2', submit: false } }),
    ],
    [
      'text typed into a field by its text',
      soul({
        TypeText: {
          locator: { Text: { content: 'Your passphrase', exact: false } },
          text: 'open sesame',
          submit: false,
        },
      }),
    ],
    [
      'digits typed into it',
      planOf({ tool: 'browser.fill', parameters: { selector: 'input[type=password]', value: 4711 } }),
    ],
    ['a name of a member', planOf({ parameters: { [`ghp_${mixed(36)}`]: true } })],
  ])('%s is found', async (_, plan) => {
    expect(await kinds(plan)).toEqual(['error']);
  });

  test.each<[string, object]>([
    ['a count of passwords', planOf({ parameters: { passwords: 3, password_length: 12, pass: true } })],
    [
      'a reference that is typed',
      planOf({ parameters: { selector: '#password', text: '${context.password}' } }),
    ],
    [
      'a link',
      planOf({
        tool: 'browser.click',
        parameters: { target: 'the forgot-password link', text: 'Forgot password?' },
      }),
    ],
    ['text typed elsewhere', planOf({ parameters: { selector: '#user', text: 'hunter2' } })],
    ['a pair of other things', planOf({ parameters: { name: 'X-Request-Id', value: 'abc' } })],
  ])('%s is none', async (_, plan) => {
    expect(await kinds(plan)).toEqual([]);
  });

  test('what is typed into a password field is found again in the title that says it, and shown nowhere', async () => {
    const plan = soul({ TypeText: { locator: { Css: '#password' }, text: 'hunter2', submit: false } });
    plan.steps[0] = { ...plan.steps[0], title: 'Type “hunter2” into the password field' } as never;
    const text = JSON.stringify(plan);
    expect(await kinds(plan)).toEqual(['error', 'error']);
    for (const detail of ['quiet', 'normal', 'verbose'] as const)
      expect(previewText(readActionPlan(text).plan, detail)).not.toContain('hunter2');
  });

  test('the policy’s patterns are tried with and without spaces behind colons and commas', async () => {
    const plan = planOf({ parameters: { pin: 1234, list: [1, 2] } });
    for (const pattern of [
      '"pin":1234',
      '"pin": 1234',
      String.raw`"pin":\s\d+`,
      String.raw`\[1, ?2\]`,
      '1234, "list"',
      '4,"list"',
    ])
      expect(await foundBy('RAW_SECRET', plan, { deny_tokens_regex: [pattern] })).toEqual(['error']);
    for (const pattern of ['"pin":  1234', '"pin" :1234'])
      expect(await foundBy('RAW_SECRET', plan, { deny_tokens_regex: [pattern] })).toEqual([]);
  });
});

describe('fixing', () => {
  const fixed = (plan: object) => fixPlan(JSON.stringify(plan), noPolicy());
  const token = `ghp_${mixed(36)}`;

  test.each<[string, object]>([
    ['a goal', { ...planOf({}), goal: `Use ${token}` }],
    ['an id', planOf({ id: token })],
    ['the name of a tool', planOf({ tool: `x.${token}` })],
    ['a title', planOf({ title: `Use ${token}` })],
    ['the inside of a reference', planOf({ parameters: { x: `\${context.${token}}` } })],
    ['a name of a member', planOf({ parameters: { [token]: 1 } })],
  ])('leaves %s alone, and says so', (_, plan) => {
    const { text, check } = fixed(plan);
    expect(text).toBe(JSON.stringify(plan));
    const found = check.findings.filter(({ rule }) => rule === 'RAW_SECRET');
    expect(found.map(({ fixable }) => fixable)).toEqual([false]);
  });

  test('mends numbers, pairs and what stands beside a reference', () => {
    const plan = planOf({
      parameters: {
        password: 12_345_678,
        h: { name: 'X-Api-Key', value: 'abcdef' },
        t: `{{s0.result}} ${token}`,
      },
    });
    const { text } = fixed(plan);
    expect(JSON.parse(text)).toMatchObject({
      steps: [
        {
          parameters: {
            password: '${context.PASSWORD}',
            h: { name: 'X-Api-Key', value: '${context.X_API_KEY}' },
            t: '{{s0.result}} ${context.GITHUB_TOKEN}',
          },
        },
      ],
    });
    expect(fixPlan(text, noPolicy()).fixed).toBe(0);
  });
});

test('the table of patterns is what the script makes of the kept rules', async () => {
  expect(readFileSync(TABLE, 'utf8')).toBe(await secretPatternsTable());
});

const RECORDED = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../scripts/secret-rules/secretlint.json'), 'utf8'),
) as {
  readonly patterns: readonly { readonly rule: string; readonly pattern: string; readonly flags: string }[];
};
const OTHERWISE = new Set([
  'basicauth',
  'database-connection-string',
  'filter-comments',
  'sendgrid',
  'privatekey',
  'aws',
]);

test.each(
  RECORDED.patterns.filter(({ rule }) => !OTHERWISE.has(rule)).map((one) => [one.rule, one] as const),
)('whatever the kept rule of %s matches is found', (_, { pattern, flags }) => {
  const body = pattern.replaceAll(/\(\?<?!(?:\[[^\]]*\]|[^)[])*\)|\\b/g, '');
  const original = new RegExp(pattern, flags.replace('g', ''));
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(`^(?:${body})$`, flags.replaceAll(/[gi]/g, ''))), (token) => {
      fc.pre(original.test(token) && !isFilledUp(token) && !/(.)\1{4}|^_authToken=[{<%:@?*.\s]/.test(token));
      expect(secretsIn(` ${token} `, null)).not.toEqual([]);
    }),
    { numRuns: 50 },
  );
});

// A pass over the text for each of these would take minutes.
test.each([
  ['the same', () => '-----BEGIN PRIVATE KEY-----'],
  ['different', (index: number) => `user${index} password=Zx9NqqLmP${index}\n`],
  ['beside references', (index: number) => `\${context.a${index}} "password=Zx9NqqLmP${index}"\n`],
])('a text of 40,000 secrets is checked in one pass: %s', (_name, secretAt) => {
  const before = 'é "';
  const secrets = Array.from({ length: 40_000 }, (_, index) => secretAt(index));
  const text = JSON.stringify(planOf({ parameters: { text: `${before}${secrets.join('')}` } }));
  const { findings, fixes } = checkPlan(text, noPolicy());
  const places = findings.filter(({ rule }) => rule === 'RAW_SECRET');
  expect(places).toHaveLength(40_000);
  const edits = fixes().flat();
  expect(edits).toHaveLength(40_000);
  expect(new Set(edits.map(({ text: name }) => name)).size).toBe(new Set(secrets).size);
  for (const index of [0, 1, 39_999]) {
    const edit = edits[index];
    const secret = secretAt(index)
      .replace(/^.*password=/, '')
      .replace(/["\n]+$/, '');
    expect(text.slice(edit?.start, edit?.end)).toBe(secret);
  }
});

test('looking for secrets takes time linear in the text', async () => {
  const pieces = [
    '-----BEGIN PRIVATE KEY-----',
    'password=',
    'password="',
    'pass',
    '${',
    'eyJ',
    'basic ',
    '://a:',
    'curl ',
    ')',
    'A',
    '--',
    `ghp_${mixed(36)} `,
  ];
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(20_000 / piece.length));
    expect(secretsIn(text, 'password').length).toBeGreaterThanOrEqual(0);
    expect(secretsIn('x', text).length).toBeGreaterThanOrEqual(0);
  }
  expect(await firing(planOf({ parameters: { text: pieces.join('').repeat(50) } }))).not.toEqual([]);
});
