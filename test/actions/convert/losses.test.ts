import { describe, expect, test } from 'vitest';

import type { ActionPlan, ActionStep } from '../../../src/features/actions/model/action-plan.js';
import { convertActionPlan } from '../../../src/features/actions/convert/convert-action-plan.js';
import { writeActionPlan } from '../../../src/features/actions/convert/write-action-plan.js';
import { DIALECT_NAMES } from '../../../src/features/actions/model/dialect.js';
import type { DialectName } from '../../../src/features/actions/model/dialect.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { ACTION_PLAN_FILES } from '../../support/action-plan-files.js';

const STEP: ActionStep = { id: 'a', tool: 'file.read', args: { path: 'x' } };

function lossesOf(
  dialect: DialectName,
  step: Partial<ActionStep>,
  plan: Partial<ActionPlan> = {},
): readonly string[] {
  const { losses } = writeActionPlan({ ...plan, steps: [STEP, { ...STEP, id: 'b', ...step }] }, dialect);
  return losses.map(({ what, step: id }) => `${what} of ${id ?? 'the plan'}`);
}

function fileOf(name: string): string {
  return ACTION_PLAN_FILES.find((file) => file.name === name)?.text ?? '';
}

describe('what a dialect cannot do is a loss', () => {
  test.each<[string, Partial<ActionStep>, Partial<Record<DialectName, readonly string[]>>]>([
    ['nothing', {}, {}],
    [
      'a foreach with concurrency',
      { foreach: { from: 'files', item_name: 'f', concurrency: 2 } },
      {
        wa: ['foreach of b', 'concurrency of b'],
        soulbrowser: ['foreach of b', 'concurrency of b'],
        'plan-lint': ['foreach of b', 'concurrency of b'],
      },
    ],
    [
      'a reference to a step',
      { args: { p: '$steps.a.text' } },
      { wa: ['reference of b'], soulbrowser: ['reference of b'] },
    ],
    [
      'a reference to a variable',
      { args: { p: 'x ${$vars.v}' } },
      { wa: ['reference of b'], soulbrowser: ['reference of b'] },
    ],
    [
      'a reference to the context',
      { args: { p: '${context.token}' } },
      { wa: ['reference of b'], soulbrowser: ['reference of b'], obsidian: ['reference of b'] },
    ],
    [
      'a name for the output',
      { capture_as: 'out' },
      { wa: ['output name of b'], soulbrowser: ['output name of b'], 'plan-lint': ['output name of b'] },
    ],
    ['skipping', { on_error: { strategy: 'skip' } }, { soulbrowser: ['error handling of b'] }],
    [
      'skipping without a warning',
      { on_error: { strategy: 'skip', warn: false } },
      {
        soulbrowser: ['error handling of b'],
        obsidian: ['error handling of b'],
        'plan-lint': ['error handling of b'],
      },
    ],
    [
      'a fallback',
      { on_error: { strategy: 'fallback', steps: [{ ...STEP, id: 'c' }] } },
      {
        soulbrowser: ['error handling of b'],
        obsidian: ['error handling of b'],
        'plan-lint': ['error handling of b'],
      },
    ],
    [
      'asking a person on an error',
      { on_error: { strategy: 'approval', summary: 's' } },
      {
        soulbrowser: ['error handling of b'],
        obsidian: ['error handling of b'],
        'plan-lint': ['error handling of b'],
      },
    ],
    [
      'two attempts',
      { retry: { max_attempts: 2 } },
      { soulbrowser: ['retry of b'], 'plan-lint': ['retry of b'] },
    ],
    [
      'attempts with growing waits',
      { retry: { max_attempts: 2, multiplier: 2 } },
      { soulbrowser: ['retry of b'], obsidian: ['retry of b'], 'plan-lint': ['retry of b'] },
    ],
    [
      'attempts without jitter',
      { retry: { max_attempts: 2, jitter: false } },
      {
        soulbrowser: ['retry of b'],
        obsidian: ['retry of b'],
        'plan-lint': ['retry of b'],
        wa: ['retry of b'],
      },
    ],
    [
      'more attempts than ten',
      { retry: { max_attempts: 11 } },
      { soulbrowser: ['retry of b'], obsidian: ['retry of b'], 'plan-lint': ['retry of b'] },
    ],
    [
      'attempts, then skipping',
      { retry: { max_attempts: 2 }, on_error: { strategy: 'skip' } },
      { soulbrowser: ['retry of b', 'error handling of b'], wa: ['retry of b'], 'plan-lint': ['retry of b'] },
    ],
    ['one attempt, said in words', { retry: { max_attempts: 1 }, on_error: { strategy: 'stop' } }, {}],
    ['a limit of time', { timeout_ms: 5 }, { 'plan-lint': ['timeout of b'] }],
    [
      'a precondition',
      { preconditions: [{ type: 'x', args: {} }] },
      {
        wa: ['preconditions of b'],
        soulbrowser: ['preconditions of b'],
        obsidian: ['preconditions of b'],
        'plan-lint': ['preconditions of b'],
      },
    ],
    [
      'a precondition of wa',
      { preconditions: [{ type: 'wa:pane_exists', args: { pane_id: 1 } }] },
      {
        soulbrowser: ['preconditions of b'],
        obsidian: ['preconditions of b'],
        'plan-lint': ['preconditions of b'],
      },
    ],
    [
      'two verifications of wa',
      {
        verifications: [
          { type: 'wa:none', args: {} },
          { type: 'wa:none', args: {} },
        ],
      },
      {
        wa: ['verification of b'],
        soulbrowser: ['verification of b', 'verification of b'],
        obsidian: ['verification of b', 'verification of b'],
        'plan-lint': ['verification of b', 'verification of b'],
      },
    ],
    [
      'an approval',
      { requires_approval: true },
      { obsidian: ['approval of b'], 'plan-lint': ['approval of b'] },
    ],
    [
      'waiting for a page',
      { wait: 'idle' },
      { wa: ['wait of b'], obsidian: ['wait of b'], 'plan-lint': ['wait of b'] },
    ],
    [
      'a nested plan',
      { plan: { steps: [STEP] }, args: {} },
      {
        soulbrowser: ['nested plan of b'],
        obsidian: ['nested plan of b'],
        'plan-lint': ['nested plan of b'],
      },
    ],
    ['a dependency on an earlier step', { depends_on: ['a'] }, {}],
    ['a dependency on no earlier step', { depends_on: ['b'] }, { soulbrowser: ['dependency of b'] }],
    ['what is only shown', { title: 't', detail: 'd', tags: ['x'], metadata: { m: 1 } }, {}],
    [
      'that running it again does no harm',
      { idempotent: true },
      { soulbrowser: ['idempotent of b'], obsidian: ['idempotent of b'], 'plan-lint': ['idempotent of b'] },
    ],
    [
      'a longest wait between attempts',
      { retry: { max_attempts: 2, max_delay_ms: 500 } },
      { soulbrowser: ['retry of b'], obsidian: ['retry of b'], 'plan-lint': ['retry of b'] },
    ],
  ])('%s', (_name, step, expected) => {
    for (const dialect of DIALECT_NAMES)
      expect([dialect, ...lossesOf(dialect, step)]).toEqual([dialect, ...(expected[dialect] ?? [])]);
  });

  test('in a plan: its preconditions, and defaults for each step they hold for', () => {
    const plan: Partial<ActionPlan> = {
      preconditions: [{ type: 'x', args: {} }],
      defaults: { on_error: { strategy: 'skip' } },
    };
    expect(lossesOf('soulbrowser', {}, plan)).toEqual([
      'preconditions of the plan',
      'error handling of a',
      'error handling of b',
    ]);
    expect(lossesOf('obsidian', {}, plan)).toEqual(['preconditions of the plan']);
  });

  test('in a plan: its workspace, requested context, declared risk, and the context that is referred to', () => {
    const workspace = ['workspace of the plan'];
    for (const dialect of ['obsidian', 'soulbrowser', 'plan-lint'] as const)
      expect(lossesOf(dialect, {}, { workspace: '/w' })).toEqual(workspace);
    expect(lossesOf('wa', {}, { workspace: '/w' })).toEqual([]);

    const requests = { context_requests: [{ kind: 'selection' }, { kind: 'moon' }] };
    expect(lossesOf('obsidian', {}, requests)).toEqual(['context requests of the plan']);
    for (const dialect of ['wa', 'soulbrowser', 'plan-lint'] as const)
      expect(lossesOf(dialect, {}, requests)).toEqual(Array(2).fill('context requests of the plan'));

    for (const dialect of ['wa', 'soulbrowser', 'plan-lint'] as const) {
      expect(lossesOf(dialect, {}, { risk: 'commands' })).toEqual(['risk of the plan']);
      // What the tools say themselves needs no declaration.
      expect(lossesOf(dialect, {}, { risk: 'read-only' })).toEqual([]);
    }
    expect(lossesOf('obsidian', {}, { risk: 'commands' })).toEqual([]);

    const context = { context: { token: 'x', other: 1 } };
    const referring = { args: { p: '${context.token}' } };
    expect(lossesOf('wa', {}, context)).toEqual([]);
    expect(lossesOf('wa', referring, context)).toEqual(['reference of b', 'context of the plan']);
    expect(lossesOf('plan-lint', referring, context)).toEqual([]);
  });

  test('of a nested plan, which is named by its step', () => {
    const nested: ActionPlan = { risk: 'commands', steps: [{ ...STEP, id: 'c' }] };
    const { losses } = writeActionPlan({ steps: [{ ...STEP, id: 'b', args: {}, plan: nested }] }, 'wa');
    expect(losses).toEqual([expect.objectContaining({ what: 'risk', step: 'b', where: '/plan/risk' })]);
  });

  test('the wait that is lost is named', () => {
    const { losses } = writeActionPlan(
      { steps: [{ ...STEP, retry: { max_attempts: 2, max_delay_ms: 500 } }] },
      'obsidian',
    );
    expect(losses).toEqual([
      {
        what: 'retry',
        step: 'a',
        where: '/retry/max_delay_ms',
        why: 'Obsidian cannot retry in this way: max_delay_ms 500',
      },
    ]);
  });

  test('inside a nested plan and inside a fallback', () => {
    const inner: ActionStep = { ...STEP, id: 'c', wait: 'idle' };
    expect(lossesOf('wa', { plan: { steps: [inner] }, args: {} })).toEqual(['wait of c']);
    expect(lossesOf('wa', { on_error: { strategy: 'fallback', steps: [inner] } })).toEqual(['wait of c']);
  });

  test('text that the target would take for a reference', () => {
    const read = readActionPlan(fileOf('wa/shell-text').replace(' $steps.a"', ' ${$steps.a}"'));
    const losses = convertActionPlan(read, 'obsidian').losses;
    expect(losses).toEqual([
      {
        what: 'reference',
        step: 'step:1',
        where: '/args/text',
        why: 'Obsidian would read a part of this text as a reference',
      },
      {
        what: 'workspace',
        step: null,
        where: '/workspace',
        why: 'Obsidian cannot tie the plan to the workspace /project',
      },
    ]);
    expect(convertActionPlan(read, 'frctl').losses).toEqual([]);
  });
});

