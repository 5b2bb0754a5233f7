import { describe, expect, test } from 'vitest';

import { actionPlanSchema, everyStep } from '../../src/features/actions/model/action-plan.js';
import type { ActionPlan } from '../../src/features/actions/model/action-plan.js';
import { textOfJson } from '../../src/kernel/json/json-text.js';
import { examineActionPlan, readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { resolveDefaults } from '../../src/features/actions/model/resolve-defaults.js';
import { riskOf } from '../../src/features/actions/model/risk.js';

const STEP = { id: 'a', tool: 'file.read', args: { path: 'x' } };

describe('the model', () => {
  test.each([
    ['a field there is none of', { steps: [{ ...STEP, retries: 3 }] }],
    ['no step', { steps: [] }],
    ['a step without a tool', { steps: [{ id: 'a', args: {} }] }],
    ['a field that is null', { steps: [STEP], title: null }],
    ['an argument that is no JSON', { steps: [{ ...STEP, args: { f: () => 1 } }] }],
    ['arguments as a list', { steps: [{ ...STEP, args: [] }] }],
    ['a strategy there is none of', { steps: [{ ...STEP, on_error: { strategy: 'pray' } }] }],
    [
      'a fallback with a broken step',
      { steps: [{ ...STEP, on_error: { strategy: 'fallback', steps: [{}] } }] },
    ],
    ['a nested plan without steps', { steps: [{ ...STEP, plan: { steps: [] } }] }],
  ])('refuses %s', (_name, plan) => {
    expect(actionPlanSchema.safeParse(plan).success).toBe(false);
  });

  test('keeps arguments as they are, __proto__ included', () => {
    const args: unknown = JSON.parse('{"__proto__":{"x":1},"10":1,"a":null}');
    const plan = actionPlanSchema.parse({ steps: [{ ...STEP, args }] });
    expect(JSON.stringify(plan.steps[0]?.args)).toBe('{"10":1,"__proto__":{"x":1},"a":null}');
  });

  test('gives every step with its place: fallbacks and nested plans too', () => {
    const plan: ActionPlan = {
      steps: [
        { ...STEP, on_error: { strategy: 'fallback', steps: [{ ...STEP, id: 'b' }] } },
        { ...STEP, id: 'c', plan: { steps: [{ ...STEP, id: 'd' }] } },
      ],
      defaults: { on_error: { strategy: 'fallback', steps: [{ ...STEP, id: 'e' }] } },
    };
    expect([...everyStep(plan)].map(({ step, pointer }) => [step.id, pointer])).toEqual([
      ['a', '/steps/0'],
      ['b', '/steps/0/on_error/steps/0'],
      ['c', '/steps/1'],
      ['d', '/steps/1/plan/steps/0'],
      ['e', '/defaults/on_error/steps/0'],
    ]);
  });
});

describe('defaults', () => {
  test('a step says it itself, else the plan, else the built-in default holds', () => {
    const plan: ActionPlan = {
      defaults: { on_error: { strategy: 'skip' }, retry: { max_attempts: 4, initial_delay_ms: 10 } },
      steps: [STEP, { ...STEP, id: 'b', on_error: { strategy: 'stop' }, retry: { max_attempts: 0 } }],
    };
    const [first, second] = resolveDefaults(plan).steps;
    expect(first).toMatchObject({
      on_error: { strategy: 'skip' },
      retry: { max_attempts: 4, initial_delay_ms: 10, max_delay_ms: 600_000, multiplier: 1, jitter: true },
      requires_approval: false,
      depends_on: [],
      wait: 'none',
    });
    expect(second).toMatchObject({ on_error: { strategy: 'stop' }, retry: { max_attempts: 1 } });
  });

  test('who asks for another attempt without a number gets three', () => {
    const [step] = resolveDefaults({ steps: [{ ...STEP, on_error: { strategy: 'retry' } }] }).steps;
    expect(step?.retry.max_attempts).toBe(3);
  });

  test.each([
    ['file.read', 'read-only'],
    ['db.query_ro', 'read-only'],
    ['db.query', 'writes'],
    ['searchVault', 'read-only'],
    ['search_and_replace', 'writes'],
    ['createNote', 'writes'],
    ['run_command', 'commands'],
    ['wa:send_text', 'commands'],
    ['soul:Navigate', 'read-only'],
    ['frobnicate', 'writes'],
  ])('the risk of %s is %s', (tool, risk) => {
    expect(riskOf({ steps: [{ ...STEP, tool }] })).toBe(risk);
  });
});

describe('reading frctl’s own form', () => {
  const text = `{
  "schema_version": "1.0",
  "goal": "Read a file",
  "steps": [
    { "id": "a", "tool": "file.read", "args": { "path": "x", "limit": 1.0 }, "capture_as": "text" }
  ]
}
`;

  test('finds it by its shape and points into the document', () => {
    const read = readActionPlan(text);
    expect(read).toMatchObject({ dialect: 'frctl', variant: null, body: '', deviations: [] });
    expect(read.plan.steps[0]?.capture_as).toBe('text');
    expect(textOfJson(read.plan.steps[0]?.args ?? {})).toBe('{"path":"x","limit":1.0}');
    expect(read.positionOf('/steps/0/args/limit')).toEqual({ line: 5, column: 71 });
    expect(read.positionOf('/steps/0/timeout_ms')).toEqual(read.positionOf('/steps/0'));
  });

  test('names the place of each problem', () => {
    const broken = text.replace('"file.read"', '7').replace('"goal"', '"gaol"');
    expect(() => readActionPlan(broken)).toThrow(/^line \d+, column \d+: .*and 1 more$/);
    const examined = examineActionPlan(broken);
    expect(examined.plan).toBeNull();
    expect('problems' in examined && examined.problems.map(({ pointer, line }) => [pointer, line])).toEqual([
      ['/steps/0/tool', 5],
      ['', 1],
    ]);
  });

  test.each(['[]', '{}', '{"steps": 3}', '"x"', 'null'])('%s is no action plan', (other) => {
    expect(() => readActionPlan(other)).toThrow('this does not look like an action plan');
  });
});
