import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ActionPlan, ActionStep } from '../../src/features/actions/model/action-plan.js';
import { digestText, planDigest } from '../../src/features/actions/model/content-hash.js';
import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { numberFromText } from '../../src/kernel/json/json-value.js';
import type { JsonObject } from '../../src/kernel/json/json-value.js';
import { ACTION_PLAN_FILES } from '../support/action-plan-files.js';
import { anyActionPlan } from '../support/arbitrary-action-plans.js';

const STEP: ActionStep = { id: 'a', tool: 't', args: {} };
const digestOf = (step: Partial<ActionStep> = {}, plan: Partial<ActionPlan> = {}) =>
  planDigest({ ...plan, steps: [{ ...STEP, ...step }] }, 'frctl');
const argsDigest = (args: JsonObject) => digestOf({ args });

describe('the digest', () => {
  test('is the whole SHA-256 of its text', () => {
    const plan: ActionPlan = { steps: [STEP] };
    const text = digestText(plan, 'frctl');
    expect(text).toBe('frctl/action-plan/1\n{"steps":[{"args":{},"id":"a","references":[],"tool":"t"}]}');
    expect(planDigest(plan, 'frctl')).toBe(`frctl1:${createHash('sha256').update(text).digest('hex')}`);
  });

  test.each<[string, Partial<ActionStep>]>([
    ['an argument', { args: { x: 1 } }],
    ['the tool', { tool: 'u' }],
    ['the id, which references name', { id: 'b' }],
    ['a dependency', { depends_on: ['b'] }],
    ['a loop', { foreach: { from: 'x', item_name: 'i' } }],
    ['a limit of time', { timeout_ms: 1 }],
    ['an approval', { requires_approval: true }],
    ['a precondition', { preconditions: [{ type: 'x', args: {} }] }],
    ['a verification', { verifications: [{ type: 'x', args: {} }] }],
    ['a fallback', { on_error: { strategy: 'fallback', steps: [STEP] } }],
    ['the body of a fallback', { on_error: { strategy: 'fallback', steps: [{ ...STEP, tool: 'rm' }] } }],
    ['a nested plan', { plan: { steps: [STEP] } }],
    ['a step of a nested plan', { plan: { steps: [{ ...STEP, tool: 'rm' }] } }],
    ['attempts', { retry: { max_attempts: 2 } }],
  ])('changes with %s', (_name, step) => {
    expect(digestOf(step)).not.toBe(digestOf());
  });

  test.each<[string, Partial<ActionPlan>]>([
    ['the workspace', { workspace: '/x' }],
    ['the context', { context: { token: 'x' } }],
    ['the defaults', { defaults: { on_error: { strategy: 'skip' } } }],
    ['the preconditions', { preconditions: [{ type: 'x', args: {} }] }],
    ['the risk', { risk: 'commands' }],
  ])('changes with %s of the plan', (_name, plan) => {
    expect(digestOf({}, plan)).not.toBe(digestOf());
  });

  test('does not change with what is only shown, nor with times, names and notes', () => {
    const shown = digestOf(
      { title: 't', detail: 'd', tags: ['x'], metadata: { a: 1 }, extensions: { wa: { a: 1 } } },
      {
        id: 'i',
        title: 't',
        description: 'd',
        goal: 'g',
        created_at: '2025-01-01T00:00:00Z',
        metadata: { a: 1 },
        rationale: ['r'],
      },
    );
    expect(shown).toBe(digestOf());
  });

  test('tells numbers apart that a double does not, and what looks like them', () => {
    const digests = [
      argsDigest({ x: 1 }),
      argsDigest({ x: numberFromText('1.0') }),
      argsDigest({ x: numberFromText('18446744073709551615') }),
      argsDigest({ x: numberFromText('18446744073709551616') }),
      argsDigest({ x: { $number: '1.0' } }),
      argsDigest({ x: { $object: { $number: '1.0' } } }),
      argsDigest({ x: '1' }),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });

  test('keys are in the order of RFC 8785, whatever order they come in', () => {
    expect(argsDigest({ b: 1, a: 2 })).toBe(argsDigest({ a: 2, b: 1 }));
    expect(digestText({ steps: [{ ...STEP, args: { '～': 1, '😀': 2 } }] }, 'frctl')).toContain(
      '{"😀":2,"～":1}',
    );
  });

  test('the same string is another thing where it is a reference', () => {
    const plan: ActionPlan = { steps: [{ ...STEP, args: { x: '${HOME}' } }] };
    expect(planDigest(plan, 'frctl')).not.toBe(planDigest(plan, 'wa'));
  });

  test('two wa plans with one id have two digests', () => {
    const [a, b] = ['wa/22-collision-a', 'wa/23-collision-b'].map((name) => {
      const text = ACTION_PLAN_FILES.find((file) => file.name === name)?.text ?? '';
      return planDigest(readActionPlan(text).plan, 'wa');
    });
    expect(a).not.toBe(b);
  });

  test('any two different plans have different texts', () => {
    const decisive = (plan: ActionPlan) =>
      JSON.stringify([plan.steps.map(({ id, tool }) => [id, tool]), plan.workspace]);
    fc.assert(
      fc.property(anyActionPlan, anyActionPlan, (a, b) => {
        const differ = decisive(a) !== decisive(b);
        expect(differ && digestText(a, 'frctl') === digestText(b, 'frctl')).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});