test('to frctl nothing is ever lost', () => {
  for (const { text, dialect } of ACTION_PLAN_FILES) {
    const read = readActionPlan(text);
    if (dialect === 'frctl' || read.plan.steps.length === 0) continue;
    expect(convertActionPlan(read, 'frctl').losses).toEqual([]);
  }
});

test('references are spelled as the target spells them', () => {
  const { text, losses } = convertActionPlan(
    readActionPlan(fileOf('plan-lint/monthly-statement')),
    'obsidian',
  );
  expect(losses).toEqual([]);
  expect(text).toContain('"to": "$steps.step1.email"');
  expect(text).toContain('"body": "Your current balance is $${$steps.step1.balance}"');
});

test('ids that the target does not take are renamed everywhere, and get their names back', () => {
  const source = fileOf('plan-lint/odd-ids');
  const there = convertActionPlan(readActionPlan(source), 'obsidian');
  expect(there.renamed).toEqual(
    new Map([
      ['1', 'step-1'],
      ['step one', 'step_one'],
      ['Prüfung', 'Prufung'],
    ]),
  );
  const plan = JSON.parse(there.text) as { steps: { id: string; args: object; dependsOn?: string[] }[] };
  expect(plan.steps.map(({ id, dependsOn = [] }) => [id, ...dependsOn])).toEqual([
    ['step-1'],
    ['step_one', 'step-1'],
    ['Prufung', 'step-1', 'step_one'],
  ]);
  expect(plan.steps[1]?.args).toEqual({ q: '$steps.step-1.x' });
  const back = convertActionPlan(
    readActionPlan(there.text, { sidecar: there.sidecar ?? undefined }),
    'plan-lint',
  );
  expect(back.text).toBe(source);
});

