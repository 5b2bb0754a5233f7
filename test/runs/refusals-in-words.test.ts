import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { mismatchInWords } from '../../src/features/actions/tools/mismatch-in-words.js';
import { conditionInWords } from '../../src/features/runs/executor/condition-in-words.js';
import type { JsonObject, JsonValue } from '../../src/kernel/json/json-value.js';
import { PlanError } from '../../src/kernel/errors.js';
import { tellError } from '../../src/cli/render/parts/error.js';
import { carryOut, newPlace } from '../support/approving.js';

describe('what a value is not, by a schema, is said with what is there', () => {
  const holding = (schema: JsonObject): JsonObject => ({
    properties: { json: { properties: { holds: schema } } },
  });
  test.each<[JsonObject, JsonValue, string]>([
    [holding({ const: true }), { json: { holds: false } }, 'json.holds is false, and must be true'],
    [
      holding({ enum: ['a', 'b'] }),
      { json: { holds: 'c' } },
      'json.holds is "c", and must be one of ["a","b"]',
    ],
    [holding({ type: 'number' }), { json: { holds: 'c' } }, 'json.holds is "c", and must be number'],
    [holding({ minimum: 3 }), { json: { holds: 2 } }, 'json.holds is 2, and must be >= 3'],
    [{ required: ['json'] }, { text: 'x' }, 'the output has no member "json"; seen: {"text":"x"}'],
    [
      { properties: { json: { additionalProperties: false } } },
      { json: { more: 1 } },
      'json has the member "more", which is not expected; seen: {"more":1}',
    ],
    [
      { type: 'string', pattern: '/blog$' },
      'https://a.example/docs',
      'the output is "https://a.example/docs", and must match pattern "/blog$"',
    ],
    [{ items: { const: 1 } }, [1, 2], '1 is 2, and must be 1'],
  ])('%j of %j', (schema, value, words) => {
    expect(mismatchInWords(schema, value)).toBe(words);
  });

  test('and nothing of a value that is as it should be; of a long one its beginning', () => {
    expect(mismatchInWords({ const: 1 }, 1)).toBeNull();
    const words = mismatchInWords({ const: 1 }, 'x'.repeat(1_000_000)) ?? '';
    expect(words.length).toBeLessThan(300);
  });
});

const PRINTS = { run: { command: ['cat', 'state.json'], output: 'json' }, effects: 'none' };
const CHECKS = {
  'wa:custom': {
    tool: 'state',
    args: {},
    expect: {
      properties: { json: { properties: { holds: { const: true } }, required: ['holds'] } },
      required: ['json'],
    },
  },
};
const CUSTOM = { type: 'wa:custom', args: { name: 'tests pass', expression: 'status == green' } };

async function placed(more: object, step: object = {}) {
  const plan = {
    schema_version: '1.0',
    title: 'Try',
    steps: [{ id: 'a', tool: 'state', args: {}, ...step }],
    ...more,
  };
  const place = await newPlace(
    plan,
    JSON.stringify({ tools: [{ name: 'state', ...PRINTS }], checks: CHECKS }),
  );
  writeFileSync(join(place.folder, 'state.json'), '{"holds":false}');
  const { run } = await place.workspace.prepare('plan.json', {});
  return { place, run };
}

const NAMED =
  /wa:custom \(name "tests pass", expression "status == green"\) does not hold: json\.holds is false, and must be true/;

describe('a condition that does not hold is named, with what was seen', () => {
  test('of the plan', async () => {
    const { place, run } = await placed({ preconditions: [CUSTOM] });
    const refused = carryOut(place.workspace, run);
    await expect(refused).rejects.toMatchObject({
      code: 'E_PLAN_PRECONDITION_FAILED',
      message: expect.stringMatching(NAMED),
    });
    await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining('/json/holds') });
  });

  test.each([
    ['preconditions', 'PRECONDITION_FAILED'],
    ['verifications', 'VERIFICATION_FAILED'],
  ])('of a step, under %s', async (part, code) => {
    const { place, run } = await placed({}, { [part]: [CUSTOM] });
    expect(await carryOut(place.workspace, run)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(NAMED),
    });
    const { steps } = await place.workspace.runs.show(run);
    expect(steps[0]?.error?.code).toBe(code);
  });

  test('without the secrets of its arguments, and not at any length', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const words = conditionInWords('t', { token: secret, text: 'x'.repeat(100_000), list: [1] });
    expect(words).not.toContain(secret);
    expect(words).toMatch(/^t \(token "\[secret\]", text "xxx/);
    expect(words.length).toBeLessThan(200);
  });
});

