import { readFileSync } from 'node:fs';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { readJsonDocument } from '../../../src/kernel/json/json-document.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { beginReading } from '../../../src/features/actions/model/reading.js';
import { waPlanHash, waPlanString } from '../../../src/features/actions/wa/wa-canonical.js';
import { waIdentity, waProblem } from '../../../src/features/actions/wa/wa-identity.js';
import { compareUtf8, plainDecimal, waJson } from '../../../src/features/actions/wa/wa-payload.js';
import { checkWaPlan } from '../../../src/features/actions/wa/wa-shapes.js';

const FOLDER = 'test/fixtures/wa';
const { cases } = z
  .object({
    cases: z.array(
      z.object({
        file: z.string(),
        plan_id: z.string(),
        plan_hash: z.string(),
        canonical: z.string(),
        validate: z.string(),
        steps: z.array(
          z.object({
            path: z.string(),
            step_id: z.string(),
            step_id_new: z.string(),
            step_id_scoped: z.string(),
          }),
        ),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(`${FOLDER}/manifest.json`, 'utf8')));

const nodeOf = (text: string) => readJsonDocument(text).root;
const payloadOf = (text: string, order: 'file' | 'sorted' = 'file') => waJson(nodeOf(text), order);

function problemsOf(text: string): readonly string[] {
  const reading = beginReading();
  checkWaPlan({ node: nodeOf(text), pointer: '' }, reading);
  return reading.problems.map(({ pointer, message }) => `${pointer}: ${message}`);
}

/** A small plan with some of its text replaced. */
function planWith(
  changes: Readonly<Record<string, unknown>>,
  step: Readonly<Record<string, unknown>> = {},
): string {
  const action = { type: 'send_text', pane_id: 0, text: 'x' };
  const first = { step_number: 1, step_id: 'a', action, description: 'd', idempotent: false, ...step };
  return JSON.stringify({
    plan_version: 1,
    plan_id: 'plan:x',
    title: 'T',
    workspace_id: 'w',
    steps: [first],
    ...changes,
  });
}

describe.each(cases)('$file', ({ file, plan_id, plan_hash, canonical, steps, validate }) => {
  const root = nodeOf(readFileSync(`${FOLDER}/${file}`, 'utf8'));
  const identity = waIdentity(root);

  test('has the canonical string, the hash and the id that wa gives it', () => {
    expect(identity.canonical).toBe(canonical);
    expect(identity).toMatchObject({ plan_hash, plan_id, stated: plan_id, holds: 'file' });
  });

  test('has the step ids that wa gives it, in both forms', () => {
    const made = identity.steps.map(({ path, step_id, plain, scoped, form, holds }) => ({
      path,
      step_id,
      plain,
      scoped,
      form,
      holds,
    }));
    const expected = steps.map((step) => ({
      path: step.path,
      step_id: step.step_id,
      plain: step.step_id_new,
      scoped: step.step_id_scoped,
      form: 'plain',
      holds: 'file',
    }));
    expect(new Set(made)).toEqual(new Set(expected));
    expect(identity.problem).toBe(validate === 'ok' ? null : validate);
  });
});

test('there are vectors', () => {
  expect(cases.length).toBeGreaterThan(7);
});

test('two plans can have one id, which is why it never authorises alone', () => {
  const [a, b] = ['22-collision-a', '23-collision-b'].map((name) =>
    waPlanHash(nodeOf(readFileSync(`${FOLDER}/${name}.json`, 'utf8')), 'file'),
  );
  expect(a).toBe(b);
});

test('a plan of a newer version is refused', () => {
  expect(() => readActionPlan(readFileSync(`${FOLDER}/28-version-99.json`, 'utf8'))).toThrow(
    'plan_version is 99',
  );
});

describe('payloads', () => {
  test.each([
    ['{"b":1,"a":[1.0,-0,0.0,1e3,1.50]}', '{"b":1,"a":[1.0,-0.0,0.0,1000.0,1.5]}'],
    ['[18446744073709551615,-9223372036854775808]', '[18446744073709551615,-9223372036854775808]'],
    ['[18446744073709551616,-9223372036854775809]', '[1.8446744073709552e+19,-9.223372036854776e+18]'],
    [
      '[0.00001,0.000009,1e-7,9999999999999998.0,1e16,1.5e300]',
      '[0.00001,9e-6,1e-7,9999999999999998.0,1e+16,1.5e+300]',
    ],
    [
      '"\\u0001\\u001F\\b\\f\\n\\r\\t\\"\\\\\\/é\u007f\u2028"',
      '"\\u0001\\u001f\\b\\f\\n\\r\\t\\"\\\\/é\u007f\u2028"',
    ],
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ['{ }', '{}'],
    ['[ true , null , false ]', '[true,null,false]'],
  ])('%s prints as %s', (text, expected) => {
    expect(payloadOf(text)).toBe(expected);
  });

  test('sorted keys are in the order of their UTF-8 bytes, an emoji after U+FF5E', () => {
    expect(payloadOf('{"😀":1,"～":2,"é":3,"b":4,"a":{"z":1,"y":2}}', 'sorted')).toBe(
      '{"a":{"y":2,"z":1},"b":4,"é":3,"～":2,"😀":1}',
    );
    expect(['😀', '～', 'a', 'ab', ''].toSorted(compareUtf8)).toEqual(['', 'a', 'ab', '～', '😀']);
  });

  test('texts are compared as their bytes are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test.each([
    [2, '2'],
    [1e-7, '0.0000001'],
    [-0, '-0'],
    [1e21, '1000000000000000000000'],
    [-1.5, '-1.5'],
    [123_456_789.125, '123456789.125'],
    [5e-324, `0.${'0'.repeat(323)}5`],
  ])('the multiplier %d prints as %s', (value, text) => {
    expect(plainDecimal(value)).toBe(text);
  });

  test('a multiplier in plain decimal is the double it was', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Number(plainDecimal(value))).toBe(value);
        expect(plainDecimal(value)).not.toMatch(/e|\.$|\.0$/);
      }),
    );
  });
});