test('what was edited in between wins over what the document carries', () => {
  const there = convertActionPlan(readActionPlan(fileOf('wa/retries')), 'plan-lint');
  const edited = there.text
    .replace('"on_fail": "continue"', '"on_fail": "abort"')
    .replace('"lock_name": "l"', '"lock_name": "k"');
  const back = JSON.parse(convertActionPlan(readActionPlan(edited), 'wa').text) as {
    plan_id: string;
    steps: { action: { lock_name: string }; on_failure: { strategy: string } }[];
  };
  expect(back.steps.map(({ action, on_failure: one }) => [action.lock_name, one.strategy])).toEqual([
    ['k', 'retry'],
    ['m', 'abort'],
  ]);
  expect(back.plan_id).not.toBe(JSON.parse(fileOf('wa/retries')).plan_id);
});

test('a plan that a dialect cannot have at all is refused', () => {
  expect(() => convertActionPlan(readActionPlan(fileOf('obsidian/infinite-number')), 'wa')).toThrow(
    'cannot be written for wa: payload must be JSON whose numbers a double can hold',
  );
  expect(() => convertActionPlan(readActionPlan(fileOf('obsidian/infinite-number')), 'soulbrowser')).toThrow(
    'cannot be written for SoulBrowser: payload must be JSON',
  );
  expect(() => convertActionPlan(readActionPlan(fileOf('wa/no-steps')), 'obsidian')).toThrow(
    'at least one step',
  );
});

