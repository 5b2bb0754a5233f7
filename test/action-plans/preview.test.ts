import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { previewText } from '../../src/action-plans/preview.js';
import type { PreviewDetail } from '../../src/action-plans/preview.js';
import { readActionPlan } from '../../src/action-plans/read-action-plan.js';
import { printable } from '../../src/kernel/text/safe-text.js';
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
        expect(printable(text)).toBe(text);
        const calm = JSON.parse(JSON.stringify(plan).replaceAll(/\\[nr]|\\u0085/g, ' ')) as typeof plan;
        expect(text.split('\n')).toHaveLength(previewText(calm, detail).split('\n').length);
      },
    ),
  );
});
