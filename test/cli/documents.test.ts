import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { newUser } from '../support/command.js';

const FOLDER = fileURLToPath(new URL('../fixtures/documents/', import.meta.url));
const documents = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
);

const planSchema = z.looseObject({
  goals: z.record(
    z.string(),
    z.looseObject({
      description: z.string(),
      parent_id: z.string().nullable(),
      out_of_scope: z.array(z.string()).optional(),
      acceptance: z.array(z.string()).optional(),
      tags: z.array(z.string()).optional(),
    }),
  ),
});
const reportSchema = z.looseObject({
  covered: z.number(),
  lines: z.number(),
  uncovered: z.array(z.looseObject({ text: z.string() })),
  unasked: z.array(z.looseObject({ description: z.string() })),
});
const resultSchema = z.looseObject({
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
});

const PRD = `# Shop

## Background

- Sold on paper so far

## Requirements

| ID | Requirement | Priority |
|----|-------------|----------|
| R1 | Show prices | P0       |

## Search

- Find by name

### Acceptance criteria

- "ap" finds apples

## Non-goals

- Selling abroad
`;

function withPrd() {
  const user = newUser();
  writeFileSync(join(user.folder, 'PRD.md'), PRD);
  return user;
}

async function goalsOf(user: ReturnType<typeof newUser>) {
  const exported = planSchema.parse((await user.run(['export', '--format', 'json'])).json());
  return Object.values(exported.goals);
}

describe('plan init --from', () => {
  test.each(documents)(
    '%s: a plan of it covers all that it asks for, and nothing that it does not',
    async (path) => {
      const user = newUser();
      const file = basename(path);
      cpSync(join(FOLDER, path), join(user.folder, file));
      expect((await user.run(['init', '--from', file, '--expander', 'rules'])).status).toBe(0);
      const report = reportSchema.parse((await user.run(['coverage', '--source', file, '--json'])).json());
      expect([report.uncovered, report.unasked]).toEqual([[], []]);
      expect(report.covered).toBe(report.lines);
    },
  );

  test('says what it left out, keeps what must not be planned, and gives criteria and tags to their goals', async () => {
    const user = withPrd();
    const ended = await user.run(['init', '--from', 'PRD.md', '--expander', 'rules', '--json']);
    expect(resultSchema.parse(ended.json()).warnings).toEqual([
      { code: 'left_out', goal_id: null, message: 'left out as context: Background (--all plans it too)' },
      { code: 'left_out', goal_id: null, message: 'not to be planned: Non-goals' },
    ]);
    expect(ended.error).toContain('left out as context: Background');
    const goals = await goalsOf(user);
    expect(goals.find(({ parent_id: parent }) => parent === null)?.out_of_scope).toEqual(['Selling abroad']);
    expect(goals.find(({ description }) => description === 'Search')?.acceptance).toEqual([
      '"ap" finds apples',
    ]);
    expect(goals.find(({ description }) => description === 'Show prices')?.tags).toEqual(['R1', 'P0']);
    expect(goals.map(({ description }) => description)).not.toContain('Selling abroad');
  });

  test('plans other sections on request, and coverage reads the document in the same way', async () => {
    const user = withPrd();
    const names = async () => (await goalsOf(user)).map(({ description }) => description);
    await user.run(['init', '--from', 'PRD.md', '--expander', 'rules', '--all']);
    expect(await names()).toContain('Sold on paper so far');
    const all = reportSchema.parse((await user.run(['coverage', '--source', 'PRD.md', '--json'])).json());
    await user.run(['init', '--from', 'PRD.md', '--expander', 'rules', '--only', 'search']);
    expect(await names()).toEqual(['Shop', 'Search', 'Find by name']);
    const only = reportSchema.parse((await user.run(['coverage', '--source', 'PRD.md', '--json'])).json());
    expect([all.uncovered, only.uncovered, only.unasked]).toEqual([[], [], []]);
    expect(all.lines).toBeGreaterThan(only.lines);
    await user.run(['init', '--from', 'PRD.md', '--expander', 'rules', '--skip', 'Search', 'Background']);
    expect(await names()).toEqual(['Shop', 'Requirements', 'Show prices']);
  });

  test.each([
    ['Build the Shop', ['Build the Shop', 'Requirements', 'Search']],
    ['Sell apples abroad', ['Sell apples abroad', 'Shop']],
  ])(
    'words beside it name the root: %s; the title is a level of its own unless they say it',
    async (goal, top) => {
      const user = withPrd();
      await user.run(['init', '--from', 'PRD.md', goal, '--expander', 'rules']);
      const goals = await goalsOf(user);
      const names = goals
        .filter(({ parent_id: parent }) => parent === null || parent.endsWith('-root'))
        .map(({ description }) => description);
      expect(names).toEqual(top);
      const { uncovered } = reportSchema.parse(
        (await user.run(['coverage', '--source', 'PRD.md', '--json'])).json(),
      );
      expect(uncovered).toEqual([]);
    },
  );

  test('refuses a heading that is not there, and a choice without a document', async () => {
    const user = withPrd();
    const missing = await user.run(['init', '--from', 'PRD.md', '--expander', 'rules', '--only', 'Pets']);
    expect([missing.status, missing.error]).toEqual([
      2,
      expect.stringContaining('PRD.md has no heading “Pets”'),
    ]);
    const without = await user.run(['init', 'Build a shop', '--expander', 'rules', '--all']);
    expect([without.status, without.error]).toEqual([2, expect.stringContaining('plan init --from PRD.md')]);
    expect((await user.run(['list', '--json'])).json()).toMatchObject({ error: { code: 'STORE_NOT_FOUND' } });
  });
});
