import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createSubject } from '../../../src/features/actions/lint/subject.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { fixPlan } from '../../../src/features/actions/lint/fix-plan.js';
import { noPolicy } from '../../../src/features/actions/policy/prepared-policy.js';

const policy = noPolicy();
const TOKEN = `ghp_${'a1'.repeat(18)}`;

function fixed(text: string): string {
  return fixPlan(text, policy).text;
}

describe('fixing', () => {
  test('renames a duplicate id, with what later steps say of it, and keeps every other byte', () => {
    const text = `\uFEFF{\r\n\t"goal" : "g",\r\n\t"steps":[ {"id":"a","tool":"t","parameters":{}},
 {"id":"b","tool":"t","parameters":{"x":"\\u007b{a.result.x}}"},"depends_on":["a"]},
 {"id" : "a", "tool":"t", "parameters":{"n":1.0}},
 {"id":"c","tool":"t","parameters":{"x":"\\"\u{1F600} {{a.result.y}} \${ a.result }, say a"},"depends_on":[ "a" ]}]}`;
    expect(fixed(text)).toBe(
      text
        .replace('{"id" : "a"', '{"id" : "a-2"')
        .replace('{{a.result.y}}', '{{a-2.result.y}}')
        .replace('${ a.result }', '${ a-2.result }')
        .replace('[ "a" ]', '[ "a-2" ]'),
    );
  });

  test('gives a third step, and one whose new name is taken, names of their own', () => {
    const step = (id: string) => `{"id":"${id}","tool":"t","parameters":{}}`;
    const text = `{"goal":"g","steps":[${['a', 'a-2', 'a', 'a'].map(step).join(',')}]}`;
    expect([...fixed(text).matchAll(/"id":"([^"]*)"/g)].map(([, id]) => id)).toEqual([
      'a',
      'a-2',
      'a-3',
      'a-4',
    ]);
  });

  test('leaves what names a step to that step, also where one in its fallback has the same id', () => {
    const text = JSON.stringify({
      schema_version: '1.0',
      title: 't',
      steps: [
        {
          id: 'a',
          tool: 't',
          args: {},
          on_error: {
            strategy: 'fallback',
            steps: [
              { id: 'a', tool: 't', args: {} },
              { id: 'c', tool: 't', args: { p: '$steps.a.x' } },
            ],
          },
        },
        { id: 'b', tool: 't', args: { p: '$steps.a.x' }, depends_on: ['a'] },
      ],
    });
    expect(JSON.parse(fixed(text))).toMatchObject({
      steps: [
        {
          id: 'a',
          on_error: { steps: [{ id: 'a-2' }, { args: { p: '$steps.a-2.x' }, depends_on: ['a-2'] }] },
        },
        { args: { p: '$steps.a.x' }, depends_on: ['a'] },
      ],
    });
  });

  test('gives a step no name that something else has or is called by', () => {
    const step = (id: string, more: object = {}) => ({ id, tool: 't', args: {}, ...more });
    const taken = [
      step('p', { plan: { schema_version: '1.0', title: 'n', steps: [step('a-2')] } }),
      step('q', { capture_as: 'a-3' }),
      step('r', { foreach: { from: '$vars.a-5', item_name: 'a-4' } }),
    ];
    const plan = {
      schema_version: '1.0',
      title: 't',
      context: { 'a-6': 1 },
      steps: [step('a'), ...taken, step('a')],
    };
    expect(fixed(JSON.stringify(plan))).toContain('"id":"a-7"');
  });

  test.each([
    [
      'a new member, laid out like the others',
      '{\n  "goal": "g",\n  "steps": [\n    {\n      "id": "a",\n      "tool": "t",\n      "parameters": {}\n    },\n    {\n      "id": "b",\n      "tool": "t",\n      "parameters": { "x": "{{a.result}}" }\n    }\n  ]\n}\n',
      '"parameters": { "x": "{{a.result}}" },\n      "depends_on": ["a"]\n    }',
    ],
    [
      'an empty list',
      '{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{}},{"id":"b","tool":"t","depends_on":[],"parameters":{"x":"{{a.result}}"}}]}',
      '"depends_on":["a"],"parameters"',
    ],
    [
      'a list with others, each once',
      '{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{}},{"id":"c","tool":"t","parameters":{}},{"id":"b","tool":"t","depends_on":["c"],"parameters":{"x":"{{a.result}} {{a.result.y}} {{c.result}}"}}]}',
      '"depends_on":["c", "a"]',
    ],
    [
      'the word of Obsidian',
      '{"version":"1.0","goal":"g","riskLevel":"writes","steps":[{"id":"a","tool":"t","args":{}},{"id":"b","tool":"t","args":{"x":"$steps.a.y"}}]}',
      ',"dependsOn":["a"]}',
    ],
  ])('adds a dependency that a reference implies: %s', (_name, text, expected) => {
    expect(fixed(text)).toContain(expected);
  });

  test('swaps parameters and args, in a plan that could not be read before', () => {
    const text =
      '{"version":"1.0","goal":"g","riskLevel":"writes","steps":[{"id":"a","tool":"t", "parameters" : {"parameters":1}}]}';
    const { check, text: after } = fixPlan(text, policy);
    expect(after).toBe(text.replace('"parameters" :', '"args" :'));
    expect(check.findings).toEqual([]);
    const mixed =
      '{"goal":"g","steps":[{"id":"a","tool":"t","args":{}},{"id":"b","tool":"t","parameters":{}}]}';
    expect(fixed(mixed)).toBe(mixed.replace('parameters', 'args'));
  });

  test('puts references in place of secrets, the same for the same', () => {
    const text = `{"goal":"g","steps":[{"id":"a","tool":"t","parameters":{"password":"hunter2!","pwd":"hunter2!","h":"x \\u0067hp_${TOKEN.slice(4)} \\n ${TOKEN}","api_key":"another-1"}},{"id":"b","tool":"t","parameters":{"password":"other-9"}}]}`;
    const { text: after, check } = fixPlan(text, policy);
    const { steps } = JSON.parse(after) as { steps: readonly { parameters: object }[] };
    expect(steps.map(({ parameters }) => parameters)).toEqual([
      {
        password: '${context.PASSWORD}',
        pwd: '${context.PASSWORD}',
        h: 'x ${context.GITHUB_TOKEN} \n ${context.GITHUB_TOKEN}',
        api_key: '${context.API_KEY}',
      },
      { password: '${context.PASSWORD_2}' },
    ]);
    expect(check.clean).toBe(true);
  });

  test.each([
    [
      'in the context',
      `{"goal":"g","context":{"token":"${TOKEN}"},"steps":[{"id":"a","tool":"t","parameters":{}}]}`,
    ],
    [
      'in a wa plan, whose strings hold no references',
      `{"plan_version":1,"plan_id":"plan:x","title":"t","workspace_id":"w","steps":[{"step_number":1,"step_id":"step:1","action":{"type":"send_text","pane_id":0,"text":"${TOKEN}"},"description":"d","idempotent":false}]}`,
    ],
  ])('leaves a secret alone %s, and says so', (_name, text) => {
    const { text: after, check } = fixPlan(text, policy);
    expect(after).toBe(text);
    expect(check.findings.map(({ rule, fixable }) => [rule, fixable])).toEqual([['RAW_SECRET', false]]);
  });

  test('whatever the plan: what was fixable is gone, and a second run changes nothing', () => {
    const id = fc.constantFrom('a', 'b', 'a-2', 'step_1');
    const value = fc.constantFrom(
      '{{a.result}}',
      '${b.result.x} and {{a.result}}',
      TOKEN,
      'plain',
      '{{step_1.result}}',
    );
    const step = fc.record({
      id,
      tool: fc.constant('t'),
      key: fc.constantFrom('args', 'parameters'),
      payload: fc.dictionary(fc.constantFrom('x', 'password', 'note'), value),
      depends_on: fc.option(fc.uniqueArray(id), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('', ' ', '  ', '\t'),
        (steps, indent) => {
          const plan = {
            goal: 'g',
            steps: steps.map(({ key, payload, ...rest }) => ({ ...rest, [key]: payload })),
          };
          const first = fixPlan(JSON.stringify(plan, null, indent), policy);
          expect(first.check.findings.filter(({ fixable }) => fixable)).toEqual([]);
          expect(fixPlan(first.text, policy)).toMatchObject({ text: first.text, fixed: 0 });
        },
      ),
    );
  });

  test('whatever is nested in what: what named a step before names the same one afterwards', () => {
    fc.assert(
      fc.property(nestedSteps, (steps) => {
        const text = JSON.stringify({ schema_version: '1.0', title: 't', steps });
        const before = meantIn(text);
        const { text: after, check } = fixPlan(text, policy);
        expect(check.findings.filter(({ rule }) => rule === 'DUPLICATE_ID')).toEqual([]);
        expect(meantIn(after)).toMatchObject(before);
        expect(hiddenTargets(text)).toEqual([]);
        // What is added says again what a reference said.
        expect(neededIn(after)).toEqual(neededIn(text));
      }),
    );
  });
});