test('what is carried is looked at before it is believed', () => {
  const there = convertActionPlan(readActionPlan(fileOf('wa/retries')), 'plan-lint').text;
  const broken = there.replace('"at": "/workspace"', '"at": "/steps"');
  expect(readActionPlan(broken).plan.steps.map(({ tool }) => tool)).toEqual([
    'wa:release_lock',
    'wa:release_lock',
  ]);
});

test('a document cannot show its readers one tool and carry another', () => {
  const there = convertActionPlan(readActionPlan(fileOf('wa/retries')), 'plan-lint').text;
  const entries =
    '{"at":"/tool","was":"wa:release_lock","value":"rm"},{"at":"/args/lock_name","was":"l","value":"x"},';
  const forged = there.replace('"step:1": [', `"step:1": [${entries}`);
  expect(forged).not.toBe(there);
  expect(readActionPlan(forged).plan).toEqual(readActionPlan(there).plan);
});

test('notes of an earlier document may say how it looked, and never what a plan does', () => {
  const note = (difference: object, wrapper?: object) =>
    JSON.stringify({
      schema_version: '1.0',
      goal: 'g',
      steps: [{ id: 'a', tool: 'wa:send_text', args: { pane_id: 0, text: 'ls' } }],
      extensions: { wa: { difference }, soulbrowser: wrapper === undefined ? {} : { wrapper } },
    });
  const inStep = (difference: object) => ({
    members: { steps: { elements: [{ index: 0, id: 'a', difference }] } },
  });
  const harmless = note({ set: { note: null }, ...inStep({ set: { colour: 'blue' } }) });
  expect(convertActionPlan(readActionPlan(harmless), 'wa').text).toContain('"colour": "blue"');

  for (const difference of [
    { members: { action: { members: { text: { from: 'ls', to: 'rm -rf /' } } } } },
    {
      members: {
        action: {
          from: { type: 'send_text', pane_id: 0, text: 'ls' },
          to: { type: 'release_lock', lock_name: 'l' },
        },
      },
    },
    { set: { preconditions: [{ type: 'lock_held', lock_name: 'l' }] } },
    { set_text: { on_failure: '{"strategy":"skip","strategy":"abort"}' } },
    { drop: { step_id: 'a' } },
  ]) {
    const { text, remarks } = convertActionPlan(readActionPlan(note(inStep(difference))), 'wa');
    expect(JSON.parse(text)).toMatchObject({
      steps: [{ step_id: 'a', action: { type: 'send_text', pane_id: 0, text: 'ls' } }],
    });
    expect(text).not.toContain('lock_name');
    expect(text).not.toContain('on_failure');
    expect(remarks.join()).toContain('are ignored');
  }

  const evil =
    '{"task_id":"x","title":"x","steps":[{"id":"e","title":"e","tool":{"kind":{"Navigate":{"url":"https://evil.example"}}}}],"plan":null}';
  const { text, remarks } = convertActionPlan(
    readActionPlan(note({}, { keys: ['plan'], text: evil })),
    'soulbrowser',
  );
  expect(text).not.toContain('evil.example');
  expect(remarks.join()).toContain('are ignored');
});
