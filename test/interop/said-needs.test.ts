import { join } from 'node:path';

import { outputFileSync } from 'fs-extra/esm';
import { describe, expect, test } from 'vitest';

import { openWorkspace } from '../../src/workspace.js';
import { temporaryFolder } from '../support/folders.js';

/** What a text says of #12 to #15, and the numbers of those that it waits for. */
const SAYINGS: readonly (readonly [string, readonly number[]])[] = [
  ['Blocked by #12.', [12]],
  ['Not blocked by #12.', []],
  ['It is no longer blocked by #12', []],
  ['It does not really depend on #14, but it depends on #12', [12]],
  ["It isn't blocked by #12, though it has been blocked by #13", [13]],
  ['It was blocked by #12', []],
  ['It used to be blocked by #12, now free', []],
  ['Blocked by #12 (resolved)', []],
  ['Blocked by #12, which is fixed by now; blocked by #13', [13]],
  ['~~Blocked by #12~~', []],
  ['Depends on #12, done by Friday', [12]],
  ["It can't start because it depends on #12", [12]],
  ['It not only depends on #12 but is large', [12]],
  ['Depends on #12-#14', [12, 13, 14]],
  ['Depends on #12–14 and #15', [12, 13, 14, 15]],
  ['Depends on #12 to #14', [12, 13, 14]],
  ['Depends on #12, #13, and #15', [12, 13, 15]],
  ['Depends on #14-#12', [12, 14]],
];

const PARTS = [12, 13, 14, 15];

async function waitsOf(file: string, text: string) {
  const folder = temporaryFolder();
  outputFileSync(join(folder, file), text);
  const environment = {
    workingFolder: folder,
    homeFolder: folder,
    variables: { XDG_CONFIG_HOME: join(folder, 'config') },
  };
  const workspace = openWorkspace({ environment });
  if (file.endsWith('.md') && !file.includes('/'))
    await workspace.init({ from: file, expander: 'rules' }).result;
  else await workspace.import(file.includes('/') ? '.' : file);
  const { goals = [] } = await workspace.status({ verbose: true });
  const last = goals.at(-1);
  const names = new Map(goals.map(({ id, description }) => [id, description]));
  return (last?.dependencies ?? []).map((id) => names.get(id) ?? '').toSorted((a, b) => a.localeCompare(b));
}

describe('what is denied, or was so once, is waited for by nothing; all of a range are', () => {
  test.each(SAYINGS)('a document: %s', async (said, numbers) => {
    const parts = PARTS.map((number) => `- #${number} Part ${number}`).join('\n');
    const text = `# Mill\n\n${parts}\n- #16 Whole\n\n  ${said}\n`;
    expect(await waitsOf('mill.md', text)).toEqual(numbers.map((number) => `Part ${number}`));
  });

  test.each(SAYINGS)('an issue of GitHub: %s', async (body, numbers) => {
    const parts = PARTS.map((number) => ({ number, title: `Part ${number}`, body: '' }));
    const text = JSON.stringify([...parts, { number: 16, title: 'Whole', body }]);
    expect(await waitsOf('issues.json', text)).toEqual(numbers.map((number) => `Part ${number}`));
  });
});

test('a column of a table names a range, and a number that bears another as its own part is that one', async () => {
  const rows = ['A1 | Dig |', 'A2 | Wall |', 'A3 | Roof |', 'A1-2 | Drain |', 'B1 | Move in | A1-A3, A1-2'];
  const text = `# House\n\n| ID | Task | Depends on |\n|-|-|-|\n${rows.map((row) => `| ${row} |`).join('\n')}\n`;
  expect(await waitsOf('house.md', text)).toEqual(['Dig', 'Drain', 'Roof', 'Wall']);
});

test.each([
  ['Last (depends on T001-T003)', ['Dig', 'Roof', 'Wall']],
  ['Last (does not depend on T001)', []],
])('a task of Spec Kit: %s', async (said, waits) => {
  const tasks = `# Tasks: House\n\n## Phase 1: All\n\n- [ ] T001 [P] Dig\n- [ ] T002 [P] Wall\n- [ ] T003 [P] Roof\n- [ ] T004 [P] ${said}\n`;
  expect(await waitsOf('specs/001-house/tasks.md', tasks)).toEqual(waits);
});

test.each([
  ['Last (depends on 1.1–1.3)', ['Dig', 'Roof', 'Wall']],
  ['Last (after 1.1, 1.3)', ['Dig', 'Roof']],
  ['Last (does not depend on 1.1)', []],
  ['Last, after 1.2 was tried', []],
])('a task of OpenSpec: %s', async (said, waits) => {
  const tasks = `## 1. All\n\n- [ ] 1.1 Dig\n- [ ] 1.2 Wall\n- [ ] 1.3 Roof\n- [ ] 1.4 ${said}\n`;
  expect(await waitsOf('openspec/changes/house/tasks.md', tasks)).toEqual(waits);
});
