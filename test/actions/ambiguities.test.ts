import { describe, expect, test } from 'vitest';

import { lint } from '../../src/features/actions/lint/lint.js';
import type { Policy } from '../../src/features/actions/policy/policy.js';
import { readActionPlan } from '../../src/features/actions/model/read-action-plan.js';
import { PlanError } from '../../src/kernel/errors.js';

const PLAIN = '{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{"n":1}}]}';
const SOUL =
  '{"task_id":"t","title":"t","description":"","created_at":"2025-01-01T00:00:00Z","steps":[{"id":"a","title":"a","detail":"","tool":{"kind":{"Navigate":{"url":"https://a.example"}}}}]}';
const WA =
  '{"plan_version":1,"plan_id":"p","title":"t","workspace_id":"w","steps":[{"step_number":1,"step_id":"a","action":{"type":"send_text","pane_id":0,"text":"ls"},"description":"d","idempotent":false}]}';

/** Documents that are two plans at once, by what is twofold in them, with the pointer to it. */
const TWOFOLD: readonly (readonly [string, string, string])[] = [
  ['the steps', PLAIN.replace('"goal"', '"steps":[{"id":"b","tool":"rm","parameters":{}}],"goal"'), '/steps'],
  ['a tool', PLAIN.replace('"tool":"t"', '"tool":"rm","tool":"t"'), '/steps/0/tool'],
  ['an argument', PLAIN.replace('"n":1', '"n":5000,"n":1'), '/steps/0/parameters/n'],
  ['a key written with an escape', PLAIN.replace('"n":1', '"\\u006e":5000,"n":1'), '/steps/0/parameters/n'],
  [
    'a key deep in the arguments',
    PLAIN.replace('"n":1', '"n":[{"x":{"y":1,"y":2}}]'),
    '/steps/0/parameters/n/0/x/y',
  ],
  ['__proto__', PLAIN.replace('"n":1', '"__proto__":1,"__proto__":2'), '/steps/0/parameters/__proto__'],
  ['the empty key', PLAIN.replace('"n":1', '"":1,"":2'), '/steps/0/parameters/'],
  [
    'what only one system reads',
    `${PLAIN.slice(0, -1)},"meta":{"planner":"a","planner":"b"}}`,
    '/meta/planner',
  ],
  [
    'an argument of a browser',
    SOUL.replace('"url":', '"url":"https://b.example","url":'),
    '/steps/0/tool/kind/Navigate/url',
  ],
  [
    'a kind of a browser',
    SOUL.replace('"kind":', '"kind":{"Done":{"success":true,"text":""}},"kind":'),
    '/steps/0/tool/kind',
  ],
  ['what a plan is wrapped in', `{"plan":${SOUL},"plan":${SOUL}}`, '/plan'],
  ['text for a terminal', WA.replace('"text":"ls"', '"text":"rm -rf /","text":"ls"'), '/steps/0/action/text'],
  ['the payload of a step', PLAIN.replace('"parameters"', '"args":{"n":5000},"parameters"'), '/steps/0'],
  ['the payload, one of them null', PLAIN.replace('"parameters"', '"args":null,"parameters"'), '/steps/0'],
  [
    'the payload of an Obsidian step',
    '{"version":"1.0","goal":"g","riskLevel":"writes","steps":[{"id":"a","tool":"t","args":{},"parameters":{}}]}',
    '/steps/0',
  ],
  [
    'the payload of a frctl step',
    '{"schema_version":"1.0","steps":[{"id":"a","tool":"t","args":{},"parameters":{}}]}',
    '/steps/0',
  ],
];

describe.each(TWOFOLD)('a document in which %s is there twice', (_name, text, pointer) => {
  test('is SCHEMA_INVALID at its place, whatever the policy says', async () => {
    const policy: Policy = {
      severities: { SCHEMA_INVALID: 'off' },
      allow_suppressions: ['SCHEMA_INVALID'],
    };
    for (const said of [undefined, policy]) {
      const { clean, findings } = await lint(text, said);
      expect(clean).toBe(false);
      expect(new Set(findings.map(({ rule, severity }) => `${rule} ${severity}`))).toEqual(
        new Set(['SCHEMA_INVALID error']),
      );
      expect(findings.map((finding) => finding.pointer)).toContain(pointer);
    }
  });

  test('is read by nothing that hashes, converts or shows it', () => {
    const thrown = thrownBy(() => readActionPlan(text));
    expect(thrown?.code).toBe('INVALID_INPUT');
    expect(thrown?.details).toMatchObject({ rule: 'SCHEMA_INVALID' });
    expect(thrown?.details.problems).toContainEqual(expect.objectContaining({ pointer }));
  });
});

test('the same key in two objects is no repetition', async () => {
  const text = PLAIN.replace('"n":1', '"n":{"n":[{"n":1},{"n":2}]}');
  expect((await lint(text)).clean).toBe(true);
});

test('the place of a repetition is its second key', () => {
  const thrown = thrownBy(() => readActionPlan(PLAIN.replace('"n":1', '"n":5000,\n "n":1')));
  expect(thrown?.message).toMatch(/^line 2, column 2: the key "n" is here twice/);
});

test('what stands beside an Obsidian plan may not be twofold either', () => {
  const text = '{"version":"1.0","goal":"g","riskLevel":"writes","steps":[{"id":"a","tool":"t","args":{}}]}';
  const sidecar = '{"x-frctl":{"version":1,"plan":[]},"x-frctl":{"version":1}}';
  expect(thrownBy(() => readActionPlan(text, { sidecar }))?.message).toContain(
    'the file *.ext.json beside it cannot be read: line 1, column 36: the key "x-frctl" is here twice',
  );
});

function thrownBy(act: () => unknown): PlanError | null {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof PlanError) return thrown;
    throw thrown;
  }
  return null;
}
