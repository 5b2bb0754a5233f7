import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { convertActionPlan } from '../../../src/features/actions/convert/convert-action-plan.js';
import type { DialectName } from '../../../src/features/actions/model/dialect.js';
import { dialectOf } from '../../../src/features/actions/model/dialects.js';
import { readActionPlan } from '../../../src/features/actions/model/read-action-plan.js';
import { lexReferences } from '../../../src/features/actions/model/references.js';

const WITH_NAMES = ['frctl', 'plan-lint'] as const;
const WITH_REFERENCES = ['frctl', 'plan-lint', 'obsidian'] as const;
const ALL = [...WITH_REFERENCES, 'wa', 'soulbrowser'] as const;

/** A plan of two steps whose second holds texts; the first is `list`. */
function planIn(dialect: (typeof WITH_REFERENCES)[number], texts: readonly string[]): string {
  const steps = [
    { id: 'list', tool: 'file.list', args: {} },
    { id: 'use', tool: 'file.read', args: { texts } },
  ];
  const head = {
    frctl: { schema_version: '1.0', goal: 'g' },
    'plan-lint': { goal: 'g' },
    obsidian: { version: '1.0', goal: 'g', riskLevel: 'read-only' },
  }[dialect];
  return `${JSON.stringify({ ...head, steps }, null, 2)}\n`;
}

const bare = fc
  .tuple(
    fc.constantFrom('list', 'use', 'files', 'list-2', 'a_b', 'List'),
    fc.array(fc.constantFrom('items', 'x', '0', 'result-2'), { maxLength: 2 }),
    fc.constantFrom(
      ...([
        ['${', '}'],
        ['{{', '}}'],
      ] as const),
    ),
  )
  .map(([name, path, [open, close]]) => `${open}${[name, ...path].join('.')}${close}`);
const text = fc
  .array(fc.oneof(bare, fc.constantFrom('a ', ' and ', '$5 ', '.')), { maxLength: 4 })
  .map((parts) => parts.join(''));
const texts = fc.array(text, { minLength: 1, maxLength: 3 });

function there(source: string, to: DialectName) {
  const converted = convertActionPlan(readActionPlan(source), to);
  const read = readActionPlan(converted.text, { format: to, sidecar: converted.sidecar ?? undefined });
  return { ...converted, read };
}

describe.each(WITH_NAMES)('bare references of %s', (dialect) => {
  test.each(WITH_REFERENCES.filter((name) => name !== dialect))(
    'go to %s without a loss, and come back as they were, without one',
    (other) => {
      fc.assert(
        fc.property(texts, (all) => {
          const source = planIn(dialect, all);
          const gone = there(source, other);
          expect(gone.losses).toEqual([]);
          const back = convertActionPlan(gone.read, dialect);
          expect(back.losses).toEqual([]);
          expect(back.text).toBe(source);
        }),
      );
    },
  );

  test.each(['wa', 'soulbrowser'] as const)('are losses in %s, and come back', (other) => {
    fc.assert(
      fc.property(texts, (all) => {
        const source = planIn(dialect, all);
        const gone = there(source, other);
        const { references: syntax } = dialectOf(dialect);
        const holding = all.filter((one) =>
          lexReferences(one, { syntax }).some(({ kind }) => kind === 'reference'),
        );
        expect(gone.losses.filter(({ what }) => what === 'reference')).toHaveLength(holding.length);
        expect(convertActionPlan(gone.read, dialect).text).toBe(source);
      }),
    );
  });
});

test('a bare name is said as what it means: a step, else a variable', () => {
  const source = planIn('plan-lint', ['{{list.items}}', 'in ${files.0}', '${list}']);
  expect(there(source, 'obsidian').read.plan.steps[1]?.args).toEqual({
    texts: ['$steps.list.items', 'in ${$vars.files.0}', '$steps.list'],
  });
});

