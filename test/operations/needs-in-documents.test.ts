import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openWorkspace } from '../../src/index.js';
import { temporaryFolder } from '../support/folders.js';

async function waitsIn(text: string) {
  const folder = temporaryFolder();
  const variables = { XDG_CONFIG_HOME: join(folder, 'config') };
  const workspace = openWorkspace({ environment: { workingFolder: folder, homeFolder: folder, variables } });
  writeFileSync(join(folder, 'doc.md'), text);
  const run = workspace.init({ from: 'doc.md', expander: 'rules' });
  const notices: string[] = [];
  for await (const event of run) if (event.type === 'notice') notices.push(event.message);
  const { goals } = await workspace.tree((await run.result).plan.id);
  const numbers = new Map(goals.map(({ id, number }) => [id, number]));
  const waits = goals.flatMap(({ number, dependencies }) =>
    dependencies.length === 0 ? [] : [`${number} ${dependencies.map((id) => numbers.get(id)).join(' ')}`],
  );
  const held = goals.flatMap(({ number, on_hold: hold }) => (hold === undefined ? [] : [number]));
  return { waits, held, notices: notices.join('\n') };
}

test('goals need, wait for and come after those that they name by number, in a code span too', async () => {
  const { waits, notices } = await waitsIn(
    '# Orchard\n\n- #12 Plant\n- #13 Prune (needs #12)\n- #14 Pick (waits for #12 and #13)\n- #15 Press (after #14)\n\n## FEAT-201: Store\n\n- Stack the jars\n\n## FEAT-202: Sell\n\nDepends on `FEAT-201`\n\n- Print the labels, needs 3 people, after H2\n',
  );
  expect(waits).toEqual(['2 1', '3 1 2', '4 3', '6 5']);
  expect(notices).not.toContain('wait');
});

test('rows name rows by the bare numbers of a column', async () => {
  const { waits } = await waitsIn(
    '# Orchard\n\n## Tasks\n\n| # | Task | Depends on |\n|---|---|---|\n| 1 | Plant | |\n| 2 | Prune | 1 |\n| 3 | Pick | 1, 2 |\n',
  );
  expect(waits).toEqual(['1.2 1.1', '1.3 1.1 1.2']);
});

test('a number that no goal has is named, and so is a circle', async () => {
  const { waits, notices } = await waitsIn(
    '# Orchard\n\n- #12 Plant, depends on #13\n- #13 Prune, depends on #12\n- #14 Pick, depends on #99\n- #15 Press, after Q3-2\n',
  );
  expect(waits).toEqual([]);
  expect(notices).toContain('does not wait for #99, which does not exist');
  expect(notices).toMatch(/Plant.* would wait for each other in a circle/);
  expect(notices).not.toContain('Q3');
});

const FARM = '# Farm\n\n';

test.each([
  [
    'a column',
    '| ID | Task | Depends on |\n|-|-|-|\n| 1.1 | Dig | |\n| 1.2 | Sow | 1.1 |\n| 2.1 | Reap | 1.1; 1.2 |\n',
    ['2 1', '3 1 2'],
  ],
  [
    'items',
    '- [ ] 1.1 Dig\n- [ ] 1.2 Sow (depends on 1.1)\n- [ ] 1.3 Reap, blocked by #1.2\n- [ ] 1.4 Sell (after 1.1–1.3)\n',
    ['2 1', '3 2', '4 1 2 3'],
  ],
  [
    'headings',
    '## 1. Land\n\n### 1.1 Dig\n\n- Find a spade\n\n### 1.2 Sow\n\nDepends on 1.1.\n\n- Buy seeds\n\n## 2. House\n\nDepends on: 1\n\n- Lay bricks\n\n## 3. Feast (after 2)\n\n- Cook\n',
    ['1.2 1.1', '2 1', '3 2'],
  ],
  [
    'a section that says no more',
    '## 1.1 Dig\n\n- [ ] Find a spade\n\n## 1.2 Sow\n\nDepends on 1.1.\n',
    ['2 1'],
  ],
  [
    'the numbers of a list',
    '## Feast\n\n- Rest (after step 2)\n\n## Now\n\n1. Dig\n2. Sow\n',
    ['1.1 2.2', '2.2 2.1'],
  ],
  [
    'the nearest of several',
    '## A\n\n1. Dig\n2. Sow\n3. Reap (depends on 1)\n\n## B\n\n1. Cut\n2. Sew\n3. Sell (depends on 1)\n',
    ['1.2 1.1', '1.3 1.2 1.1', '2.2 2.1', '2.3 2.2 2.1'],
  ],
  ['phases', '## Phase 1: Dig\n\n- [ ] Rake\n\n## House\n\n- [ ] Build (after Phase 1)\n', ['2.1 1']],
])('numbers of all kinds are waited for: %s', async (_, text, expected) => {
  const { waits, notices } = await waitsIn(FARM + text);
  expect(waits).toEqual(expected);
  expect(notices).not.toContain('does not wait');
});

test('a number with a dot that no goal has is named; figures and versions are no numbers of goals', async () => {
  const { waits, notices } = await waitsIn(
    `${FARM}- [ ] 1.1 Dig\n- [ ] 1.2 Sow (after 9.9)\n- [ ] 1.3 Reap, needs 1.1 GB, after 1.2 hours\n- [ ] 1.4 Sell: requires 1.2 or later\n`,
  );
  expect(waits).toEqual([]);
  expect(notices.match(/does not wait for [^,]+/g)).toEqual(['does not wait for 9.9']);
});

test.each([
  [
    'a column',
    '| Task | Depends on |\n|-|-|\n| Dig | — |\n| Sow | Dig |\n| Reap and sell | Dig, Sow |\n| Eat | Reap and sell |\n',
    ['2 1', '3 1 2', '4 3'],
  ],
  [
    'brackets',
    '- [ ] Dig the field\n- [ ] Sow (depends on Dig the field)\n- [ ] Reap (after "Sow")\n',
    ['2 1', '3 2'],
  ],
  ['a sentence', '- [ ] Dig the field\n- [ ] Sow – blocked by: dig the field\n', ['2 1']],
  ['a fact', '- [ ] Dig\n- [ ] Sow\n  - **Depends on**: Dig\n', ['2 1']],
  ['other things', '- [ ] Dig\n- [ ] Sow, after dig or rain\n- [ ] Reap (needs digging)\n', []],
])('goals that a goal names are waited for: %s', async (_, text, expected) => {
  const { waits, notices } = await waitsIn(FARM + text);
  expect(waits).toEqual(expected);
  expect(notices).not.toContain('does not wait');
});

test('a name in a column that no goal has is named where other names are goals, and nowhere else', async () => {
  const table = '| Task | Depends on |\n|-|-|\n| Dig | |\n| Sow | Dig |\n| Reap | A good year |\n';
  expect((await waitsIn(FARM + table)).notices).toContain(
    '“Reap” does not wait for “A good year”, which does not exist',
  );
  expect((await waitsIn(FARM + table.replace('| Sow | Dig |', '| Sow | Seeds |'))).notices).not.toContain(
    'wait',
  );
});

test('what is on hold for nothing but another goal waits for it, and for anything else is on hold', async () => {
  const { waits, held } = await waitsIn(
    `${FARM}- [ ] 1.1 Dig\n- [ ] 1.2 Sow (blocked by Dig)\n- [ ] Reap (blocked by Sow and the rain)\n- [ ] Eat (blocked by 1.1)\n- [ ] Rest (on hold)\n`,
  );
  expect(waits).toEqual(['2 1', '3 2', '4 1']);
  expect(held).toEqual(['3', '5']);
});
