import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { openWorkspace } from '../../src/index.js';
import { temporaryFolder } from '../support/folders.js';

const PLAN = `{
  "goal": "g",
  "steps": [
    { "id": "a", "tool": "pay", "parameters": { "amount": 11 } },
    { "id": "a", "tool": "pay", "parameters": { "amount": 1 }, "depends_on": ["line 3"] }
  ]
}
`;
const POLICY = 'bounds: { "pay.amount": [0, 10] }\nallow_tools: []\n';
/** As the version that made the first baselines wrote it of this plan. */
const FIRST = `{
  "version": 1,
  "findings": [
    {"file":"a.json","rule":"POLICY_INVALID","step":"a","fingerprint":"c462d1f636b29296","count":1},
    {"file":"a.json","rule":"BOUND_VIOLATION","step":"a","fingerprint":"d56871060a56a5a5","count":1},
    {"file":"a.json","rule":"DUPLICATE_ID","step":"a","fingerprint":"defb7d360b986443","count":1},
    {"file":"a.json","rule":"UNKNOWN_REFERENCE","step":"a","fingerprint":"edb5f801032277b9","count":1}
  ]
}
`;

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

/** Findings within a fallback, a nested plan, its fallback, and beside the steps. */
const NESTED = JSON.stringify({
  schema_version: '1.0',
  context: { note: SECRET },
  steps: [
    {
      id: 'a',
      tool: 'pay',
      args: { text: SECRET },
      on_error: { strategy: 'fallback', steps: [{ id: 'b', tool: 'pay', args: { text: SECRET } }] },
    },
    {
      id: 'c',
      tool: 'sub',
      args: {},
      plan: {
        steps: [{ id: 'd', tool: 'pay', args: { list: [SECRET] } }],
        defaults: {
          on_error: { strategy: 'fallback', steps: [{ id: 'e', tool: 'pay', args: { text: SECRET } }] },
        },
      },
    },
  ],
});
/** As it was written of this plan when a step's place was told from a pointer alone. */
const SECOND = `{
  "version": 2,
  "findings": [
    {"file":"a.json","rule":"RAW_SECRET","step":null,"fingerprint":"372c663dc21a6982","count":1},
    {"file":"a.json","rule":"RAW_SECRET","step":"a","fingerprint":"a259c6726cb22ec3","count":1},
    {"file":"a.json","rule":"RAW_SECRET","step":"b","fingerprint":"f3a8bae09dd7afb8","count":1},
    {"file":"a.json","rule":"RAW_SECRET","step":"d","fingerprint":"06be9510785853e7","count":1},
    {"file":"a.json","rule":"RAW_SECRET","step":"e","fingerprint":"65e4f95352486a46","count":1}
  ]
}
`;

const storedSchema = z.object({
  version: z.int(),
  findings: z.array(z.object({ file: z.string(), rule: z.string(), first: z.boolean().optional() })),
});

function newPlace(files: Readonly<Record<string, string>> = { 'a.json': PLAN }) {
  const folder = temporaryFolder();
  const environment = { workingFolder: folder, homeFolder: folder, variables: {} };
  const workspace = openWorkspace({ environment });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries({ 'p.yaml': POLICY, ...files })) write(name, text);
  return {
    folder,
    write,
    lint: async (...named: readonly string[]) => {
      const report = await workspace.lint({ files: [...named], policy: 'p.yaml', baseline: 'b.json' });
      if (!('unreadable' in report)) throw new TypeError('no report');
      const fresh = report.files.flatMap(({ findings }) => findings.map(({ rule }) => rule));
      return { fresh, stale: report.stale, known: report.files.flatMap(({ known }) => known).length };
    },
    update: (...named: readonly string[]) =>
      workspace.lint({ files: [...named], policy: 'p.yaml', baseline: 'b.json', updateBaseline: true }),
    stored: () => storedSchema.parse(JSON.parse(readFileSync(join(folder, 'b.json'), 'utf8'))),
  };
}

const NOTHING_NEW = { fresh: [], stale: 0, known: 4 };

