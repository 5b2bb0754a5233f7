import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { previewText } from '../../src/features/actions/model/preview.js';
import type { PreviewDetail } from '../../src/features/actions/model/preview.js';
import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { legibleLine } from '../../src/kernel/text/legible.js';
import { ACTION_PLAN_FILES } from '../support/action-plan-files.js';
import { readFixture } from '../support/plans.js';

const GOLDEN = [
  'wa/recover-rate-limited-agent',
  'wa/fallback-and-approval',
  'wa/04-all-actions',
  'wa/06-all-preconditions',
  'soulbrowser/every-kind',
  'soulbrowser/every-condition',
  'obsidian/bullets-to-notes',
  'plan-lint/monthly-statement',
  'fallbacks-and-nesting',
  'frctl/everything',
];

function planOf(name: string) {
  const file = ACTION_PLAN_FILES.find((one) => one.name === name);
  return readActionPlan(file?.text ?? readFixture(`previews/${name}.json`)).plan;
}

describe('the preview of a plan', () => {
  test.each(GOLDEN.flatMap((name) => [['normal', name] as const, ['verbose', name] as const]))(
    'is, %s, what the golden file of %s says',
    async (detail, name) => {
      const file = `../fixtures/previews/${name.replace('/', '-')}.${detail}.txt`;
      await expect(previewText(planOf(name), detail)).toMatchFileSnapshot(file);
    },
  );

  test('says of each step no more than number and status when it is to be quiet', () => {
    expect(previewText(planOf('fallbacks-and-nesting'), 'quiet')).toBe(
      [1, 2, 3, '3.1', '3.2', '3.2.1'].map((number) => `${number}. [PENDING]\n`).join(''),
    );
  });

  test.each(ACTION_PLAN_FILES.filter(({ name }) => !name.includes('no-steps')).map(({ name }) => [name]))(
    'shows every step of %s',
    (name) => {
      const plan = planOf(name);
      const text = previewText(plan, 'verbose');
      for (const [index] of plan.steps.entries()) expect(text).toContain(`\n    ${index + 1}. [PENDING] `);
      expect(text).toContain(`Steps: ${plan.steps.length}\n`);
    },
  );
});

test('a secret is in none of the previews', () => {
  const secrets = [
    'hunter2-and-more',
    'sk-abcdefghij0123456789abcdef',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  ];
  const plan = {
    title: `Use ${secrets[1]}`,
    goal: `Log in with ${secrets[2]}`,
    context: { password: secrets[0] ?? '' },
    preconditions: [{ type: 'is', args: { token: secrets[2] ?? '' }, description: `with ${secrets[1]}` }],
    steps: [
      {
        id: 'a',
        tool: 'type',
        title: `Type ${secrets[2]}`,
        detail: `${secrets[1]} into the field`,
        args: {
          password: secrets[0] ?? '',
          text: `key ${secrets[1]} here`,
          list: [{ api_key: secrets[0] ?? '' }],
        },
      },
    ],
  };
  for (const detail of ['quiet', 'normal', 'verbose'] as const)
    for (const secret of secrets) expect(previewText(plan, detail)).not.toContain(secret);
  expect(previewText(plan)).toContain('text "key [secret] here"');
});

test('an approval code is not shown, and a reference to a secret is', () => {
  const step = {
    id: 'a',
    tool: 'wa:validate_approval',
    args: { approval_code: 'AB12CD', password: '${context.PASSWORD}' },
  };
  const text = previewText({ steps: [step] }, 'verbose');
  expect(text).not.toContain('AB12CD');
  expect(text).toContain('${context.PASSWORD}');
});

test('no text of a plan can drive a terminal or make lines of its own', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      'a',
      '\n',
      '\r',
      '\u001b[2J',
      '\u202e',
      '\u0007',
      '\u0085',
      '\t',
      '🙂',
      '\ud800',
      '"',
    ),
    maxLength: 20,
  });
  fc.assert(
    fc.property(
      hostile,
      hostile,
      fc.constantFrom<PreviewDetail>('quiet', 'normal', 'verbose'),
      (one, two, detail) => {
        const check = { type: `t${two}`, args: { [one]: two }, description: one };
        const plan = {
          title: one,
          workspace: two,
          risks: [one],
          context: { [two]: one },
          preconditions: [check],
          steps: [
            {
              id: `i${one}`,
              tool: `t${two}`,
              title: one,
              detail: two,
              args: { [one]: two, deep: [{ [two]: one }] },
              depends_on: [`d${one}`],
              verifications: [check],
              on_error: { strategy: 'approval' as const, summary: two },
              foreach: { from: `f${one}`, item_name: `n${two}` },
            },
          ],
        };
        const text = previewText(plan, detail);
        expect(text.split('\n').map(legibleLine).join('\n')).toBe(text);
        const calm = JSON.parse(JSON.stringify(plan).replaceAll(/\\[nr]|\\u0085/g, ' ')) as typeof plan;
        expect(text.split('\n')).toHaveLength(previewText(calm, detail).split('\n').length);
      },
    ),
  );
});