const ids = fc.constantFrom('a', 'b', 'a-2');
/** Steps with fallbacks, nested plans and loops, and few ids for all of them. */
const { steps: nestedSteps } = fc.letrec<{ steps: readonly object[]; step: object }>((tie) => ({
  steps: fc.array(tie('step'), { minLength: 1, maxLength: 3, depthIdentifier: 'steps' }),
  step: fc.record(
    {
      id: ids,
      tool: fc.constant('t'),
      args: fc.record({ p: fc.tuple(ids, fc.constantFrom('$steps.', '{{', '${')).map(written) }),
      capture_as: fc.constantFrom('a', 'v'),
      foreach: fc.constant({ from: '$vars.xs', item_name: 'it' }),
      depends_on: fc.uniqueArray(ids, { maxLength: 1 }),
      on_error: fc.record({
        strategy: fc.constant('fallback'),
        steps: fc.oneof({ maxDepth: 2, depthIdentifier: 'steps' }, fc.constant([]), tie('steps')),
      }),
      plan: fc.record({
        schema_version: fc.constant('1.0'),
        title: fc.constant('n'),
        steps: fc.oneof(
          { maxDepth: 2, depthIdentifier: 'steps' },
          fc.constant([{ id: 'n', tool: 't', args: {} }]),
          tie('steps'),
        ),
      }),
    },
    { requiredKeys: ['id', 'tool', 'args'] },
  ),
}));

function written([id, mark]: readonly [string, string]): string {
  return mark === '$steps.' ? `$steps.${id}.x` : `${mark}${id}.result.x${mark === '{{' ? '}}' : '}'}`;
}

const linksIn = (text: string) => createSubject(readActionPlan(text), policy).links;

/** The place of the step that each dependency and reference of a plan means, by its own. */
function meantIn(text: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(linksIn(text).map(({ pointer, to }) => [pointer, to?.pointer]));
}

/** Links into a fallback that the step is not within, though a step of the id is before or beside it. */
function hiddenTargets(text: string): readonly string[] {
  return linksIn(text).flatMap(({ from, to, name }) => {
    const isSeen = (one: string) => from.pointer.startsWith(one.replace(/\d+$/, ''));
    if (to === null || to.step.id !== name || isSeen(to.pointer)) return [];
    return to.scope.steps.flatMap(({ step, pointer }) =>
      step.id === name && isSeen(pointer) ? pointer : [],
    );
  });
}

/** Which steps need which, by their places, each once. */
function neededIn(text: string): ReadonlySet<string> {
  return new Set(
    linksIn(text).flatMap(({ from, to }) => (to === null ? [] : `${from.pointer} ${to.pointer}`)),
  );
}