describe('ids', () => {
  test('preconditions are sorted by UTF-8 bytes, and those that come twice are kept', () => {
    const preconditions = ['😀', '～', '😀'].map((name) => ({ type: 'lock_held', lock_name: name }));
    expect(waPlanString(nodeOf(planWith({ preconditions })), 'file')).toContain(
      '|precond[0]=lock_held:～|precond[1]=lock_held:😀|precond[2]=lock_held:😀',
    );
  });

  test('an id that needs sorted keys is recognised as one', () => {
    const action = { type: 'custom', action_type: 't', payload: { b: 1, a: 2 } };
    const unsorted = planWith({}, { action });
    const id = waPlanHash(nodeOf(unsorted), 'sorted').replace('sha256:', 'plan:');
    const identity = waIdentity(nodeOf(unsorted.replace('plan:x', id)));
    expect(identity).toMatchObject({ holds: 'sorted', plan_id: id });
    expect(identity.canonical).toContain('payload={"a":2,"b":1}');
  });

  test('a scoped id, and one the author chose, are told apart', () => {
    const scoped = waIdentity(nodeOf(planWith({}))).steps[0]?.scoped ?? '';
    expect(waIdentity(nodeOf(planWith({}, { step_id: scoped }))).steps[0]).toMatchObject({
      form: 'scoped',
      holds: 'file',
    });
    expect(waIdentity(nodeOf(planWith({}))).steps[0]).toMatchObject({ form: null, holds: 'no' });
    expect(waIdentity(nodeOf(planWith({})))).toMatchObject({ stated: 'plan:x', holds: 'no' });
  });

  test('steps of fallbacks have ids, and enter the string by them alone', () => {
    const inner = {
      step_number: 1,
      step_id: 'fb',
      action: { type: 'release_lock', lock_name: 'l' },
      description: '',
      idempotent: false,
    };
    const plan = nodeOf(
      planWith(
        { on_failure: { strategy: 'fallback', steps: [inner] } },
        { on_failure: { strategy: 'fallback', steps: [inner, { ...inner, step_id: 'fc' }] } },
      ),
    );
    const { canonical, steps } = waIdentity(plan);
    expect(canonical).toContain('on_failure=fallback:fb,fc|on_failure=fallback:fb');
    expect(steps.map(({ path }) => path)).toEqual([
      'steps[0]',
      'steps[0].on_failure.steps[0]',
      'steps[0].on_failure.steps[1]',
      'on_failure.steps[0]',
    ]);
    expect(steps[1]?.plain).not.toBe(steps[0]?.plain);
  });

  test('the extremes of u64 and i64 enter as they are', () => {
    const text = planWith({}, { timeout_ms: 1 }).replace(
      '"timeout_ms":1',
      '"timeout_ms":18446744073709551615',
    );
    expect(waPlanString(nodeOf(text), 'file')).toContain('timeout=18446744073709551615');
    expect(problemsOf(text)).toEqual([]);
    expect(problemsOf(text.replace('615', '616'))).toEqual(
      ['/steps/0: timeout_ms must be an integer (u64)'].map((one) =>
        one.replace('/steps/0:', '/steps/0/timeout_ms:'),
      ),
    );
  });
});