test('a variable that a step’s name would hide is a loss', () => {
  const source = planIn('frctl', ['$vars.list', '$vars.files']);
  expect(there(source, 'plan-lint').losses.map(({ where }) => where)).toEqual(['/args/texts/0']);
});

test('a bare name of a step that is renamed is renamed', () => {
  const source = `{"goal":"g","steps":[{"id":"1","tool":"t","parameters":{}},{"id":"b","tool":"t","parameters":{"x":"{{1.y}}"}}]}`;
  const gone = there(source, 'obsidian');
  expect(gone.losses).toEqual([]);
  expect(gone.read.document.text).toContain('"$steps.step-1.y"');
  expect(convertActionPlan(gone.read, 'plan-lint').text).toBe(source);
});

describe('a template in an Obsidian note', () => {
  const TEMPLATES = [
    '${title}',
    '# ${tp.file.title}\n${list}',
    '${a.result}',
    '${context.token}',
    '{{list}}',
    '${1+1}',
  ];

  test('is text, also in frctl’s own form', () => {
    const gone = there(planIn('obsidian', TEMPLATES), 'frctl');
    expect(gone.losses).toEqual([]);
    const back = convertActionPlan(gone.read, 'obsidian');
    expect(back.losses).toEqual([]);
    expect(back.text).toBe(planIn('obsidian', TEMPLATES));
  });

  test('comes back from every dialect', () => {
    for (const other of ALL.filter((name) => name !== 'obsidian')) {
      const gone = there(planIn('obsidian', TEMPLATES), other);
      expect(convertActionPlan(gone.read, 'obsidian').text).toBe(planIn('obsidian', TEMPLATES));
    }
  });

  test('is a loss where it would be taken for a reference', () => {
    const { losses } = there(planIn('obsidian', ['${title}', 'plain']), 'plan-lint');
    expect(losses).toEqual([
      expect.objectContaining({
        where: '/args/texts/0',
        why: 'Plan-Lint would read a part of this text as a reference',
      }),
    ]);
  });

  test('is none where the name is a loop’s, or is marked', () => {
    const source = JSON.parse(planIn('obsidian', ['${item.x}', '${$steps.list.x}', '{i}'])) as {
      steps: { foreach?: object }[];
    };
    const [, use] = source.steps;
    if (use !== undefined) use.foreach = { from: '$steps.list.items', itemName: 'item', indexName: 'i' };
    const { losses } = there(JSON.stringify(source), 'wa');
    expect(losses.filter(({ what }) => what === 'reference')).toHaveLength(3);
  });
});

test('what a foreach goes over is spelled as the target spells it', () => {
  const step = { id: 'b', tool: 't', args: {}, foreach: { from: '{{a.result.items}}', item_name: 'i' } };
  const source = JSON.stringify({
    schema_version: '1.0',
    goal: 'g',
    steps: [{ id: 'a', tool: 'file.read', args: {} }, step],
  });
  const gone = there(source, 'obsidian');
  expect(gone.read.plan.steps[1]?.foreach?.from).toBe('$steps.a.items');
  expect(gone.losses).toEqual([]);
  expect(convertActionPlan(gone.read, 'frctl').text).toBe(source);
  const unsayable = source.replace('{{a.result.items}}', '${context.files}');
  expect(there(unsayable, 'obsidian').losses.map(({ what, where }) => `${what} ${where}`)).toEqual([
    'reference /foreach/from',
  ]);
});

test('a reference in a condition is a loss where it becomes text', () => {
  const check = { type: 'soul:UrlMatches', args: { value: '$steps.a.url' } };
  const source = JSON.stringify({
    schema_version: '1.0',
    steps: [{ id: 'a', tool: 't', args: {}, verifications: [check] }],
  });
  expect(there(source, 'soulbrowser').losses.map(({ what, where }) => `${what} ${where}`)).toEqual([
    'reference /verifications/0/args/value',
  ]);
});