/** What a folded text says on each of its lines. */
const unfolded = (text: string) => text.replaceAll(/\n *│ /g, '');

describe('a plan that is to be agreed to', () => {
  const tail = '; echo the very end';
  const long = (name: string) => `${`echo ${name} `.repeat(40)}${tail}`;

  test('is shown with every argument whole, wherever it stands', () => {
    const check = (name: string) => ({ type: 'is', args: { text: long(name) }, description: name });
    const step = (id: string) => ({ id, tool: 'sh', args: { s: long(id), n: 5 } });
    const text = previewText(
      {
        context: { command: long('context') },
        preconditions: [check('of plan')],
        defaults: { on_error: { strategy: 'fallback', steps: [step('default')] } },
        steps: [
          {
            ...step('first'),
            preconditions: [check('before')],
            verifications: [check('after')],
            on_error: { strategy: 'fallback', steps: [step('fallback')] },
          },
          {
            id: 'nested',
            tool: 'nested',
            args: {},
            plan: {
              context: { x: long('inner context') },
              preconditions: [check('inner')],
              steps: [step('deep')],
            },
          },
        ],
      },
      'whole',
    );
    const lines = unfolded(text).split('\n');
    for (const [name, of] of [
      ['command', 'context'],
      ['text', 'of plan'],
      ['s', 'default'],
      ['s', 'first'],
      ['text', 'before'],
      ['text', 'after'],
      ['s', 'fallback'],
      ['x', 'inner context'],
      ['text', 'inner'],
      ['s', 'deep'],
    ] as const)
      expect(lines.map((line) => line.trim())).toContain(`${name}: ${JSON.stringify(long(of))}`);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(78);
  });

  test('has short arguments behind what is called', () => {
    const steps = [{ id: 'a', tool: 'sh', args: { s: 'ls', n: 5 } }];
    expect(previewText({ steps }, 'whole')).toContain('\n       Action: sh s "ls", n 5\n');
  });

  test('shows what nobody would see, and spaces as they are', () => {
    const s = 'a\u001b[2J\u202e\u200b\u00ad\u{E0041}  b\r\n';
    const text = previewText({ steps: [{ id: 'a', tool: 'sh', args: { s } }] }, 'whole');
    expect(text).toContain(String.raw`s: "a\u001b[2J\u202e\u200b\u00ad\udb40\udc41  b\r\n"`);
  });

  test('has no line that a value has made: they begin with a bar, a quote or a name in small letters', () => {
    const fields =
      /^(?:Plan|Steps|ID|On [Ff]ailure|Action|Verification|Approval|Preconditions|Context): ?|^\d+\. \[PENDING\] |^\[PENDING\] t$|^$/;
    const value = fc.string({
      unit: fc.constantFrom(
        'Approval: none',
        '\n',
        ' '.repeat(60),
        '2. [PENDING] x',
        '│ ',
        '"',
        '🙂',
        'Timeout: ',
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(value, value, (name, text) => {
        const args = { [name]: text, deep: [{ [text]: name }] };
        const check = { type: 't', args };
        const plan = {
          context: args,
          preconditions: [check],
          steps: [{ id: 'i', tool: 't', title: 't', args }],
        };
        const shown = previewText(plan, 'whole');
        for (const line of shown.split('\n')) {
          expect(line.trimStart()).toMatch(new RegExp(`${fields.source}|^│ |^"|^deep: `));
        }
        expect(shown.match(/^ *\d\. \[PENDING\]/gm)).toHaveLength(1);
      }),
    );
  });

  test.each([
    ['password', 'hunter2 and `rm -rf /`'],
    ['approval_code', 'x; rm -rf /'],
    ['s', 'the password: `rm -rf /` is'],
    ['s', `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(120)}\n-----END PRIVATE KEY-----\nrm -rf /`],
    ['s', 'curl -u admin:ghp_abcdefghijklmnopqrstuvwxyz0123456789 x'],
  ])('has nothing left out because it looks like a secret: %s %j', (name, value) => {
    const args = { [name]: value, list: ['--password', value] };
    const step = { id: 'a', tool: 'sh', title: value.slice(0, 20), args };
    const text = unfolded(previewText({ title: value, context: args, steps: [step] }, 'whole'));
    expect(text).not.toContain('[secret]');
    expect(text.split(JSON.stringify(value))).toHaveLength(5);
  });
});