describe('validation', () => {
  const step = (number: number, id: string) => ({
    step_number: number,
    step_id: id,
    action: { type: 'release_lock', lock_name: 'l' },
    description: '',
    idempotent: false,
  });
  const completed = (id: string) => ({ type: 'step_completed', step_id: id });

  test.each([
    ['Invalid step number: expected 2, got 3', [step(1, 'a'), step(3, 'a')], []],
    ['Duplicate step ID: a', [step(1, 'a'), step(2, 'a')], [completed('b')]],
    ['Unknown step reference: b', [step(1, 'a')], [completed('a'), completed('b')]],
    [null, [step(1, 'a'), step(2, 'b')], [completed('b')]],
    [null, [], []],
  ])('%s', (message, steps, preconditions) => {
    expect(waProblem(nodeOf(planWith({ steps, preconditions })))).toBe(message);
  });

  test('a step_completed of a step may name any step', () => {
    expect(waProblem(nodeOf(planWith({}, { preconditions: [completed('nowhere')] })))).toBeNull();
  });
});

describe('reading', () => {
  test.each<[string, string, string]>([
    ['a title that is missing', planWith({ title: undefined }), ': title is missing'],
    [
      'an action that wa does not know',
      planWith({}, { action: { type: 'dance' } }),
      '/steps/0/action/type: "dance" is none of',
    ],
    [
      'a pane_id with a point',
      planWith({}).replace('"pane_id":0', '"pane_id":0.0'),
      '/steps/0/action/pane_id: pane_id must be an integer (u64)',
    ],
    ['a pane_id below 0', planWith({}).replace('"pane_id":0', '"pane_id":-1'), 'must be an integer (u64)'],
    [
      'idempotent that is missing',
      planWith({}, { idempotent: undefined }),
      '/steps/0: idempotent is missing',
    ],
    [
      'a strategy as a word',
      planWith({}, { verification: { strategy: 'none' } }),
      '/steps/0/verification/strategy: this must be an object',
    ],
    [
      'an on_failure it does not know',
      planWith({ on_failure: { strategy: 'pray' } }),
      '"pray" is none of abort',
    ],
    [
      'a payload that is missing',
      planWith({}, { action: { type: 'custom', action_type: 't' } }),
      'payload is missing',
    ],
    [
      'half of a surrogate pair',
      planWith({ title: '\ud800' }),
      '/title: title must be a string without halves',
    ],
    [
      'a number that no double holds',
      planWith({}, { action: { type: 'store_data', key: 'k', value: 0 } }).replace(
        '"value":0',
        '"value":1e999',
      ),
      'a double can hold',
    ],
    [
      'a nested plan that is broken',
      planWith({}, { action: { type: 'nested_plan', plan: {} } }),
      '/steps/0/action/plan: plan_version is missing',
    ],
  ])('says what is wrong: %s', (_name, text, problem) => {
    expect(problemsOf(text).join('\n')).toContain(problem);
  });

  test('null is a payload, and otherwise the same as nothing', () => {
    expect(
      problemsOf(planWith({ on_failure: null }, { action: { type: 'store_data', key: 'k', value: null } })),
    ).toEqual([]);
    expect(problemsOf(planWith({ title: null }))).toEqual([': title is missing']);
  });
});