describe('a tool that is not the one that was approved', () => {
  const TOOL = { name: 'does', effects: 'none', run: { command: [process.execPath, 'does.cjs'] } };
  const CHECKING = { tools: [TOOL], checks: { ok: { tool: 'does', args: {}, expect: true } } };

  /** Prepares a run, changes its tools file or a script, and gives what the refusal says. */
  async function refusal(change: (file: typeof CHECKING) => object, script?: string): Promise<string> {
    const plan = {
      schema_version: '1.0',
      title: 'Try',
      steps: [{ id: 'a', tool: 'does', args: {} }],
      preconditions: [{ type: 'ok', args: {} }],
    };
    const place = await newPlace(plan, JSON.stringify(CHECKING));
    writeFileSync(join(place.folder, 'does.cjs'), '');
    writeFileSync(join(place.folder, 'other.cjs'), '');
    const { run } = await place.workspace.prepare('plan.json', {});
    writeFileSync(join(place.folder, '.plans/tools.yaml'), JSON.stringify(change(structuredClone(CHECKING))));
    if (script !== undefined) writeFileSync(join(place.folder, 'does.cjs'), script);
    const { digest } = await place.workspace.tools.trust({});
    await place.workspace.tools.trust({ digest });
    const thrown: unknown = await carryOut(place.workspace, run).catch((cause: unknown) => cause);
    expect(thrown).toMatchObject({ code: 'E_TOOL_CHANGED' });
    return (thrown as Error).message;
  }
  const tool = (file: typeof CHECKING, more: object) => ({ ...file, tools: [{ ...TOOL, ...more }] });

  test('says that its effects are others, and blames no script', async () => {
    const message = await refusal((file) => tool(file, { effects: 'once' }));
    expect(message).toContain(
      'the tool does is not the one that was approved: its effects were none, and are once now',
    );
    expect(message).not.toContain('does.cjs');
  });

  test.each<[string, (file: typeof CHECKING) => object, string]>([
    [
      'description',
      (file) => tool(file, { description: 'Does it.' }),
      'its description, its annotations or the schema',
    ],
    [
      'time',
      (file) => tool(file, { run: { ...TOOL.run, timeout_ms: 5 } }),
      'its binding has other timeout_ms',
    ],
    [
      'command and environment',
      (file) => tool(file, { run: { command: [process.execPath, 'other.cjs'], env: { A: 'b' } } }),
      'its binding has other command, env',
    ],
    [
      'condition',
      (file) => ({ ...file, checks: { ok: { tool: 'does', args: {}, expect: { type: 'string' } } } }),
      'the condition ok is not the one that was approved: its binding has other check.expect',
    ],
  ])('says that its %s is another', async (_what, change, words) => {
    const message = await refusal(change);
    expect(message).toContain(words);
    expect(message).not.toContain('changed since it was prepared: does.cjs');
  });

  test('names the script that holds something else', async () => {
    expect(await refusal((file) => file, 'evil')).toContain(
      'files that the command line of does names have changed since it was prepared: does.cjs',
    );
  });
});

describe('a step of wa that gives the code of an approval', () => {
  const wa = {
    plan_version: 1,
    plan_id: 'plan:x',
    title: 'Approve',
    workspace_id: '',
    steps: [
      {
        step_number: 1,
        step_id: 's',
        description: 'gives the code',
        idempotent: false,
        action: { type: 'validate_approval', approval_code: 'ABCD1234' },
      },
    ],
  };
  test.each([
    ['unbound', 'tools: [{ name: t, run: { file: read } }]'],
    ['bound', "tools: [{ name: 'wa:validate_approval', run: { command: ['true'] } }]"],
  ])('is refused with what to do about it, which is not to bind it: %s', async (_how, tools) => {
    const place = await newPlace(wa, tools);
    const refused = place.workspace.prepare('plan.json', {});
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('`plan approve`'),
      hint: expect.stringMatching(/Remove the step; no binding carries it out/),
      details: { rule: 'CODE_IN_PLAN' },
    });
    await expect(refused).rejects.toMatchObject({ hint: expect.not.stringMatching(/bind it/) });
  });
});

test('each secret of a plan that is refused is told with its step and its place', async () => {
  const secret = 'AKIAABCDEFGHIJKLMNOP';
  const step = { id: 'n', tool: 'note', args: { path: 'a.md', text: secret } };
  const place = await newPlace({ schema_version: '1.0', goal: secret, steps: [step] });
  const refused = await place.workspace.prepare('plan.json', {}).catch((thrown: unknown) => thrown);
  if (!(refused instanceof PlanError)) throw refused;
  const told: string[] = [];
  tellError(refused, { tell: (text) => void told.push(text) });
  expect(told[0]).toMatch(/^this plan cannot be run: \/goal: a raw secret/);
  expect(told[1]).toMatch(/^ {2}- \/goal a raw secret/);
  expect(told[2]).toMatch(/^ {2}- n: \/steps\/0\/args\/text a raw secret/);
});

test('a problem without a place in the document is told with its step', () => {
  const told: string[] = [];
  const problems = ['a', 'b'].map((name) => ({ step: name, message: 'is wrong' }));
  tellError(new PlanError('INVALID_INPUT', 'no', { details: { problems } }), {
    tell: (text) => void told.push(text),
  });
  expect(told.slice(1)).toEqual(['  - a: is wrong', '  - b: is wrong']);
});