describe('a baseline', () => {
  test('knows what it knows wherever the lines of plan and policy have moved', async () => {
    const { write, lint, update } = newPlace();
    await update('a.json');
    write('a.json', PLAN.replace('{', '{\n\n'));
    write('p.yaml', `# Limits.\n\n${POLICY}`);
    expect(await lint('a.json')).toEqual(NOTHING_NEW);
  });

  test('takes no name in a message for a line', async () => {
    const { write, lint, update } = newPlace();
    await update('a.json');
    write('a.json', PLAN.replace('line 3', 'line 4'));
    expect(await lint('a.json')).toEqual({ fresh: ['UNKNOWN_REFERENCE'], stale: 1, known: 3 });
  });

  test('of the first version goes on counting, and is brought up to date', async () => {
    const { write, lint, update, stored } = newPlace();
    write('b.json', FIRST);
    write('a.json', PLAN.replace('{', '{\n\n'));
    expect(await lint('a.json')).toEqual(NOTHING_NEW);
    await update('a.json');
    expect(stored()).toMatchObject({ version: 2, findings: Array.from({ length: 4 }, () => ({})) });
    expect(await lint('a.json')).toEqual(NOTHING_NEW);
  });

  test('that is updated keeps what it knows of a file that cannot be read', async () => {
    const { write, lint, update, stored } = newPlace({ 'a.json': PLAN, 'c.json': PLAN });
    await update('a.json', 'c.json');
    write('c.json', '{');
    expect((await update('a.json', 'c.json')) as object).toMatchObject({
      clean: false,
      unreadable: [{ file: 'c.json' }],
    });
    expect(stored().findings).toHaveLength(8);
    write('c.json', PLAN);
    expect(await lint('a.json', 'c.json')).toEqual({ fresh: [], stale: 0, known: 8 });
    // What is not named is no longer of it.
    await update('a.json');
    expect(stored().findings).toHaveLength(4);
  });

  test('of the first version keeps such entries as they were', async () => {
    const { write, lint, update, stored } = newPlace();
    write('b.json', FIRST);
    write('a.json', 'no JSON');
    await update('a.json');
    expect(stored().findings.map(({ first }) => first)).toEqual([true, true, true, true]);
    write('a.json', PLAN);
    expect(await lint('a.json')).toEqual(NOTHING_NEW);
    await update('a.json');
    expect(stored().findings.map(({ first }) => first)).toEqual(Array.from({ length: 4 }));
  });

  test('tells places in arguments apart that have a member steps, in nested plans too', async () => {
    const holding = (place: 0 | 1) => {
      const steps = [0, 1].map((index) => ({ text: index === place ? SECRET : 'nothing' }));
      return JSON.stringify({
        schema_version: '1.0',
        steps: [
          { id: 'a', tool: 'pay', args: { steps } },
          {
            id: 'b',
            tool: 'sub',
            args: {},
            plan: { steps: [{ id: 'c', tool: 'pay', args: { deep: { steps } } }] },
          },
        ],
      });
    };
    const { write, lint, update } = newPlace({ 'a.json': holding(0), 'p.yaml': '{}\n' });
    await update('a.json');
    expect((await lint('a.json')).fresh).toEqual([]);
    write('a.json', holding(1));
    const { fresh } = await lint('a.json');
    expect(fresh.filter((rule) => rule === 'RAW_SECRET')).toHaveLength(2);
  });

  test('of version 2 that was made before goes on counting, in nested plans and fallbacks too', async () => {
    const { write, lint } = newPlace({ 'a.json': NESTED, 'p.yaml': '{}\n' });
    write('b.json', SECOND);
    expect(await lint('a.json')).toEqual({ fresh: [], stale: 0, known: 5 });
  });

  test.each([
    ['{"version":2,"findings":[],"x":1}', 'there is no "x"'],
    ['{"version":2,"findings":[{"file":"a","rule":"NO_RULE"}]}', 'findings.0.rule must be '],
    ['{"version":2,"findings":5}', 'findings must be a list, not 5'],
    ['{"version":3,"findings":[]}', 'version must be 1 or 2, not 3'],
    ['[]', 'it must be an object, not []'],
    ['null', 'it must be an object, not null'],
  ])('that is wrong says so in words: %s', async (text, said) => {
    const { write, lint } = newPlace();
    write('b.json', text);
    const error: unknown = await lint('a.json').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`is not a valid baseline: ${said}`) as string,
    });
    expect(String(error)).not.toMatch(/"code"|Invalid|expected/);
  });

  test('is not written over a file that is none, such as a plan', async () => {
    const { folder, write, update, stored } = newPlace({ 'a.json': PLAN });
    await update('a.json');
    const whole = JSON.stringify(stored());
    for (const other of [PLAN, 'nothing of the kind', whole.replace('"version":2', '"version":3')]) {
      write('b.json', other);
      await expect(update('a.json')).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('exists and is not a valid baseline; it was not changed') as string,
      });
      expect(readFileSync(join(folder, 'b.json'), 'utf8')).toBe(other);
    }
  });

  test('that is empty, or is not there, is written anew also beside a file that cannot be read', async () => {
    const { folder, write, update, stored } = newPlace({ 'a.json': PLAN, 'c.json': '{' });
    for (const before of ['\n', null]) {
      if (before === null) rmSync(join(folder, 'b.json'));
      else write('b.json', before);
      await update('a.json', 'c.json');
      expect(existsSync(join(folder, 'b.json'))).toBe(true);
      expect(stored().findings).toHaveLength(4);
    }
  });
});
