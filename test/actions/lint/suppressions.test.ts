import { describe, expect, test } from 'vitest';

import { baselineOf, siftFindings } from '../../../src/features/actions/lint/baseline.js';
import { checkPlan } from '../../../src/features/actions/lint/check-plan.js';
import { judgePlan } from '../../../src/features/actions/lint/judge-plan.js';
import { lint } from '../../../src/features/actions/lint/lint.js';
import type { Policy } from '../../../src/features/actions/policy/policy.js';
import { preparePolicy } from '../../../src/features/actions/policy/prepared-policy.js';
import { foundBy, planOf } from '../../support/lint.js';

const suppress = (rule: string) => ({ 'x-frctl-suppress': [{ rule, reason: 'trust me' }] });
const TOOLS: Policy = { allow_tools: ['note.*'] };

/** A plan that breaks TOOL_DENY under {@link TOOLS} and asks for that to be passed over, in every way there is. */
const ASKING: readonly (readonly [string, object])[] = [
  ['in the step', planOf({ tool: 'shell.run', ...suppress('TOOL_DENY') })],
  ['in the plan', { ...planOf({ tool: 'shell.run' }), ...suppress('TOOL_DENY') }],
  ['in the meta', { ...planOf({ tool: 'shell.run' }), meta: suppress('TOOL_DENY') }],
  ['in the name of the rule in lower case', planOf({ tool: 'shell.run', ...suppress('tool_deny') })],
  [
    'in an assumption',
    {
      version: '1.0',
      goal: 'g',
      riskLevel: 'commands',
      assumptions: ['frctl-suppress TOOL_DENY: x'],
      steps: [{ id: 'a', tool: 'shell.run', args: {} }],
    },
  ],
  [
    'in a tag',
    {
      version: '1.0',
      goal: 'g',
      riskLevel: 'commands',
      steps: [{ id: 'a', tool: 'shell.run', args: {}, tags: ['frctl-suppress TOOL_DENY: x'] }],
    },
  ],
  [
    'in the metadata of a step of a fallback',
    {
      schema_version: '1.0',
      steps: [
        {
          id: 'a',
          tool: 'note.write',
          args: {},
          on_error: {
            strategy: 'fallback',
            steps: [{ id: 'b', tool: 'shell.run', args: {}, metadata: suppress('TOOL_DENY') }],
          },
        },
      ],
    },
  ],
];

describe.each(ASKING)('a plan that suppresses its own error %s', (_name, plan) => {
  test('fails under the policy, and is told that it does not count', async () => {
    const { clean, findings, suppressed } = await lint(plan, TOOLS);
    expect([clean, suppressed]).toEqual([false, []]);
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'TOOL_DENY', severity: 'error' }));
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'SUPPRESSION_INVALID',
        severity: 'warning',
        message: expect.stringContaining('does not count'),
      }),
    );
  });

  test('passes where the policy allows it by name', async () => {
    const { clean, findings, suppressed, risk } = await lint(plan, {
      ...TOOLS,
      allow_suppressions: ['TOOL_DENY'],
    });
    expect([clean, findings, risk.score]).toEqual([true, [], 0]);
    expect(suppressed).toEqual([expect.objectContaining({ rule: 'TOOL_DENY', weighs: false })]);
  });

  test('fails where the policy allows another rule', async () => {
    expect(await foundBy('TOOL_DENY', plan, { ...TOOLS, allow_suppressions: ['SQL_WRITE'] })).toEqual([
      'error',
    ]);
  });

  test('never passes where the verdict decides, whatever the policy allows', () => {
    for (const more of [{ allow_suppressions: ['TOOL_DENY'] }, { severities: { TOOL_DENY: 'warning' } }]) {
      const policy = preparePolicy({ ...TOOLS, ...more } as Policy, { file: null });
      const { findings, suppressed } = judgePlan(JSON.stringify(plan), policy);
      expect(findings.map(({ rule }) => rule)).toContain('TOOL_DENY');
      expect(suppressed).toEqual([]);
    }
  });
});

describe('what a policy does not make an error', () => {
  const plan = planOf({ tool: 'shell.run', ...suppress('TOOL_DENY') });
  const mild: Policy = { ...TOOLS, severities: { TOOL_DENY: 'warning' } };

  test('a plan may suppress, there alone', async () => {
    const two = planOf({ tool: 'shell.run', ...suppress('TOOL_DENY') }, { tool: 'shell.run' });
    const { findings, suppressed } = await lint(two, mild);
    expect(findings.map(({ step }) => step)).toEqual(['s2']);
    expect(suppressed).toEqual([
      expect.objectContaining({ step: 's1', reason: 'trust me', weighs: true, severity: 'warning' }),
    ]);
  });

  test('weighs as before, so that a plan does not set its own risk', async () => {
    const { clean, findings, risk } = await lint(plan, { ...mild, risk_weights: { TOOL_DENY: 0.9 } });
    expect([clean, findings, risk.score, risk.reached]).toEqual([false, [], 0.9, true]);
  });

  test('a rule made graver by the policy is an error like any other', async () => {
    const captured = {
      version: '1.0',
      goal: 'g',
      riskLevel: 'writes',
      steps: [{ id: 'a', tool: 't', args: {}, captureAs: 'x', tags: ['frctl-suppress UNUSED_OUTPUT: x'] }],
    };
    expect((await lint(captured)).clean).toBe(true);
    expect(await foundBy('UNUSED_OUTPUT', captured, { severities: { UNUSED_OUTPUT: 'error' } })).toEqual([
      'error',
    ]);
  });
});

test('what may never be suppressed is none of what a policy can allow', async () => {
  for (const rule of ['POLICY_INVALID', 'SUPPRESSION_INVALID', 'NONE'])
    await expect(lint(planOf({}), `allow_suppressions: [${rule}]`)).rejects.toMatchObject({
      code: 'POLICY_INVALID',
    });
});

test('a baseline puts up with what was found, and not with more of it', () => {
  const policy = preparePolicy({ bounds: { 'pay.amount': [0, 10] } }, { file: null });
  const found = (amount: number, lines = '') =>
    checkPlan(
      `${lines}{"goal":"g","steps":[{"id":"a","tool":"pay","parameters":{"amount":${amount}}}]}`,
      policy,
    ).findings;
  const baseline = baselineOf([{ file: 'a.json', findings: found(11) }]);
  expect(siftFindings(baseline, 'a.json', found(11, '\n\n')).fresh).toEqual([]);
  expect(siftFindings(baseline, 'a.json', found(5000)).fresh).toHaveLength(1);
});
