import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import type { ActionPlan, ActionStep } from '../../../src/features/actions/model/action-plan.js';
import { convertActionPlan } from '../../../src/features/actions/convert/convert-action-plan.js';
import { writeActionPlan } from '../../../src/features/actions/convert/write-action-plan.js';
import { planDigest } from '../../../src/features/actions/model/content-hash.js';
import { lint } from '../../../src/features/actions/lint/lint.js';
import { examineActionPlan, readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';

const LOCATOR = { Css: 'a' };

/** A plan of one step, which SoulBrowser reads, with other members. */
function planWith(tool: object, step: object = {}, plan: object = {}): string {
  return JSON.stringify({
    task_id: 't',
    title: 'T',
    description: '',
    created_at: '2025-01-01T00:00:00Z',
    meta: { rationale: [], risk_assessment: [], vendor_context: {} },
    steps: [
      {
        id: 's',
        title: 'S',
        detail: '',
        tool: { kind: { Click: { locator: LOCATOR } }, wait: 'DomReady', ...tool },
        validations: [],
        requires_approval: false,
        metadata: {},
        ...step,
      },
    ],
    ...plan,
  });
}
const kind = (body: unknown) => planWith({ kind: body });
const waiting = (wait?: unknown) => planWith({ wait });
const digestOf = (text: string) => planDigest(readActionPlan(text).plan, 'soulbrowser');

describe('what is waited for after a step', () => {
  test('is DomReady where nothing is said: the same plan, with the same digest', () => {
    expect(readActionPlan(waiting()).plan.steps[0]?.wait).toBe('dom_ready');
    for (const same of ['DomReady', 'dom_ready', { DomReady: null }])
      expect(digestOf(waiting(same))).toBe(digestOf(waiting()));
  });

  test.each(['None', 'none', 'Idle', 'idle', { None: null }])('is another plan where it is %j', (wait) => {
    expect(digestOf(waiting(wait))).not.toBe(digestOf(waiting()));
  });

  test('is said in other dialects, or is a loss', () => {
    const read = readActionPlan(waiting());
    expect(convertActionPlan(read, 'frctl').text).toContain('"wait": "dom_ready"');
    expect(convertActionPlan(read, 'plan-lint').losses.map(({ what }) => what)).toContain('wait');
    expect(convertActionPlan(readActionPlan(waiting('None')), 'plan-lint').losses).toEqual([]);
  });

  test('goes there and back as it was written', () => {
    for (const text of [waiting(), waiting('None'), waiting('idle')]) {
      const there = convertActionPlan(readActionPlan(text), 'frctl').text;
      expect(convertActionPlan(readActionPlan(there), 'soulbrowser').text).toBe(text);
    }
  });
});

describe('a plan that SoulBrowser would not read', () => {
  test.each<[string, string, string]>([
    ['an unknown kind', kind({ Hover: { locator: LOCATOR } }), '/steps/0/tool/kind: kind "Hover" is none of'],
    ['a kind in lower case', kind({ click: { locator: LOCATOR } }), '/steps/0/tool/kind: kind "click"'],
    ['no kind', planWith({ kind: undefined }), '/steps/0/tool: kind is missing'],
    ['two kinds', kind({ Click: { locator: LOCATOR }, Done: {} }), '/steps/0/tool/kind: kind must be'],
    ['a kind without its body', kind('Click'), '/steps/0/tool/kind: Click must hold a value'],
    [
      'a body that is not an object',
      kind({ Click: 'a' }),
      '/steps/0/tool/kind/Click: Click must be an object',
    ],
    ['no locator', kind({ Click: {} }), '/steps/0/tool/kind/Click: locator is missing'],
    ['a locator as text', kind({ Click: { locator: '#a' } }), '/locator: locator "#a" is none of'],
    [
      'an unknown locator',
      kind({ Click: { locator: { XPath: '/' } } }),
      'locator "XPath" is none of Css, Aria',
    ],
    ['half of a locator', kind({ Click: { locator: { Aria: { role: 'x' } } } }), '/Aria: name is missing'],
    ['url: 5', kind({ Navigate: { url: 5 } }), '/steps/0/tool/kind/Navigate/url: url must be a string'],
    ['typing without submit', kind({ TypeText: { locator: LOCATOR, text: 'a' } }), 'submit is missing'],
    ['a scroll to nowhere', kind({ Scroll: { target: 'Middle' } }), 'target "Middle" is none of Top, Bottom'],
    [
      'too many pixels',
      kind({ Scroll: { target: { Pixels: 2147483648 } } }),
      'Pixels must be a whole number',
    ],
    [
      'a condition there is none of',
      kind({ Wait: { condition: { Moon: 1 } } }),
      'condition "Moon" is none of',
    ],
    ['a duration with a point', kind({ Wait: { condition: { Duration: 1.5 } } }), 'Duration must be a whole'],
    [
      'a negative duration',
      kind({ Wait: { condition: { Duration: -1 } } }),
      'Duration must be a whole number',
    ],
    ['a custom tool without a payload', kind({ Custom: { name: 'x' } }), '/Custom: payload is missing'],
    ['another wait', waiting('Soon'), '/steps/0/tool/wait: wait "Soon" is none of'],
    ['wait: null', waiting(null), '/steps/0/tool/wait: wait must be an object'],
    ['a timeout as text', planWith({ timeout_ms: '5' }), 'timeout_ms must be a whole number'],
    ['no title', planWith({}, {}, { title: undefined }), ': title is missing'],
    ['no task_id', planWith({}, {}, { task_id: undefined }), ': task_id is missing'],
    ['a task_id that is a number', planWith({}, {}, { task_id: 7 }), '/task_id: task_id must be a string'],
    ['a step without a title', planWith({}, { title: undefined }), '/steps/0: title is missing'],
    [
      'a step without a tool',
      planWith({}, { tool: undefined }, { task_id: 't' }),
      '/steps/0: tool is missing',
    ],
    ['a validation of nothing', planWith({}, { validations: [{ description: '' }] }), 'condition is missing'],
    [
      'approval as text',
      planWith({}, { requires_approval: 'yes' }),
      'requires_approval must be true or false',
    ],
    ['metadata that is a list', planWith({}, { metadata: [] }), '/metadata: metadata must be an object'],
  ])('with %s is refused, with its place', async (_name, text, message) => {
    const examined = examineActionPlan(text, { format: 'soulbrowser' });
    expect(examined.plan).toBeNull();
    const said =
      'problems' in examined ? examined.problems.map((one) => `${one.pointer}: ${one.message}`) : [];
    expect(said.join('\n')).toContain(message);
    expect((await lint(text, undefined, { dialect: 'soulbrowser' })).findings).toContainEqual(
      expect.objectContaining({ rule: 'SCHEMA_INVALID', severity: 'error' }),
    );
  });

  test.each<[string, string]>([
    ['a half of a surrogate pair', kind({ Custom: { name: 'x', payload: { a: '\ud800' } } })],
    [
      'a number beyond every double',
      kind({ Custom: { name: 'x', payload: 1 } }).replace('"payload":1', '"payload":1e400'),
    ],
    [
      'a timeout beyond 64 bits',
      planWith({ timeout_ms: 1 }).replace('"timeout_ms":1', '"timeout_ms":18446744073709551616'),
    ],
    [
      '129 levels',
      kind({ Custom: { name: 'x', payload: 1 } }).replace(
        '"payload":1',
        `"payload":${'['.repeat(129)}${']'.repeat(129)}`,
      ),
    ],
  ])('for %s is refused', (_name, text) => {
    expect(() => readActionPlan(text)).toThrow(/surrogate|whole number|deeper/);
  });

  test.each<[string, string, string]>([
    ['a description', planWith({}, {}, { description: undefined }), ''],
    ['the time', planWith({}, {}, { created_at: undefined }), ''],
    ['a part of meta', planWith({}, {}, { meta: { rationale: [] } }), '/meta'],
    ['a detail', planWith({}, { detail: undefined }), '/steps/0'],
  ])('for %s, which decides nothing, can be read and is a finding', async (_name, text, pointer) => {
    expect(readActionPlan(text).plan.steps).toHaveLength(1);
    expect((await lint(text)).findings).toContainEqual(
      expect.objectContaining({ rule: 'SCHEMA_INVALID', severity: 'error', pointer }),
    );
  });
});

test.each(['every-kind', 'every-condition', 'approval-and-metadata', 'custom-oddities', 'waits', 'no-steps'])(
  'the plan %s, which SoulBrowser reads, has no fault of form',
  async (name) => {
    const text = readFileSync(`test/fixtures/action-plans/soulbrowser/${name}.json`, 'utf8');
    const { findings } = await lint(text);
    expect(findings.filter(({ rule }) => rule === 'SCHEMA_INVALID')).toEqual([]);
  },
);

describe('what SoulBrowser is given', () => {
  const written = (step: Partial<ActionStep>, plan: Partial<ActionPlan> = {}) => {
    const { text, losses } = writeActionPlan(
      { ...plan, steps: [{ id: 'a', tool: 't', args: {}, ...step }] },
      'soulbrowser',
    );
    const { deviations, plan: read } = readActionPlan(text, { format: 'soulbrowser' });
    expect(deviations).toEqual([]);
    return { text, losses, step: read.steps[0] };
  };

  test.each<[string, Partial<ActionStep>]>([
    ['a kind that it has not', { tool: 'soul:Hover', args: { locator: LOCATOR } }],
    ['a kind with a wrong body', { tool: 'soul:Navigate', args: { url: 5 } }],
    ['a kind without its locator', { tool: 'soul:Click', args: {} }],
    ['a custom tool that lacks its name', { tool: 'soul:Custom', args: { payload: {} } }],
    ['a tool of another system', { tool: 'wa:send_text', args: { pane_id: 0, text: 'x' } }],
  ])('%s is written as a custom tool, and read as what it is', (_name, step) => {
    const { text, losses, step: read } = written(step);
    expect(JSON.parse(text)).toMatchObject({
      steps: [{ tool: { kind: { Custom: { name: step.tool, payload: step.args } } } }],
    });
    expect(losses).toEqual([]);
    expect(read).toMatchObject(step);
  });

  test('a condition that it has not, or of another shape, is a loss', () => {
    for (const check of [
      { type: 'soul:Moon', args: { value: 1 } },
      { type: 'soul:Duration', args: { value: 'long' } },
      { type: 'soul:NetworkIdle', args: {} },
    ]) {
      const { losses, text } = written({ verifications: [check] });
      expect(losses.map(({ what }) => what)).toEqual(['verification']);
      expect(JSON.parse(text)).toMatchObject({ steps: [{ validations: [] }] });
    }
  });

  test('a time without seconds gets them', () => {
    expect(written({}, { created_at: '2025-01-01T10:00Z' }).text).toContain('"2025-01-01T10:00:00Z"');
  });

  test('a payload that is not an object is what SoulBrowser makes of it', () => {
    const text = kind({ Custom: { name: 'x', payload: [5000] } });
    const { plan } = readActionPlan(text);
    expect(plan.steps[0]).toMatchObject({ tool: 'x', args: { value: [5000] } });
    const there = convertActionPlan(readActionPlan(text), 'frctl').text;
    expect(convertActionPlan(readActionPlan(there), 'soulbrowser').text).toBe(text);
  });
});

test('a tool is denied behind a payload that is not an object', async () => {
  const text = kind({ Custom: { name: 'payments.transfer', payload: 5000 } });
  const rules = async (policy: string) => (await lint(text, policy)).findings.map(({ rule }) => rule);
  expect(await rules('deny_tools: ["payments.*"]')).toContain('TOOL_DENY');
  expect(await rules('bounds: { payments.transfer.value: [0, 10] }')).toContain('BOUND_VIOLATION');
});
